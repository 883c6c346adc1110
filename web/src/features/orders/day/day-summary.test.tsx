import { listOrders, type OrderRecord } from '@bancone/contract/orders'
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { order, orders, pageOf } from '../../../../test/fixtures.ts'
import { inactive } from '../../../../test/inactive.ts'
import { renderApp, serverWith } from '../../../../test/render-app.tsx'
import { deferred, type StubApi } from '../../../../test/stub-api.ts'
import { setViewport } from '../../../../test/viewport.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-21T09:00:00Z') })
})

const due = order(5, { Cliente: 'Ieri Per Oggi', Stato: 'Prenotato Domani' })
const ofDay = [
  order(12, { Stato: 'Confermato', 'Phone Number': '+39 333 1', Ordine: 'Cerotti' }),
  order(13, { Stato: 'In attesa', Indirizzo: 'Via Roma 1' }),
  order(14, { Stato: 'Da richiamare' }),
  order(15, { Stato: 'In attesa' }),
]

/** A server with orders of the 21st, and one of the 20th that was booked for the day after. */
function server(
  made: OrderRecord[] = ofDay,
  booked: OrderRecord[] = [due],
  waiting: OrderRecord[] = [],
): StubApi {
  return serverWith([]).on(listOrders, ({ query }) => {
    if (!query.dal && query.al === '2026-01-20' && query.stato?.join() === 'In attesa') {
      return pageOf(waiting, query)
    }
    if (query.dal === '2026-01-21' && query.al === query.dal && !query.stato) {
      return pageOf(made, query)
    }
    const before = query.dal === '2026-01-20' && query.stato?.join() === 'Prenotato Domani'
    return pageOf(before ? booked : [], query)
  })
}

const heading = () => screen.findByRole('heading', { name: 'Riepilogo del giorno' })
const sections = () =>
  screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)

test('today is shown: what is due first, then the orders by status', async () => {
  renderApp('/orders/day', server())
  await heading()
  await screen.findByText('Ieri Per Oggi')
  expect(screen.getByText('mercoledì 21 gennaio 2026')).toBeDefined()
  expect(sections()).toEqual([
    'Da consegnare oggi1 ordine del giorno prima',
    'In attesa2 ordini',
    'Confermato1 ordine',
    'Da richiamare1 ordine',
  ])
  const totals = screen.getAllByRole('term').map((term) => {
    return [term.textContent, term.nextElementSibling?.textContent]
  })
  expect(totals).toEqual([
    ['Totale', '4'],
    ['In attesa', '2'],
    ['Confermato', '1'],
    ['Da richiamare', '1'],
  ])
  const confirmed = within(screen.getByRole('table', { name: 'Ordini: Confermato' }))
  const cells = confirmed.getAllByRole('cell').map(({ textContent }) => textContent)
  expect(confirmed.getByRole('rowheader').textContent).toBe('12')
  expect(cells).toEqual(['09:12', 'Cliente 12', '+39 333 1', 'Cerotti', 'Non indicato'])
  expect(document.title).toBe('Riepilogo del giorno · Bancone')
})

test('today holds what still waits from the days before, with its day, and another day does not', async () => {
  const { user } = renderApp('/orders/day', server([], [], orders(120)))
  await screen.findByText('Cliente 120')
  expect(sections()).toEqual(['Ancora in attesa120 ordini dei giorni prima: qui i 100 più recenti'])
  const table = within(screen.getByRole('table', { name: 'Ancora in attesa' }))
  expect(table.getByRole('columnheader', { name: 'Data' })).toBeDefined()
  expect(table.getAllByText(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/)).toHaveLength(100)
  await user.click(screen.getByRole('link', { name: 'Giorno precedente' }))
  expect(await screen.findByText('Nessun ordine in questo giorno')).toBeDefined()
})

