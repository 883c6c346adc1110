import { getOrder } from '@bancone/contract/order-details'
import {
  changeOrderLine,
  changeOrdersPickup,
  expectOrderOn,
  keepOrderUntil,
} from '@bancone/contract/order-pickup'
import { listOrders, type OrderPickup, type OrderRecord } from '@bancone/contract/orders'
import { findOrdersWithCode } from '@bancone/contract/scanned-codes'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { detailsOf, orders, pageOf } from '../../../test/fixtures.ts'
import { inactive } from '../../../test/inactive.ts'
import { openDetails } from '../../../test/open-details.ts'
import { pressKeys, scan } from '../../../test/press-keys.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { renderDashboard } from '../../../test/render-page.tsx'
import { failure } from '../../../test/stub-api.ts'

const AT = '2026-01-01T09:30:00Z'
const moments: Record<OrderPickup, Pick<OrderRecord, 'readyAt' | 'collectedAt' | 'putBackAt'>> = {
  none: {},
  ready: { readyAt: AT },
  collected: { readyAt: AT, collectedAt: AT },
  put_back: { readyAt: AT, putBackAt: AT },
}
const stateOf = ({ readyAt, collectedAt, putBackAt }: OrderRecord): OrderPickup =>
  collectedAt ? 'collected' : putBackAt ? 'put_back' : readyAt ? 'ready' : 'none'

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))

/** Three orders, which are marked as asked. */
function server() {
  const stored = new Map(orders(3).map((order) => [order.id, order]))
  function put(recordId: string, to: OrderPickup) {
    const order = stored.get(recordId) ?? gone
    const { id, createdTime, fields, seen } = order
    stored.set(recordId, { id, createdTime, fields, seen, ...moments[to] })
  }
  let isRefusing = false
  const gone = orders(1)[0] as OrderRecord
  const api = serverWith(orders(3))
    .on(listOrders, ({ query }) => pageOf([...stored.values()], query))
    .on(getOrder, ({ params }) => detailsOf(stored.get(params.recordId) ?? gone))
    .on(changeOrdersPickup, ({ body }) => {
      if (isRefusing) return failure('service.unavailable')
      const changed = []
      const left = []
      for (const { recordId, to, was } of body.changes) {
        const order = stored.get(recordId)
        const from = order && stateOf(order)
        if (from === undefined) left.push({ recordId, now: null })
        else if (was !== undefined && was !== from && from !== to)
          left.push({ recordId, now: from })
        else {
          put(recordId, to)
          changed.push({ recordId, from, to })
        }
      }
      return { changed, left }
    })
  const states = () => [...stored.values()].map(stateOf)
  const refuse = (on: boolean) => {
    isRefusing = on
  }
  return { api, put, refuse, states }
}

const row = (n: number) =>
  screen.getByRole('row', { name: new RegExp(`Cliente ${n}\\b`), hidden: true })
const toCollect = () =>
  screen.getByRole('button', { name: /^Da ritirare/ }).parentElement?.textContent

test('an order is ready, collected, and taken back, each by one press', async () => {
  const { api, states } = server()
  const { user, dialog } = await openDetails(api, 2)
  await user.click(within(dialog).getByRole('button', { name: 'Pronto' }))
  await within(dialog).findByText(/^Pronto dal/)
  expect(states()).toEqual(['none', 'ready', 'none'])
  await waitFor(() => expect(row(2).textContent).toContain('Pronto'))
  expect(document.activeElement).toBe(within(dialog).getByRole('group', { name: 'Ritiro' }))
  const collected = within(dialog).getByRole('button', { name: 'Ritirato' })
  fireEvent.click(collected, { detail: 2 })
  expect(inactive(collected)).toBe(false)
  await user.click(collected)
  await within(dialog).findByText(/^Ritirato il/)
  fireEvent.click(await screen.findByRole('button', { name: 'Annulla modifica' }))
  await within(dialog).findByText(/^Pronto dal/)
  await screen.findByText('Ordine 2: modifica annullata')
  await user.click(within(dialog).getByRole('button', { name: 'Non pronto' }))
  await within(dialog).findByRole('button', { name: 'Pronto' })
  expect(states()).toEqual(['none', 'none', 'none'])
})

