import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import {
  checkWhatsApp,
  connectWhatsAppManually,
  disconnectWhatsApp,
  exchangeFacebookToken,
  getWhatsApp,
  type WhatsAppConnection,
  type WhatsAppState,
} from '@bancone/contract/whatsapp'
import {
  acceptWhatsAppTerms,
  changeWhatsAppMessages,
  getWhatsAppMessages,
  switchOffWhatsAppMessages,
  type WhatsAppMessages,
} from '@bancone/contract/whatsapp-messages'
import { whatsAppTerms } from '@bancone/contract/whatsapp-terms'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { pharmacy } from '../../../test/fixtures.ts'
import { inactive } from '../../../test/inactive.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { failure, type StubApi } from '../../../test/stub-api.ts'
import type { LoginResponse } from './signup-join.ts'
import type { MetaSdk } from './use-signup.ts'

const FEATURE = 'whatsapp_integration' as const
const ORIGIN = 'https://meta.example.it'
const login = {
  appId: '1',
  configId: '2',
  version: 'v25.0',
  scriptUrl: `${ORIGIN}/it_IT/sdk.js`,
  otherOrigin: ORIGIN,
}

function connectionOf(state: WhatsAppState, traits: Partial<WhatsAppConnection> = {}) {
  return {
    state,
    wabaId: '100',
    phoneNumberId: '200',
    displayPhoneNumber: '+39 041 520 1234',
    verifiedName: 'Farmacia San Carlo',
    accountName: 'Farmacia San Carlo',
    quality: 'GREEN',
    messagingLimit: 'TIER_1K',
    nameStatus: 'APPROVED',
    numberStatus: 'CONNECTED',
    isOnBusinessApp: false,
    isSubscribed: true,
    problem: null,
    refusal: null,
    connectedAt: '2026-01-05T07:30:00Z',
    checkedAt: '2026-01-05T07:30:00Z',
    expiresAt: null,
    lastInboundAt: null,
    lastOutboundAt: null,
    lastDay: { sent: 1, delivered: 2, read: 3, failed: 4 },
    ...traits,
  } satisfies WhatsAppConnection
}

const off: WhatsAppMessages = {
  isOn: false,
  stoppedFor: null,
  acceptance: null,
  templates: [],
  sentToday: 0,
  waiting: 0,
  announcesReady: false,
  sendsReminders: false,
  answersClosed: false,
  sendsLinks: false,
  sendsCalls: false,
  saysTu: false,
  dailyLimit: 100,
  monthlyLimit: null,
  messagePrice: null,
  usage: { kinds: [{ kind: 'ready', count: 1_210 }], texts: 1_200, paid: 210 },
  hasOpeningHours: false,
}

type Given = {
  connection?: WhatsAppConnection | null
  role?: 'owner' | 'staff'
  configured?: boolean
}

function server({ connection = null, role = 'owner', configured = true }: Given = {}): StubApi {
  let current = connection
  const changed = (to: WhatsAppConnection) => ({ connection: (current = to) })
  return serverWith([])
    .on(getOwnPharmacy, () => ({ ...pharmacy, role, features: [FEATURE] }))
    .on(getWhatsAppMessages, () => off)
    .on(getWhatsApp, () => ({ login: configured ? login : null, connection: current }))
    .on(exchangeFacebookToken, () => ({
      user: { name: 'Carlo', accounts: { data: [{ id: '100', name: 'Farmacia San Carlo' }] } },
      ...changed(connectionOf('connected')),
    }))
    .on(connectWhatsAppManually, () => changed(connectionOf('connected')))
    .on(checkWhatsApp, () => changed(connectionOf('connected')))
    .on(disconnectWhatsApp, () => changed(connectionOf('disconnected')))
}

const button = (name: string) => screen.getByRole('button', { name })
const open = async (given?: Given, api = server(given)) => {
  const view = renderApp('/meta', api)
  await screen.findByRole('heading', { level: 1, name: 'Connessione WhatsApp Business' })
  await waitFor(() =>
    expect(screen.queryByText('Caricamento della connessione in corso…')).toBeNull(),
  )
  return { ...view, api }
}

