import { initialPrioritySettings } from '@bancone/contract/priority'
import { screen } from '@testing-library/react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  openPriority,
  priorityPage as page,
  priorityServer,
  customerSession as session,
  token,
} from '../../../test/priority-session.tsx'
import {
  ATTENDED,
  CALL_DONE,
  CALLED_IN_CAR,
  meaningBefore,
  meaningOf,
  meanings,
  NOT_ATTENDED,
  positionText,
  titles,
} from './priority-session-texts.ts'

const path = '/priority/PHARM-0001/rec1'
const link = `${path}#t=${token}`
const arrived = { ...session, status: 'user_arrived', code: '042', ahead: 1, version: 2 }
/** Stands in for the wake lock of the browser. */
function fakeWakeLock() {
  const locks = { given: 0, held: 0 }
  const request = async () => {
    locks.given += 1
    locks.held += 1
    const lock = {
      released: false,
      async release() {
        if (!lock.released) locks.held -= 1
        lock.released = true
      },
    }
    return lock
  }
  Object.defineProperty(navigator, 'wakeLock', { configurable: true, value: { request } })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'wakeLock'))
  return locks
}
const button = () => screen.findByRole('button', { name: 'Sono in farmacia' })

describe('with the token of a link', () => {
  test('the customer arrives, waits and is called', async () => {
    const server = priorityServer(session)
    server.on('session/status', ({ place }) => ({ ...arrived, place }))
    const vibrate = vi.fn<() => boolean>()
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { vibrate }))
    const { user } = openPriority(page, link)
    await button()
    expect(location.href).not.toContain(token)
    await user.click(screen.getByRole('radio', { name: 'In auto' }))
    await user.type(screen.getByRole('textbox', { name: /Posto/ }), '4')
    await user.click(await button())
    expect(server.asked.at(-1)?.body).toEqual({
      pharmacyCode: 'PHARM-0001',
      token,
      to: 'user_arrived',
      place: 'In auto, posto 4',
    })
    expect(await screen.findByRole('heading', { name: 'Richiesta Inviata' })).toBeDefined()
    expect(screen.getByText('Notifica inviata con successo!')).toBeDefined()
    expect(screen.getByRole('button', { name: 'Notifica inviata!' })).toBeDefined()
    expect(screen.getByText('042')).toBeDefined()
    expect(screen.getByText('1 persona prima')).toBeDefined()

    await server.send({ ...arrived, wait: { low: 5, high: 10 }, ahead: 0 })
    expect(screen.getByText('5–10 minuti')).toBeDefined()
    expect(document.title).toBe('Accesso prioritario')
    const called = { ...arrived, status: 'called', calledBy: 'Banco 2', version: 3 }
    await server.send(called)
    expect(document.title).toBe('Sei Stato Chiamato! · Accesso prioritario')
    const alert = screen
      .getByRole('heading', { name: 'Sei Stato Chiamato!' })
      .closest('[role="alert"]')
    expect(alert?.textContent).toContain('Andare subito al banco.Banco 2')
    await server.send({ ...called, place: 'In auto' })
    expect(alert?.textContent).toContain('Restare in auto: arriviamo noi.')
    expect(alert?.textContent).not.toMatch(/banco/i)
    expect(vibrate).toHaveBeenCalledOnce()
    expect(screen.queryByText('Notifica inviata con successo!')).toBeNull()
  })

  test('by keyboard, the focus stays with each state', async () => {
    const server = priorityServer(session)
    server.on('session/status', ({ to }) =>
      to === 'on_the_way' ? { ...session, status: to, version: 2 } : { ...arrived, version: 3 },
    )
    const { user } = openPriority(page, link)
    const focused = () => document.activeElement?.textContent
    const press = async (name: string) => {
      ;(await screen.findByRole('button', { name })).focus()
      await user.keyboard('{Enter}')
    }
    await press('Sto arrivando')
    await vi.waitFor(() => expect(focused()).toBe('In arrivo'))
    await press('Sono in farmacia')
    await vi.waitFor(() => expect(focused()).toBe('Notifica inviata!'))
    screen.getByRole('button', { name: 'Non aspetto più' }).focus()
    await server.send({ ...arrived, status: 'called', version: 4 })
    expect(focused()).toBe('Sei Stato Chiamato!')
  })

  test('who does not wait any more is asked once more', async () => {
    const server = priorityServer(arrived)
    server.on('session/status', () => ({ ...arrived, status: 'cancelled', version: 3 }))
    const { user } = openPriority(page, link)
    await user.click(await screen.findByRole('button', { name: 'Non aspetto più' }))
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'No, continua' }))
    expect(server.asked.some((call) => call.path.endsWith('/status'))).toBe(false)
    await user.click(screen.getByRole('button', { name: 'Sì, annulla' }))
    expect(
      await screen.findByRole('heading', { name: 'Accesso prioritario annullato' }),
    ).toBeDefined()
    expect(server.asked.at(-1)?.body).toMatchObject({ to: 'cancelled' })
  })

  test('an older answer does not replace a newer state', async () => {
    const server = priorityServer({ ...arrived, status: 'called', version: 3 })
    openPriority(page, link)
    await screen.findByRole('heading', { name: 'Sei Stato Chiamato!' })
    await server.send(arrived)
    expect(screen.getByRole('heading', { name: 'Sei Stato Chiamato!' })).toBeDefined()
  })

  test('without an operator none is promised', async () => {
    const server = priorityServer({ ...arrived, isAttended: false })
    openPriority(page, link)
    expect(await screen.findByText(/nessun operatore/)).toBeDefined()
    await server.send(arrived)
    expect(screen.getByText(/Il farmacista è stato avvisato/)).toBeDefined()
    expect(screen.queryByText(/nessun operatore/)).toBeNull()
  })

  test.each([
    ['no counter is open', { isAttended: false }, /nessun operatore è collegato: all’arrivo/],
    ['they were not there', { coolsUntil: '2126-01-01T00:00:00Z' }, /possibile avvisarci di nuovo/],
  ])('before the arrival, while %s, one sentence says so', async (_why, traits, text) => {
    priorityServer({ ...session, ...traits })
    openPriority(page, link)
    expect(await screen.findByText(text)).toBeDefined()
    await button()
    expect(screen.queryByText(/prima della coda/)).toBeNull()
  })

  test('outside the opening hours it says when the pharmacy opens', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-11-23T13:00+01:00'), toFake: ['Date'] })
    const server = priorityServer(session)
    const afternoon = [{ from: '15:30', to: '19:30' }]
    const openingWeek = [afternoon, [], [], [], [], [], []]
    const pharmacy = page.pharmacy && { ...page.pharmacy, openingWeek }
    const { user } = openPriority({ ...page, pharmacy }, link)
    expect(await screen.findByText(/apre alle 15:30/)).toBeDefined()
    // The clock of a phone may be wrong: the server decides.
    const error = 'La farmacia è chiusa in questo momento.'
    server.on('session/status', () => ({ status: 409, body: { error, code: 'priority.closed' } }))
    await user.click(await button())
    expect(await screen.findByText(error)).toBeDefined()
    server.on('session/status', () => arrived)
    await user.click(await button())
    expect(await screen.findByRole('heading', { name: 'Richiesta Inviata' })).toBeDefined()
  })

  test.each([
    [
      'no network',
      'no network',
      'Si è verificato un errore durante la comunicazione con il server. Riprova.',
      true,
    ],
    [
      'a failure',
      { status: 500, body: {} },
      'Non è stato possibile aggiornare lo stato della sessione. Riprova.',
      false,
    ],
  ] as const)(
    '%s is explained, and the button can be pressed again',
    async (_how, answer, text, isNetwork) => {
      const server = priorityServer(session)
      const screenLock = fakeWakeLock()
      server.on('session/status', () => answer)
      const { user } = openPriority(page, link)
      await user.click(await button())
      expect(await screen.findByText("Errore nell'invio della notifica")).toBeDefined()
      expect(screen.getByText(text)).toBeDefined()
      const hint = screen.queryByText(/^Controllare la connessione del telefono/)
      expect(hint !== null).toBe(isNetwork)
      // The screen does not stay on for a customer who does not wait.
      await vi.waitFor(() => expect(screenLock).toEqual({ given: 1, held: 0 }))
      server.on('session/status', () => arrived)
      await user.click(await button())
      expect(await screen.findByRole('heading', { name: 'Richiesta Inviata' })).toBeDefined()
      expect(screenLock.held).toBe(1)
      expect(screen.queryByText("Errore nell'invio della notifica")).toBeNull()
    },
  )

  test('an old link says that a newer one was sent', async () => {
    priorityServer({ ...session, status: 'cancelled', isReplaced: true })
    openPriority(page, link)
    expect(await screen.findByRole('heading', { name: 'C’è un link più recente' })).toBeDefined()
    expect(screen.getByText(/abbiamo inviato un altro link: aprire quello/)).toBeDefined()
    expect(screen.queryByText(/annullato/)).toBeNull()
  })

  test('a link that has expired says so, and offers nothing', async () => {
    priorityServer({ ...session, status: 'expired' })
    openPriority(page, link)
    expect(await screen.findByRole('heading', { name: 'Link scaduto' })).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Sono in farmacia' })).toBeNull()
  })

  test('a request ends after ten seconds', async () => {
    const server = priorityServer(session)
    server.on('session/status', () => 'never')
    const { user } = openPriority(page, link)
    const arrival = await button()
    const timeout = vi.spyOn(globalThis, 'setTimeout')
    await user.click(arrival)
    expect(screen.getByRole('button', { name: 'Invio richiesta...' })).toBeDefined()
    const limit = timeout.mock.calls.find(([, ms]) => ms === 10_000)
    timeout.mockRestore()
    limit?.[0]()
    expect(await screen.findByText('Richiesta scaduta')).toBeDefined()
    expect((await button()).getAttribute('aria-disabled')).toBe('false')
  })

  test.each([
    ['the login page of a network', () => new Response('<html>', { status: 511 })],
    ['a proxy', () => new Response('Forbidden', { status: 403 })],
    ['another server', () => Response.json({ message: 'no' }, { status: 404 })],
  ])('what %s answers does not end the page', async (_what, answer) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const server = priorityServer(session)
    const ours = fetch
    vi.stubGlobal('fetch', async () => answer())
    openPriority(page, link)
    await vi.advanceTimersByTimeAsync(500)
    expect(screen.queryByRole('heading', { name: 'Errore' })).toBeNull()
    vi.stubGlobal('fetch', ours)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await button()).toBeDefined()
    expect(server.asked).not.toEqual([])
  })

  test('a refusal of the server is shown', async () => {
    const server = priorityServer(session)
    const body = {
      error: 'Funzione non disponibile presso questa farmacia',
      code: 'priority.feature_off',
    }
    vi.stubGlobal('fetch', async () => Response.json(body, { status: 403 }))
    openPriority(page, link)
    expect(await screen.findByRole('heading', { name: 'Errore' })).toBeDefined()
    expect(screen.getByText(body.error)).toBeDefined()
    expect(screen.getByRole('link', { name: 'Torna alla home' }).getAttribute('href')).toBe('/')
    expect(server.asked).toHaveLength(0)
  })
})

