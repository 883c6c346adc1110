import {
  type CustomerDataCopy,
  type CustomerDataCounts,
  copyCustomerData,
  eraseCustomerData,
  findCustomerData,
} from '@bancone/contract/customer-data'
import { getOrderRetention, listHeldOrders } from '@bancone/contract/order-retention'
import { getOwnPharmacy, type OwnPharmacy } from '@bancone/contract/pharmacies'
import {
  changePrescriptionFields,
  getPrescriptionFields,
} from '@bancone/contract/prescription-fields'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { fakeDownloads } from '../../../test/fake-downloads.ts'
import { fill } from '../../../test/fill.ts'
import { pharmacy } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { deferred, failure } from '../../../test/stub-api.ts'

const PHONE = '+393331234567'

const counts: CustomerDataCounts = {
  phone: PHONE,
  orders: 3,
  waitingOrders: 1,
  airtableOrders: 52,
  airtableNumbers: ['1012', '1011'],
  heldOrders: 0,
  heldNumbers: [],
  prioritySessions: 1,
  messages: 4,
  isContact: true,
}

const nothing: CustomerDataCounts = {
  phone: PHONE,
  orders: 0,
  waitingOrders: 0,
  airtableOrders: 0,
  airtableNumbers: [],
  heldOrders: 0,
  heldNumbers: [],
  prioritySessions: 0,
  messages: 0,
  isContact: false,
}

const copy: CustomerDataCopy = {
  phone: PHONE,
  pharmacy: 'Farmacia San Carlo',
  madeAt: '2026-01-05T23:30:00Z',
  orders: [
    {
      number: '1042',
      createdAt: '2026-01-05T07:30:00Z',
      changedAt: '2026-01-05T07:30:00Z',
      status: 'In attesa',
      name: 'Anna <script>alert(1)</script> & "Bruno"',
      phone: '333 123 4567',
      address: null,
      details: 'Aspirina',
      hasPicture: false,
      isInAirtable: false,
      held: 'Reclamo',
      notes: [{ at: '2026-01-05T08:00:00Z', text: '<img src=x onerror=alert(1)>' }],
    },
  ],
  prioritySessions: [],
  contact: null,
  consents: [],
  messages: [{ at: '2026-01-05T09:00:00Z', isFromCustomer: true, text: 'Buongiorno' }],
}

const page = '/account/customer-data'
const server = (found = counts) =>
  serverWith([])
    .on(findCustomerData, () => found)
    .on(listHeldOrders, () => ({ orders: [] }))
    .on(getOrderRetention, () => ({ orderDays: null, platformDays: null, isOnAirtable: false }))
const sent = (api: ReturnType<typeof server>) =>
  api.requests.filter(({ path }) => path.startsWith('/api/customer-data'))
const field = () =>
  screen.findByRole<HTMLInputElement>('textbox', { name: 'Numero di telefono del cliente' })
const button = (name: string) => screen.getByRole('button', { name })
const result = () => screen.findByRole('heading', { name: 'Dati di +39 333 123 4567' })

async function openResult(api: ReturnType<typeof server>) {
  const view = renderApp(page, api)
  fill(await field(), '333 1234567')
  await view.user.click(button('Cerca'))
  await result()
  return view
}

test('the menu of the name leads to the page; without a whole number nothing is found, and it stays', async () => {
  const api = server().on(findCustomerData, () =>
    failure('customer_data.bad_phone', 'Scrivi un numero intero.'),
  )
  const { user } = renderApp('/', api)
  await user.click(await screen.findByRole('button', { name: 'Farmacia San Carlo' }))
  await user.click(screen.getByRole('menuitem', { name: 'Dati dei clienti' }))
  await focused(await screen.findByRole('heading', { name: 'Dati dei clienti' }))
  await user.click(button('Cerca'))
  const missing = await screen.findByText('Scrivi il numero di telefono del cliente.')
  expect((await field()).getAttribute('aria-describedby')).toBe(missing.id)
  expect(sent(api)).toEqual([])
  await user.type(await field(), '333{Enter}')
  const refused = await screen.findByText('Scrivi un numero intero.')
  expect((await field()).getAttribute('aria-describedby')).toBe(refused.id)
  expect((await field()).value).toBe('333')
  await focused(await field())
})