const scripts = () => document.querySelectorAll<HTMLScriptElement>('script[src*="sdk.js"]')

/** Opens the window as far as the script is concerned. @returns what the script tells the page */
async function openWindow({ user }: Awaited<ReturnType<typeof open>>) {
  const sdk = { init: vi.fn<MetaSdk['init']>(), login: vi.fn<MetaSdk['login']>() }
  onTestFinished(() => {
    delete window.FB
    for (const script of scripts()) script.remove()
  })
  expect(scripts()).toHaveLength(0)
  await user.click(button('Accedi con Facebook'))
  expect([...scripts()].map(({ src }) => src)).toEqual([login.scriptUrl])
  window.FB = sdk
  act(() => window.fbAsyncInit?.())
  await screen.findByText(/Facebook è pronto/)
  await user.click(button('Connetti WhatsApp Business'))
  const [respond, options] = sdk.login.mock.calls[0] ?? []
  expect(sdk.init.mock.calls[0]?.[0]).toMatchObject({ appId: '1', version: 'v25.0' })
  expect(options).toEqual({
    config_id: '2',
    response_type: 'code',
    override_default_response_type: true,
    extras: { setup: {}, featureType: 'whatsapp_business_app_onboarding' },
  })
  return {
    respond: (response: LoginResponse) => act(() => respond?.(response)),
    tell: (event: string, data: object, origin = ORIGIN) =>
      act(() => {
        const told = { type: 'WA_EMBEDDED_SIGNUP', event, data }
        window.dispatchEvent(new MessageEvent('message', { origin, data: JSON.stringify(told) }))
      }),
  }
}

const code: LoginResponse = { status: 'connected', authResponse: { code: 'the code' } }
const ids = { waba_id: '100', phone_number_id: '200' }

test('a number is connected with the code and the ids of the window', async () => {
  const view = await open()
  expect(inactive(button('Connetti WhatsApp Business'))).toBe(true)
  const { respond, tell } = await openWindow(view)
  await screen.findByText('Completa il collegamento nella finestra di Facebook.')
  tell('FINISH', { waba_id: '666', phone_number_id: '666' }, 'https://evilfacebook.com')
  respond(code)
  tell('FINISH', ids)
  expect(await screen.findByText('Connesso con successo!')).toBeDefined()
  expect(screen.getByText('Account: Farmacia San Carlo')).toBeDefined()
  const sent = view.api.requests.filter(({ path }) => path === '/api/facebook-token-exchange')
  expect(sent.map(({ body }) => body)).toEqual([
    { code: 'the code', wabaId: '100', phoneNumberId: '200' },
  ])
  expect(screen.getByText('Connesso', { exact: true })).toBeDefined()
  expect(screen.getByText('6 (5 consegnati, 3 letti), 4 non riusciti')).toBeDefined()
})

test('a number that needs another step is no success', async () => {
  let connection: WhatsAppConnection | null = null
  const api = server()
    .on(getWhatsApp, () => ({ login, connection }))
    .on(exchangeFacebookToken, () => {
      connection = connectionOf('pending_number')
      return { user: { name: 'Carlo', accounts: { data: [] } }, connection }
    })
  const { respond, tell } = await openWindow(await open({}, api))
  tell('FINISH', ids)
  respond(code)
  expect(await screen.findByText('Accesso riuscito')).toBeDefined()
  expect(screen.queryByText('Connesso con successo!')).toBeNull()
})