test('the card counts what is to be collected, and shows only that', async () => {
  const { api, put } = server()
  put(orders(3)[1]?.id ?? '', 'ready')
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 3')
  expect(toCollect()).toBe('1')
  await user.click(screen.getByRole('button', { name: /^Da ritirare/ }))
  await waitFor(() => expect(screen.queryByText('Cliente 3')).toBeNull())
  expect([location.search, screen.getByText('Cliente 2').isConnected]).toEqual(['?ritiro=si', true])
  screen.getByRole('button', { name: /^Stato: Da ritirare/ })
})

test('p and r mark the highlighted order, and the letters of a scanner mark none', async () => {
  const { api, states } = server()
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 3')
  await pressKeys(user, 'j', 'p')
  await screen.findByText('Ordine 3: Pronto')
  await pressKeys(user, 'j', 'r')
  await screen.findByText('Ordine 2: Ritirato')
  expect(states()).toEqual(['ready', 'collected', 'none'])
  await scan(user, 'prpr')
  expect(states()).toEqual(['ready', 'collected', 'none'])
})

test('the selected orders are marked together, and each goes back to what it was', async () => {
  const { api, put, states } = server()
  put(orders(3)[0]?.id ?? '', 'ready')
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 3')
  for (const n of [3, 2])
    await user.click(screen.getByRole('checkbox', { name: `Seleziona ordine ${n}` }))
  const bar = within(await screen.findByRole('region', { name: 'Ordini selezionati' }))
  await user.click(bar.getByRole('button', { name: 'Ritirato' }))
  await screen.findByText('2 ordini: Ritirato')
  expect(states()).toEqual(['collected', 'collected', 'none'])
  fireEvent.click(screen.getByRole('button', { name: 'Annulla modifica' }))
  await screen.findByText('2 ordini: modifica annullata')
  expect(states()).toEqual(['ready', 'none', 'none'])
})

test('what a colleague has changed meanwhile stays', async () => {
  const { api, put, states } = server()
  const { user, dialog } = await openDetails(api, 3)
  put(orders(3)[0]?.id ?? '', 'collected')
  await user.click(within(dialog).getByRole('button', { name: 'Pronto' }))
  await screen.findByText('Ordine 3: niente è cambiato')
  await within(dialog).findByText(/^Ritirato il/)
  expect(states()[0]).toBe('collected')
})

test('what was not saved is said, and tried again', async () => {
  const { api, refuse, states } = server()
  refuse(true)
  const { user, dialog } = await openDetails(api, 3)
  await user.click(within(dialog).getByRole('button', { name: 'Pronto' }))
  await screen.findByText('Ordine 3: modifica non salvata')
  refuse(false)
  fireEvent.click(screen.getByRole('button', { name: 'Riprova' }))
  await within(dialog).findByText(/^Pronto dal/)
  expect(states()).toEqual(['ready', 'none', 'none'])
})

test('the slip of a ready order opens it, and read again marks it collected', async () => {
  const { api, put, states } = server()
  const [first] = orders(3)
  put(first?.id ?? '', 'ready')
  api.on(findOrdersWithCode, () => ({
    orders: [{ ...(first as OrderRecord), ...moments[states()[0] ?? 'none'] }],
  }))
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 3')
  const slip = first?.id ?? ''
  await scan(user, slip)
  const dialog = within(await screen.findByRole('dialog', { name: 'Dettaglio Ordine' }))
  await dialog.findByText(/^Pronto dal/)
  await scan(user, slip)
  await dialog.findByText(/^Ritirato il/)
  await scan(user, slip)
  await dialog.findByText(/^Ritirato il/)
  expect(states()).toEqual(['collected', 'none', 'none'])
})

/** An order whose text names three products, and the server's answers about its lines. */
function serverWithLines() {
  const [first] = orders(1)
  const text = '\nBuongiorno, vorrei:\n- Olio\n- Garze\n\nCerotti\nGrazie'
  let stored: OrderRecord = {
    ...(first as OrderRecord),
    fields: { ...(first as OrderRecord).fields, Ordine: text },
  }
  const asked: unknown[] = []
  let isChanged = false
  const api = serverWith([])
    .on(listOrders, ({ query }) => pageOf([stored], query))
    .on(getOrder, () => detailsOf(stored))
    .on(changeOrderLine, ({ body: { place, text: line, isThere } }) => {
      if (isChanged) return failure('orders.lines_changed')
      asked.push([place, line, isThere])
      const from = stateOf(stored)
      const { partly, readyAt, ...order } = stored
      const there = new Set(readyAt ? [2, 3, 5] : partly?.there)
      if (isThere) there.add(place)
      else there.delete(place)
      stored =
        there.size === 3
          ? { ...order, ...moments.ready }
          : { ...order, ...(there.size > 0 && { partly: { there: [...there], total: 3 } }) }
      return { from, to: stateOf(stored) }
    })
    .on(expectOrderOn, ({ body }) => {
      stored = { ...stored, expectedOn: body.day ?? undefined }
      return {}
    })
  const change = () => (isChanged = true)
  return { api, asked, change }
}

