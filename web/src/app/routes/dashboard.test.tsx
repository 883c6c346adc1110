import { listOrders } from '@bancone/contract/orders'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { order, orders, pageOf, pharmacy } from '../../../test/fixtures.ts'
import { inactive } from '../../../test/inactive.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { renderDashboard } from '../../../test/render-page.tsx'
import { deferred, failure } from '../../../test/stub-api.ts'
import { setViewport } from '../../../test/viewport.ts'
import { endpointKey } from '../../lib/endpoint-query.ts'

const first = { page: 1, pageSize: 20 }
const loadError = 'Si è verificato un errore nel caricamento degli ordini. Riprova più tardi.'
const refreshError = "Si è verificato un errore nell'aggiornamento degli ordini. Riprova più tardi."

const refreshButton = () => screen.getByRole('button', { name: 'Aggiorna' })

test('shows the orders under the columns of the table', async () => {
  renderApp('/', serverWith(orders(3)))
  await screen.findByText('Cliente 3')
  const heads = screen.getAllByRole('columnheader').map((head) => head.textContent)
  expect(heads).toEqual([
    'ID/Ordine',
    'Cliente',
    'Data',
    'Indirizzo',
    'Prodotto Richiesto',
    'Immagine',
    'Stato',
    'Azioni',
  ])
  expect(screen.getAllByRole('rowheader').map((head) => head.textContent)).toEqual(['3', '2', '1'])
  expect(screen.getByText('01/01/2026 09:03')).toBeDefined()
  expect(document.title).toBe('Ordini · Bancone')
})

test('an image is a link only when it leads to the web', async () => {
  const list = [
    order(3, { Image: 'https://example.com/ricetta.jpg' }),
    order(2, { Image: 'javascript:alert(1)' }),
    order(1),
  ]
  renderDashboard('/', serverWith(list))
  const link = await screen.findByRole('link', { name: /^Visualizza/ })
  expect(link.getAttribute('href')).toBe('https://example.com/ricetta.jpg')
  expect(link.getAttribute('target')).toBe('_blank')
  expect(link.getAttribute('rel')).toBe('noopener noreferrer')
  expect(screen.getAllByText('Non disponibile')).toHaveLength(2)
})