test('what is found is listed; it is in no address, title or cache', async () => {
  const { client } = await openResult(server())
  await focused(await result())
  const section = within(screen.getByRole('region', { name: 'Dati di +39 333 123 4567' }))
  expect(section.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '3 ordini, di cui 1 in attesa',
    '1 visita con accesso prioritario',
    '4 messaggi di WhatsApp',
    'È un contatto di WhatsApp',
  ])
  expect(section.getByText('52 ordini in Airtable: 1012, 1011 e altri 50')).toBeDefined()
  expect(section.getByText(/spariscono da qui con la prossima lettura/)).toBeDefined()
  expect(section.getByText(/nominano il cliente solo nel testo/)).toBeDefined()
  expect(document.title).toBe('Dati dei clienti · Bancone')
  const kept = [client.getQueryCache(), client.getMutationCache()].flatMap((cache) =>
    cache.getAll().map(({ state }) => state),
  )
  const places = [
    location.href,
    history.state,
    kept,
    Object.entries(localStorage),
    Object.entries(sessionStorage),
  ]
  expect(JSON.stringify(places)).not.toMatch(/333 ?123/)
})

test('of a number with nothing it says so, and offers nothing', async () => {
  await openResult(server(nothing))
  expect(screen.getByText('Di questo numero non è conservato nulla.')).toBeDefined()
  expect(screen.queryByRole('radio')).toBeNull()
})

test('a result is not shown for another number, and neither is one that comes late', async () => {
  const api = server()
  const { user } = await openResult(api)
  await user.type(await field(), '8')
  expect(screen.queryByText(/Dati di \+39/)).toBeNull()
  const answer = deferred<CustomerDataCounts>()
  api.on(findCustomerData, () => answer.promise)
  await user.click(button('Cerca'))
  expect(inactive(await screen.findByRole('button', { name: 'Ricerca in corso…' }))).toBe(true)
  await user.type(await field(), '9')
  answer.resolve(counts)
  await screen.findByRole('button', { name: 'Cerca' })
  expect(screen.queryByText(/Dati di \+39/)).toBeNull()
})

test('a copy needs the check of the identity, and its texts are only texts', async () => {
  const browser = fakeDownloads()
  const api = server().on(copyCustomerData, () => failure('service.unavailable'))
  const { user } = await openResult(api)
  await user.click(button('Scarica una copia'))
  const missing = await screen.findByText('Indica come hai verificato chi è.')
  const choice = screen.getByRole('radio', { name: 'Lo conosco di persona' })
  expect(choice.getAttribute('aria-describedby')).toBe(missing.id)
  await focused(choice)
  await user.click(choice)
  await user.click(button('Scarica una copia'))
  expect((await screen.findByRole('alert')).textContent).toContain('non è disponibile')
  api.on(copyCustomerData, () => copy)
  await user.click(button('Scarica una copia'))
  await waitFor(() => expect(browser.saved).toHaveLength(1))
  expect(screen.queryByRole('alert')).toBeNull()
  await user.click(button('Copia per programmi (JSON)'))
  await waitFor(() => expect(browser.saved).toHaveLength(2))
  expect(sent(api).map(({ body }) => body)).toEqual([
    { phone: '333 1234567' },
    ...Array.from({ length: 3 }, () => ({ phone: PHONE, identity: 'known' })),
  ])
  const [readable, forPrograms] = browser.saved
  expect(readable?.name).toBe('dati-cliente-2026-01-06.html')
  const made = new DOMParser().parseFromString(readable?.text ?? '', 'text/html')
  expect(made.querySelectorAll('script, img')).toHaveLength(0)
  const values = [...made.querySelectorAll('dd')].map(({ textContent }) => textContent)
  expect(values).toContain('+39 333 123 4567')
  expect(values).toContain(copy.orders[0]?.name)
  expect(values).toContain(copy.orders[0]?.notes[0]?.text)
  expect(values).toContain('Buongiorno')
  expect(values).toContain('Reclamo')
  expect(forPrograms?.name).toBe('dati-cliente-2026-01-06.json')
  expect(JSON.parse(forPrograms?.text ?? '')).toEqual(copy)
})

test('a copy that comes when another number is there is not saved', async () => {
  const browser = fakeDownloads()
  const answer = deferred<CustomerDataCopy>()
  const api = server().on(copyCustomerData, () => answer.promise)
  const { user } = await openResult(api)
  await user.click(screen.getByRole('radio', { name: 'Ha mostrato un documento' }))
  await user.click(button('Copia per programmi (JSON)'))
  await screen.findByRole('button', { name: 'Preparazione in corso…' })
  await user.type(await field(), '8')
  answer.resolve(copy)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(browser.held.size).toBe(0)
})