const boxes = (dialog: HTMLElement) =>
  within(dialog)
    .getAllByRole<HTMLInputElement>('checkbox')
    .map(({ checked, labels }) => [labels?.[0]?.textContent, checked])

test('the lines of an order are marked one by one, and with the last one it is ready', async () => {
  const { api, asked } = serverWithLines()
  const { user, dialog } = await openDetails(api, 1)
  const box = (name: string) => within(dialog).getByRole('checkbox', { name })
  within(dialog).getByText('0 di 3 pronti')
  await user.click(box('- Olio'))
  await within(dialog).findByText('1 di 3 pronti')
  fireEvent.change(within(dialog).getByLabelText('Il resto atteso il'), {
    target: { value: '2099-11-30' },
  })
  await screen.findByText('Ordine 1: atteso il 30/11/2099')
  await waitFor(() => expect(row(1).textContent).toMatch('1 di 3 prontiatteso lun 30'))
  await user.click(box('Cerotti'))
  await within(dialog).findByText('2 di 3 pronti')
  expect(boxes(dialog)).toEqual([
    ['- Olio', true],
    ['- Garze', false],
    ['Cerotti', true],
  ])
  await user.click(box('- Garze'))
  await within(dialog).findByText(/^Pronto dal/)
  await waitFor(() => expect(row(1).textContent).not.toContain('atteso'))
  fireEvent.click(screen.getByRole('button', { name: 'Annulla modifica' }))
  await within(dialog).findByText('2 di 3 pronti')
  expect(asked).toEqual([
    [2, '- Olio', true],
    [5, 'Cerotti', true],
    [3, '- Garze', true],
    [3, '- Garze', false],
  ])
})

test('a line that has another text by now is not marked', async () => {
  const { api, change } = serverWithLines()
  const { user, dialog } = await openDetails(api, 1)
  change()
  await user.click(within(dialog).getByRole('checkbox', { name: 'Cerotti' }))
  await screen.findByText("L'ordine è cambiato: controlla le righe.")
  await waitFor(() => expect(boxes(dialog).every(([, checked]) => checked === false)).toBe(true))
})

test('an order of one line has nothing to mark but itself', async () => {
  const { api } = server()
  const { dialog } = await openDetails(api, 3)
  within(dialog).getByRole('button', { name: 'Pronto' })
  expect(within(dialog).queryByRole('group', { name: 'Righe pronte' })).toBeNull()
})

test('an order whose customer does not come is kept until a day, or goes back to the shelves', async () => {
  const { api, put, states } = server()
  put(orders(3)[0]?.id ?? '', 'ready')
  const kept: unknown[] = []
  api.on(keepOrderUntil, ({ params, body }) => {
    kept.push([params.recordId, body.until])
    return {}
  })
  const { user, dialog } = await openDetails(api, 3)
  const day = within(dialog).getByLabelText<HTMLInputElement>('Tieni fino al')
  fireEvent.change(day, { target: { value: '2000-12-05' } })
  fireEvent.blur(day)
  await screen.findByText('Ordine 3: data non salvata')
  expect([day.value, kept]).toEqual(['', []])
  fireEvent.change(day, { target: { value: '2099-12-05' } })
  await screen.findByText('Ordine 3: tenuto fino al 05/12/2099')
  expect(kept).toEqual([[orders(3)[0]?.id, '2099-12-05']])
  await user.click(within(dialog).getByRole('button', { name: 'Rimesso a posto' }))
  await within(dialog).findByText(/^Rimesso a posto il/)
  expect(states()[0]).toBe('put_back')
  await user.click(within(dialog).getByRole('button', { name: 'Di nuovo pronto' }))
  await within(dialog).findByText(/^Pronto dal/)
})