describe('without a token', () => {
  test('the state is shown, and four digits open the session', async () => {
    const server = priorityServer(session)
    const error = 'I dati non corrispondono.'
    server.on('unlock', () => ({ status: 404, body: { error, code: 'priority.not_matched' } }))
    const { user } = openPriority({ ...page, status: 'user_arrived' }, path)
    expect(screen.getByRole('heading', { name: 'Richiesta Inviata' })).toBeDefined()
    expect(screen.queryByText('042')).toBeNull()
    const digits = await screen.findByLabelText('Ultime quattro cifre del telefono')
    await user.type(digits, '0000{Enter}')
    expect(await screen.findByText(error)).toBeDefined()
    expect(document.activeElement).toBe(digits)
    server.on('unlock', () => ({ orderId: 'rec1', token }))
    await user.clear(digits)
    await user.type(digits, '4567{Enter}')
    expect(await button()).toBeDefined()
    await vi.waitFor(() => {
      expect(document.activeElement?.textContent).toBe('Accesso prioritario')
    })
    expect(location.pathname + location.hash).toBe(path)
  })

  test('the poster leads to the session by the number of the order', async () => {
    const server = priorityServer(session)
    server.on('unlock', () => ({ orderId: 'rec9', token }))
    const { user } = openPriority(
      { ...page, kind: 'find', orderId: null, status: null },
      '/priority/PHARM-0001',
    )
    await user.click(screen.getByRole('button', { name: 'Continua' }))
    expect(screen.getByText('Serve il numero dell’ordine.')).toBeDefined()
    await user.type(screen.getByLabelText('Numero dell’ordine'), '1042')
    await user.type(screen.getByLabelText('Ultime quattro cifre del telefono'), '4567{Enter}')
    expect(await button()).toBeDefined()
    expect(location.pathname).toBe('/priority/PHARM-0001/rec9')
    expect(server.asked.find((call) => call.path.endsWith('/events'))?.body).toMatchObject({
      token,
    })
  })

  test('a token that opens nothing any more asks for the digits again', async () => {
    priorityServer(session)
    const body = { error: 'Ordine non trovato', code: 'priority.order_not_found' }
    vi.stubGlobal('fetch', async () => Response.json(body, { status: 404 }))
    openPriority(page, link)
    expect(await screen.findByLabelText('Ultime quattro cifre del telefono')).toBeDefined()
  })
})