test('a failed first reading is an alert, and Riprova reads again', async () => {
  const api = serverWith([]).on(listOrders, () => failure('internal'))
  const { user } = renderDashboard('/', api)
  expect((await screen.findByRole('alert')).textContent).toContain(loadError)
  expect(screen.queryByRole('table')).toBeNull()
  api.on(listOrders, ({ query }) => pageOf(orders(1), query))
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  expect(await screen.findByText('Cliente 1')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a failed refresh is an alert of its own, and the rows stay', async () => {
  const api = serverWith(orders(2))
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 2')
  api.on(listOrders, () => failure('internal'))
  await user.click(refreshButton())
  expect((await screen.findByRole('alert')).textContent).toContain(refreshError)
  expect(screen.getByText('Cliente 2')).toBeDefined()
})

test('an error with the orders makes the pharmacy be asked again', async () => {
  const api = serverWith(orders(1))
  const { user } = renderApp('/', api)
  await screen.findByText('Cliente 1')
  api.on(listOrders, () => failure('pharmacy.inactive'))
  api.on(getOwnPharmacy, () => failure('pharmacy.inactive'))
  await user.click(refreshButton())
  expect(await screen.findByRole('heading', { name: 'La farmacia non è attiva.' })).toBeDefined()
})

test('Aggiorna rests while loading, keeps the focus, and the old rows stay meanwhile', async () => {
  const api = serverWith(orders(2))
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 2')
  const answer = deferred<ReturnType<typeof pageOf>>()
  api.on(listOrders, () => answer.promise)
  await user.click(refreshButton())
  await waitFor(() => expect(inactive(refreshButton())).toBe(true))
  const asked = api.requests.length
  await user.click(refreshButton())
  expect(api.requests.length).toBe(asked)
  expect(document.activeElement).toBe(refreshButton())
  expect(screen.getByText('Cliente 2')).toBeDefined()
  answer.resolve(pageOf(orders(3), first))
  await screen.findByText('Cliente 3')
  expect(inactive(refreshButton())).toBe(false)
})

test('a stale copy and waiting changes are told calmly', async () => {
  const syncedAt = '2026-01-05T07:30:00Z'
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const freshness = { stale: true, syncedAt, pendingChanges: 2 }
  const api = serverWith([]).on(listOrders, ({ query }) => pageOf(orders(1), query, freshness))
  renderDashboard('/', api)
  await screen.findByText('Cliente 1')
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  const notice = screen.getByText(/Airtable non risponde/).closest('[role]')
  expect(notice?.getAttribute('role')).toBe('status')
  expect(notice?.textContent).toContain('la copia delle 08:30 del 05/01/2026')
  expect(notice?.textContent).toContain('2 modifiche sono in attesa di invio ad Airtable')
})

test('a change that is sent within seconds moves nothing', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let pendingChanges = 1
  const api = serverWith([]).on(listOrders, ({ query }) =>
    pageOf(orders(1), query, { pendingChanges }),
  )
  renderDashboard('/', api)
  await screen.findByText('Cliente 1')
  const isShown = () => screen.queryByText(/in attesa di invio ad Airtable/) !== null
  expect(isShown()).toBe(false)
  const readAgain = async (waiting: number) => {
    pendingChanges = waiting
    fireEvent.click(refreshButton())
    await waitFor(() => expect(inactive(refreshButton())).toBe(false))
  }
  await readAgain(0)
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  expect(isShown()).toBe(false)
  await readAgain(1)
  expect(isShown()).toBe(false)
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  expect(isShown()).toBe(true)
  await readAgain(0)
  await waitFor(() => expect(isShown()).toBe(false))
})

test('a copy that is old because of Bancone does not blame Airtable', async () => {
  const freshness = { stale: true, syncedAt: null, trouble: 'internal' } as const
  const api = serverWith([]).on(listOrders, ({ query }) => pageOf(orders(1), query, freshness))
  renderDashboard('/', api)
  const notice = await screen.findByText(/la pagina mostra l'ultima copia salvata/)
  expect(notice.textContent).toMatch(/^Airtable risponde, ma Bancone non riesce a salvare/)
})

test('on a phone the orders are cards with the same data and controls', async () => {
  setViewport('narrow')
  renderDashboard('/', serverWith([order(7, { Ordine: 'Cerotti', Indirizzo: 'Via Roma 1' })]))
  const card = (await screen.findByText('Cliente 7')).closest('li')
  expect(screen.queryByRole('table')).toBeNull()
  if (!card) throw new Error('no card')
  expect(card.textContent).toContain('01/01/2026 09:07')
  expect(card.textContent).toContain('Via Roma 1')
  expect(card.textContent).toContain('Cerotti')
  expect(within(card).getByRole('combobox', { name: 'Stato ordine 7' })).toBeDefined()
  expect(within(card).getByRole('button', { name: 'Dettagli ordine 7' })).toBeDefined()
})

test('a pharmacy already known that cannot be read again is no matter to complain of', async () => {
  const api = serverWith(orders(1))
  const { user, client } = renderApp('/', api)
  await screen.findByText('Cliente 1')
  api.on(listOrders, () => failure('internal')).on(getOwnPharmacy, () => failure('internal'))
  await user.click(refreshButton())
  expect((await screen.findByRole('alert')).textContent).toContain(refreshError)
  await waitFor(() => {
    expect(client.getQueryState(endpointKey(getOwnPharmacy, {}))?.status).toBe('error')
  })
  expect(screen.queryByText('Errore nel recupero dei dati della farmacia')).toBeNull()
  expect(screen.getByRole('button', { name: pharmacy.name })).toBeDefined()
})