test('an exchange that fails is told with its reason, and is not repeated', async () => {
  const api = server().on(exchangeFacebookToken, () =>
    failure('whatsapp.exchange_failed', 'Errore nello scambio del token'),
  )
  const view = await open({}, api)
  const { respond, tell } = await openWindow(view)
  tell('FINISH', ids)
  respond(code)
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('Errore di connessione')
  expect(alert.textContent).toContain(
    'Non è stato possibile completare la connessione. Riprova più tardi.',
  )
  expect(alert.textContent).toContain(
    'Errore nello scambio del token: il codice di Facebook vale 30',
  )
  expect(api.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('who does not authorize the application is told so', async () => {
  const { respond } = await openWindow(await open())
  respond({ status: 'not_authorized', authResponse: null })
  expect(await screen.findByText('Autorizzazione negata')).toBeDefined()
})

test('a token without the permissions is a refused authorization', async () => {
  const api = server().on(exchangeFacebookToken, () =>
    failure('whatsapp.permissions_missing', 'Manca un permesso'),
  )
  const { respond, tell } = await openWindow(await open({}, api))
  tell('FINISH', ids)
  respond(code)
  expect(await screen.findByText('Autorizzazione negata')).toBeDefined()
  expect(screen.getByText('Manca un permesso')).toBeDefined()
})

test.each([
  ['BUSINESS_ACCOUNT_SELECTION', "alla scelta dell'attività"],
  ['WABA_PHONE_PROFILE_PICKER', "alla scelta dell'account"],
  ['WHATSAPP_BUSINESS_PROFILE_SETUP', 'al profilo'],
  ['PHONE_NUMBER_SETUP', "all'inserimento del numero"],
  ['PHONE_NUMBER_VERIFICATION', 'alla verifica del numero'],
  ['PERMISSIONS', 'ai permessi'],
  ['ANOTHER', 'Hai interrotto il collegamento.'],
])('who gives up at %s is told where', async (step, text) => {
  const { tell } = await openWindow(await open())
  tell('CANCEL', { current_step: step })
  expect(await screen.findByText('Collegamento interrotto')).toBeDefined()
  expect(screen.getByText(new RegExp(text))).toBeDefined()
  // The next try needs no other script.
  expect(inactive(button('Connetti WhatsApp Business'))).toBe(false)
})

test('a script that does not load is told, and can be loaded again', async () => {
  const { user } = await open()
  onTestFinished(() => {
    for (const script of scripts()) script.remove()
  })
  await user.click(button('Accedi con Facebook'))
  act(() => void scripts()[0]?.dispatchEvent(new Event('error')))
  expect((await screen.findByRole('alert')).textContent).toContain('non si carica')
  expect(scripts()).toHaveLength(0)
  expect(inactive(button('Accedi con Facebook'))).toBe(false)
})

test('a number is connected by hand, and the token leaves the page', async () => {
  const { user, api } = await open()
  await user.click(screen.getByText('Collega a mano'))
  await user.click(button('Collega con il token'))
  expect(screen.getByText('Incolla il token intero, senza spazi.')).toBeDefined()
  await user.type(screen.getByLabelText('Token'), 'EAA-the-token-of-the-system-user')
  await user.type(screen.getByLabelText("Id dell'account WhatsApp Business"), '100')
  await user.type(screen.getByLabelText('Id del numero'), '200')
  await user.click(button('Collega con il token'))
  expect(await screen.findByText('Connesso con successo!')).toBeDefined()
  expect(api.requests.find(({ path }) => path.endsWith('manual-connection'))?.body).toEqual({
    token: 'EAA-the-token-of-the-system-user',
    wabaId: '100',
    phoneNumberId: '200',
  })
  expect(screen.queryByLabelText('Token')).toBeNull()
})

test.each<[WhatsAppState, string]>([
  ['connected', 'Connesso'],
  ['pending_number', 'Da completare'],
  ['in_review', 'In esame'],
  ['needs_reauth', 'Da ricollegare'],
  ['offboarded', 'In attesa di riconnessione'],
  ['restricted', 'Limitato da Meta'],
  ['disconnected', 'Scollegato'],
])('the state %s is "%s"', async (state, word) => {
  await open({ connection: connectionOf(state) })
  expect(screen.getByText(word, { exact: true })).toBeDefined()
  // Where a new login is the remedy it is there, elsewhere behind a button.
  const needsLogin = state === 'needs_reauth' || state === 'disconnected'
  expect(screen.queryByRole('button', { name: 'Ricollega' }) === null).toBe(needsLogin)
  expect(screen.queryByRole('button', { name: 'Accedi con Facebook' }) !== null).toBe(needsLogin)
})

test('the step that failed is named with what to do, until a check succeeds', async () => {
  const problem = { step: 'registration', kind: 'pin' } as const
  const { user } = await open({ connection: connectionOf('pending_number', { problem }) })
  expect(screen.getByText('Registrazione del numero: non riuscita')).toBeDefined()
  expect(screen.getByText(/disattivala in Gestione WhatsApp/)).toBeDefined()
  await user.click(button('Verifica ora'))
  expect(await screen.findByText('Connesso', { exact: true })).toBeDefined()
  expect(screen.queryByText('Registrazione del numero: non riuscita')).toBeNull()
})

test('a refusal of messages is explained, and nothing works meanwhile', async () => {
  const refusal = { kind: 'payment', at: '2026-01-05T07:30:00Z' } as const
  await open({ connection: connectionOf('connected', { refusal }) })
  expect(screen.getByText('Manca un metodo di pagamento')).toBeDefined()
  expect(screen.getByText(/Aggiungilo in Gestione WhatsApp/)).toBeDefined()
  expect(screen.getByText('Da sistemare', { exact: true })).toBeDefined()
  expect(screen.queryByText(/funziona/)).toBeNull()
})

test.each([
  [13, true],
  [15, false],
])('an authorization that ends in %i days is told: %s', async (days, isShown) => {
  const expiresAt = new Date(Date.now() + days * 86_400_000).toISOString()
  await open({ connection: connectionOf('connected', { expiresAt }) })
  expect(screen.queryByText(/L'autorizzazione scade il/) !== null).toBe(isShown)
})

test('a number is disconnected once that is confirmed', async () => {
  const { user } = await open({ connection: connectionOf('connected') })
  await user.click(button('Scollega'))
  const dialog = await screen.findByRole('dialog', { name: 'Scollegare il numero WhatsApp?' })
  await user.click(within(dialog).getByRole('button', { name: 'Scollega' }))
  expect(await screen.findByText('Scollegato', { exact: true })).toBeDefined()
})

test.each(['Verifica ora', 'Scollega'])('%s finds that a colleague was faster', async (name) => {
  let connection = connectionOf('connected')
  const gone = () => {
    connection = connectionOf('disconnected')
    return failure('whatsapp.not_connected', 'Nessun numero')
  }
  const api = server()
    .on(getWhatsApp, () => ({ login, connection }))
    .on(checkWhatsApp, gone)
    .on(disconnectWhatsApp, gone)
  const { user } = await open({}, api)
  await user.click(button(name))
  const dialog = screen.queryByRole('dialog')
  if (dialog) await user.click(within(dialog).getByRole('button', { name }))
  expect(await screen.findByText('Scollegato', { exact: true })).toBeDefined()
})

test('the staff see the number and can change nothing', async () => {
  await open({ connection: connectionOf('needs_reauth'), role: 'staff' })
  expect(screen.getByText('Da ricollegare', { exact: true })).toBeDefined()
  expect(screen.getByText(/Solo i titolari della farmacia/)).toBeDefined()
  for (const name of ['Verifica ora', 'Scollega', 'Accedi con Facebook'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

test('without a configuration the page says so', async () => {
  await open({ configured: false })
  expect(screen.getByText('WhatsApp non è configurato')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Accedi con Facebook' })).toBeNull()
})

test('a pharmacy without the feature is told who can enable it', async () => {
  const api = server().on(getOwnPharmacy, () => ({ ...pharmacy, features: [] }))
  renderApp('/meta', api)
  expect(
    await screen.findByRole('heading', { name: 'Integrazione WhatsApp non abilitata' }),
  ).toBeDefined()
  expect(api.requests.some(({ path }) => path === '/api/whatsapp')).toBe(false)
  // It leads there all the same.
  expect(screen.getByTitle('Connetti WhatsApp').getAttribute('href')).toBe('/meta')
})

test('messages are off until an owner has read what they mean, and is asked what to send', async () => {
  let messages = off
  const template = { name: 'a', kind: 'ready', preview: 'Ciao, la tua richiesta 1042' } as const
  const on = {
    ...off,
    isOn: true,
    acceptance: { version: whatsAppTerms.version, by: 'Carlo', at: '2026-11-23T09:00:00Z' },
    templates: [{ ...template, status: 'APPROVED', category: 'MARKETING' }],
  }
  const changes: unknown[] = []
  const api = server({ connection: connectionOf('connected') })
    .on(getWhatsAppMessages, () => messages)
    .on(acceptWhatsAppTerms, ({ body }) => {
      changes.push(body)
      return (messages = on)
    })
    .on(changeWhatsAppMessages, ({ body }) => {
      changes.push(body)
      return (messages = { ...on, ...body })
    })
    .on(switchOffWhatsAppMessages, () => (messages = off))
  const { user } = await open({}, api)
  await user.click(await screen.findByRole('button', { name: 'Leggi e attiva' }))
  const terms = await screen.findByRole('dialog', { name: 'Prima di attivare i messaggi' })
  const accept = within(terms).getByRole('button', { name: 'Accetto e attivo' })
  expect(inactive(accept)).toBe(true)
  await user.click(within(terms).getByRole('checkbox'))
  await user.click(accept)
  await screen.findByText(/^Attivati il 23\/11\/2026 10:00 da Carlo/)
  screen.getByText(/Meta considera questo testo pubblicità/)
  screen.getByText(/ne è titolare la farmacia, e Bancone lo tratta per suo conto/)
  screen.getByText('1.000 di 1.000 testi liberi senza costo')
  screen.getByText('210 messaggi a pagamento')
  const answers = screen.getByRole('switch', { name: /Rispondi agli ordini/ })
  expect(answers.textContent).toContain('Servono gli orari di apertura')
  await user.click(screen.getByRole('switch', { name: "Avvisa quando l'ordine è pronto" }))
  const price = screen.getByRole('textbox', { name: 'Prezzo di un messaggio (€)' })
  await user.type(price, '3')
  await user.click(button('Salva'))
  await screen.findByText(/^Scrivi un prezzo da 0 a 1 euro/)
  await user.clear(price)
  await user.type(price, '0,0341')
  await user.click(screen.getByRole('checkbox', { name: 'Senza limite' }))
  await user.click(screen.getByRole('switch', { name: 'Dai del tu ai clienti' }))
  await user.click(button('Salva'))
  await screen.findByText('Messaggi salvati')
  expect(changes).toEqual([
    { version: whatsAppTerms.version },
    {
      announcesReady: true,
      sendsReminders: false,
      answersClosed: false,
      sendsLinks: false,
      sendsCalls: false,
      saysTu: true,
      dailyLimit: 100,
      monthlyLimit: 500,
      messagePrice: 0.0341,
    },
  ])
  screen.getByText(/di 500, circa 7,16/)
  await user.click(button('Disattiva i messaggi'))
  const asking = await screen.findByRole('dialog')
  await user.click(within(asking).getByRole('button', { name: 'Disattiva' }))
  await screen.findByRole('button', { name: 'Leggi e attiva' })
})

test('a colleague sees why messages have stopped, and can change nothing', async () => {
  const api = server({ connection: connectionOf('connected'), role: 'staff' })
  api.on(getWhatsAppMessages, () => ({ ...off, stoppedFor: 'policy' as const }))
  await open({}, api)
  await screen.findByText(/Bancone ha fermato i messaggi/)
  expect(screen.queryByRole('button', { name: 'Leggi e attiva' })).toBeNull()
})