test('an erasure asks first, can be repeated when it fails, and leaves a receipt to print', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  const api = server().on(eraseCustomerData, () => failure('service.unavailable'))
  const { user } = await openResult(api)
  await user.click(button('Elimina i dati'))
  await screen.findByText('Indica come hai verificato chi è.')
  await user.click(screen.getByRole('radio', { name: 'Mi ha contattato da questo numero' }))
  await user.click(button('Elimina i dati'))
  const dialog = within(
    await screen.findByRole('dialog', { name: 'Eliminare i dati di +39 333 123 4567?' }),
  )
  expect(dialog.getByText(/3 ordini diventano anonimi/).textContent).toBe(
    '3 ordini diventano anonimi: restano numero, date e stato. Quello in attesa viene annullato. Le visite restano senza nome, numero e luogo. Messaggi e contatto di WhatsApp si eliminano. È definitivo. Gli ordini in Airtable restano, senza note private: eliminali lì.',
  )
  await user.click(dialog.getByRole('button', { name: 'Elimina i dati' }))
  expect((await dialog.findByRole('alert')).textContent).toContain('non è disponibile')
  api.on(eraseCustomerData, () => ({
    erasedAt: '2026-01-05T07:30:00Z',
    orders: 3,
    prioritySessions: 1,
    messages: 4,
    isContact: true,
    airtableOrders: 2,
  }))
  await user.click(dialog.getByRole('button', { name: 'Elimina i dati' }))
  expect(
    await screen.findByText(
      'Eliminati il 05/01/2026 alle 08:30: 3 ordini, 1 visita, 4 messaggi, il contatto di WhatsApp',
    ),
  ).toBeDefined()
  expect(screen.getByText('2 ordini in Airtable: 1012, 1011')).toBeDefined()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByRole('radio')).toBeNull()
  await focused(await result())
  expect(sent(api).at(-1)?.body).toEqual({ phone: PHONE, identity: 'own_number' })
  await user.click(button('Stampa'))
  expect(print).toHaveBeenCalledOnce()
})

test.each([
  [0, "Non c'era più nulla da eliminare."],
  [2, 'Restano gli ordini in Airtable, senza le note private.'],
])(
  'an erasure that finds nothing any more says so (%i in Airtable)',
  async (airtableOrders, text) => {
    const none = { orders: 0, prioritySessions: 0, messages: 0, isContact: false, airtableOrders }
    const api = server().on(eraseCustomerData, () => ({
      erasedAt: '2026-01-05T07:30:00Z',
      ...none,
    }))
    const { user } = await openResult(api)
    await user.click(screen.getByRole('radio', { name: 'Lo conosco di persona' }))
    await user.click(button('Elimina i dati'))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: 'Elimina i dati' }))
    expect(await screen.findByText(text)).toBeDefined()
  },
)

test('as long as an order is held there is a copy, and no erasure', async () => {
  await openResult(server({ ...counts, heldOrders: 2, heldNumbers: ['1042'] }))
  expect(
    screen.getByText(
      "L'eliminazione è bloccata per 2 ordini: 1042 e un altro. Sbloccala nei dettagli degli ordini, oppure spiega al cliente perché conservi i suoi dati.",
    ),
  ).toBeDefined()
  expect(button('Scarica una copia')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Elimina i dati' })).toBeNull()
})

test('the fields for a prescription are off until an owner has read what they mean', async () => {
  let isOn = false
  const changes: (number | null)[] = []
  const api = server()
    .on(getOwnPharmacy, (): OwnPharmacy => ({ ...pharmacy, features: ['offers'] }))
    .on(getPrescriptionFields, () => ({ isOn }))
    .on(changePrescriptionFields, ({ body }) => {
      changes.push(body.termsVersion)
      if (changes.length === 1) return failure('access.owners_only', 'Solo i titolari.')
      isOn = body.termsVersion !== null
      return { isOn }
    })
  const { user } = renderApp(page, api)
  const section = within(
    await screen.findByRole('region', { name: 'Ricette sulla pagina delle offerte' }),
  )
  await user.click(await section.findByRole('button', { name: 'Leggi e attiva' }))
  const dialog = within(
    await screen.findByRole('dialog', { name: 'Prima di attivare i campi per la ricetta' }),
  )
  dialog.getByText(/Titolare del trattamento è la farmacia/)
  const accept = dialog.getByRole('button', { name: 'Accetto e attivo' })
  expect(inactive(accept)).toBe(true)
  await user.click(dialog.getByRole('checkbox'))
  await user.click(accept)
  await dialog.findByText('Solo i titolari.')
  await user.click(accept)
  await section.findByText('Attive')
  await focused(section.getByRole('button', { name: 'Disattiva' }))
  await user.click(section.getByRole('button', { name: 'Disattiva' }))
  await section.findByText('Non attive')
  expect(changes).toEqual([1, 1, null])
})

test('a pharmacy without offers has no fields for a prescription', async () => {
  renderApp(page, server())
  await field()
  expect(screen.queryByText('Ricette sulla pagina delle offerte')).toBeNull()
})