test('a display shows codes and desks, and speaks a new call', async () => {
  const call = { code: '042', desk: 'Banco 2', calledAt: '2026-11-23T10:00:00.000Z' }
  const state = { pharmacyName: 'Farmacia San Marco', called: [call], waiting: 3 }
  const server = priorityServer(state)
  const speak = vi.fn<(spoken: { text: string }) => void>()
  vi.stubGlobal('speechSynthesis', { speak })
  vi.stubGlobal(
    'SpeechSynthesisUtterance',
    class {
      text: string
      constructor(text: string) {
        this.text = text
      }
    },
  )
  const { user } = openPriority(
    { ...page, kind: 'display', pharmacy: null },
    `/priority/display#t=${token}`,
  )
  expect(await screen.findByText('042')).toBeDefined()
  expect(screen.getByText('In attesa: 3')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Attiva voce' }))
  const next = { code: '317', desk: 'Banco 1', calledAt: '2026-11-23T10:01:00.000Z' }
  await server.send({ ...state, called: [next, call] })
  expect(speak.mock.calls.map(([{ text }]) => text)).toEqual([
    'Voce attiva',
    'Codice 3 1 7, Banco 1',
  ])
  // A screen that starts again opens the same address.
  expect(location.hash).toContain(token)
})

const before = { status: 'link_sent', isAttended: false } as const
test.each([
  ...Object.values(titles).filter((title) => title !== 'Sei Stato Chiamato!'),
  ...Object.values(meanings),
  ATTENDED,
  NOT_ATTENDED,
  CALLED_IN_CAR,
  CALL_DONE,
  meaningOf({ ...session, isReplaced: true }),
  meaningBefore(before, null, false),
  meaningBefore(before, 'Chiuso', false),
  meaningBefore(before, null, true),
  ...[0, 1, 2].map(positionText),
  initialPrioritySettings.message,
])('%s: suits who is addressed by tu and who is addressed by Lei', (text) => {
  expect(text).not.toMatch(
    /\b(tu|te|ti|tuo|tua|tuoi|tue|sei|hai|puoi|potrai|vai|vieni|premi|apri|attendi|presentati|resta|arrivi|Lei|Suo|Sua|prema|apra|attenda)\b/,
  )
})