test('today counts what is to be collected, and leads to those orders', async () => {
  const page = pageOf([], { page: 1, pageSize: 100 })
  const statistics = { ...page.statistics, toCollect: 12, overdue: 3 }
  const api = server().on(listOrders, () => ({ ...page, statistics }))
  const { user } = renderApp('/orders/day', api)
  const link = await screen.findByRole('link', { name: 'Da ritirare' })
  expect(link.closest('div')?.textContent).toBe('Da ritirare12')
  expect(link.getAttribute('href')).toBe('/?ritiro=si')
  const overdue = screen.getByRole('link', { name: 'Non ritirati' })
  expect(overdue.closest('div')?.textContent).toBe('Non ritirati3')
  expect(overdue.getAttribute('href')).toBe('/?ritiro=scaduti')
  await user.click(screen.getByRole('link', { name: 'Giorno precedente' }))
  await screen.findByText('martedì 20 gennaio 2026')
  expect(screen.queryByRole('link', { name: 'Da ritirare' })).toBeNull()
})

test('a day of more than a hundred orders is read to its end', async () => {
  const api = server(orders(250), [])
  renderApp('/orders/day', api)
  expect(await screen.findByText('Cliente 1')).toBeDefined()
  expect(screen.getByText('Cliente 250')).toBeDefined()
  const asked = api.requests.filter(({ path }) => path.includes('dal=2026-01-21'))
  expect(asked.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('page'))).toEqual([
    '1',
    '2',
    '3',
  ])
})

test('one goes from day to day, and the address says which', async () => {
  const { user } = renderApp('/orders/day?giorno=2026-01-22', server())
  expect(await screen.findByText('Nessun ordine in questo giorno')).toBeDefined()
  const before = screen.getByRole('link', { name: 'Giorno precedente' })
  await user.click(before)
  await screen.findByText('Ieri Per Oggi')
  expect(location.search).toBe('?giorno=2026-01-21')
  expect(document.activeElement).toBe(before)
  expect(screen.queryByRole('link', { name: 'Oggi' })).toBeNull()
  await user.click(before)
  await user.click(screen.getByRole('link', { name: 'Oggi' }))
  expect(location.search).toBe('')
  expect(await screen.findByRole('heading', { name: /^Da consegnare oggi/ })).toBeDefined()
})

test('a day that is none is today', async () => {
  renderApp('/orders/day?giorno=2026-02-30', server())
  expect(await screen.findByText('mercoledì 21 gennaio 2026')).toBeDefined()
})

test('what is due on another day is said to be so', async () => {
  vi.setSystemTime(Date.parse('2026-01-02T09:00:00Z'))
  renderApp('/orders/day?giorno=2026-01-21', server([]))
  expect(await screen.findByRole('heading', { name: /^Da consegnare in questo/ })).toBeDefined()
})

test('Stampa prints, once there is something to print', async () => {
  const print = vi.spyOn(window, 'print').mockReturnValue(undefined)
  const answer = deferred<ReturnType<typeof pageOf>>()
  const api = server().on(listOrders, () => answer.promise)
  const { user } = renderApp('/orders/day', api)
  await heading()
  const button = screen.getByRole('button', { name: 'Stampa' })
  expect(inactive(button)).toBe(true)
  expect(screen.getByText('Caricamento del riepilogo in corso…')).toBeDefined()
  await user.click(button)
  expect(print).not.toHaveBeenCalled()
  answer.resolve(pageOf(ofDay, { page: 1, pageSize: 100 }))
  await screen.findAllByText('Cliente 12')
  await user.click(button)
  expect(print).toHaveBeenCalledOnce()
})

test('on a phone the orders are cards', async () => {
  setViewport('narrow')
  renderApp('/orders/day', server())
  await screen.findByText('Ieri Per Oggi')
  expect(screen.queryByRole('table')).toBeNull()
  const card = screen.getByText('Cliente 12').closest('li')
  expect(card?.textContent).toContain('+39 333 1')
})

test('the sheet has no codes of prescriptions, in a table and in cards', async () => {
  const fields = { Cliente: 'Anna rssmra79b11c566r', Ordine: 'Oki, NRE 1300A 4000000248' }
  const made = [order(12, fields)]
  for (const width of ['wide', 'narrow'] as const) {
    setViewport(width)
    const { unmount, container } = renderApp('/orders/day', server(made, []))
    await screen.findByText('Oki, NRE [codice]')
    expect(container.textContent).toContain('Anna [codice]')
    expect(container.textContent).not.toMatch(/1300A|4000000248|rssmra/i)
    unmount()
  }
})
