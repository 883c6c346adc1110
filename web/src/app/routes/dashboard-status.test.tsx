import {
  changeOrderStatus,
  listOrders,
  type OrderRecord,
  OrderStatus,
} from '@bancone/contract/orders'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { order, orders, pageOf, sessionOf } from '../../../test/fixtures.ts'
import { inactive } from '../../../test/inactive.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { renderDashboard } from '../../../test/render-page.tsx'
import { deferred, failure } from '../../../test/stub-api.ts'
import { pharmacySession } from '../../lib/session.ts'

const select = (n: number) =>
  screen.getByRole<HTMLSelectElement>('combobox', { name: `Stato ordine ${n}` })
const details = (n: number) => screen.getByRole('button', { name: `Dettagli ordine ${n}` })

test('the status can be set to any of the five, a word of the store that is none of them cannot', async () => {
  renderDashboard('/', serverWith([order(2, { Stato: 'Da verificare' }), order(1)]))
  await screen.findByText('Cliente 1')
  const options = (n: number) => within(select(n)).getAllByRole<HTMLOptionElement>('option')
  expect(options(1).map(({ value }) => value)).toEqual(OrderStatus.options)
  expect([select(2).value, options(2)[0]?.disabled]).toEqual(['Da verificare', true])
})

test('a change shows at once, holds the controls of its row, and reads the page again', async () => {
  const answer = deferred<OrderRecord>()
  const api = serverWith(orders(2)).on(changeOrderStatus, () => answer.promise)
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 2')

  await user.selectOptions(select(2), 'Confermato')
  expect(select(2).value).toBe('Confermato')
  expect([inactive(select(2)), inactive(details(2))]).toEqual([true, true])
  expect([inactive(select(1)), inactive(details(1))]).toEqual([false, false])
  expect(api.requests.at(-1)).toMatchObject({
    method: 'PATCH',
    path: '/api/airtable-orders/rec000002?was=In+attesa',
    body: { fields: { Stato: 'Confermato' } },
    keepalive: true,
  })

  const changed = order(2, { Stato: 'Confermato' })
  const reads = () => api.requests.filter(({ path }) => path.includes('page=1')).length
  const before = reads()
  api.on(listOrders, ({ query }) => pageOf([changed, order(1)], query))
  answer.resolve(changed)
  await waitFor(() => expect(inactive(select(2))).toBe(false))
  expect(select(2).value).toBe('Confermato')
  await waitFor(() => expect(reads()).toBe(before + 1))
  await waitFor(() => {
    expect(screen.getByText('Ordini Confermati').closest('div')?.textContent).toContain('1')
  })
})

test('two rows can be changed at the same time', async () => {
  const answers = new Map([1, 2].map((n) => [order(n).id, deferred<OrderRecord>()]))
  const api = serverWith(orders(2)).on(changeOrderStatus, ({ params }) => {
    return answers.get(params.recordId)?.promise ?? failure('orders.not_found')
  })
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 2')
  await user.selectOptions(select(1), 'Annullato')
  await user.selectOptions(select(2), 'Confermato')

  const changed = order(2, { Stato: 'Confermato' })
  api.on(listOrders, ({ query }) => pageOf([changed, order(1)], query))
  answers.get(changed.id)?.resolve(changed)
  await waitFor(() => expect(inactive(select(2))).toBe(false))
  expect([select(1).value, inactive(select(1))]).toEqual(['Annullato', true])
  answers.get(order(1).id)?.resolve(order(1, { Stato: 'Annullato' }))
  await waitFor(() => expect(inactive(select(1))).toBe(false))
})

test.each([
  ['internal', /Riprova più tardi/],
  ['orders.source_refused', /Airtable ha rifiutato la modifica/],
] as const)('after the failure %s the row goes back and a toast says so', async (code, why) => {
  const api = serverWith(orders(1)).on(changeOrderStatus, () => failure(code))
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 1')
  await user.selectOptions(select(1), 'Annullato')
  expect(await screen.findByText("Impossibile aggiornare lo stato dell'ordine")).toBeDefined()
  expect(screen.getByText(why)).toBeDefined()
  expect([select(1).value, inactive(select(1))]).toEqual(['In attesa', false])
})

test('while its row is being updated, neither the row nor its image leads anywhere', async () => {
  const answer = deferred<OrderRecord>()
  const image = order(1, { Image: 'https://example.com/a.jpg' })
  const api = serverWith([image]).on(changeOrderStatus, () => answer.promise)
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 1')
  await user.selectOptions(select(1), 'Confermato')
  const row = screen.getByText('Cliente 1').closest('tr')
  expect([row?.dataset['state'], row?.getAttribute('aria-busy')]).toEqual(['updating', 'true'])
  await user.click(screen.getByText('Cliente 1'))
  await user.click(details(1))
  const link = screen.getByRole('link', { name: /^Visualizza/ })
  expect([inactive(link), fireEvent.click(link)]).toEqual([true, false])
  expect(screen.queryByRole('dialog')).toBeNull()

  answer.resolve(order(1, { Stato: 'Confermato' }))
  await waitFor(() => expect(row?.dataset['state']).toBe('changed'))
  await user.click(screen.getByText('Cliente 1'))
  expect(await screen.findByRole('dialog')).toBeDefined()
  expect(row?.dataset['state']).toBe('opened')
})

test('the control keeps the focus while its change is on the way', async () => {
  const answer = deferred<OrderRecord>()
  const api = serverWith(orders(1)).on(changeOrderStatus, () => answer.promise)
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 1')
  select(1).focus()
  await user.selectOptions(select(1), 'Confermato')
  expect(inactive(select(1))).toBe(true)
  expect(document.activeElement).toBe(select(1))
  expect(fireEvent.keyDown(select(1), { key: 'a' })).toBe(false)
  expect(fireEvent.keyDown(select(1), { key: 'Tab' })).toBe(true)
})

test('a key on the closed list opens it and changes nothing', async () => {
  const opened = vi.fn<() => void>()
  HTMLSelectElement.prototype.showPicker = opened
  onTestFinished(() => {
    Reflect.deleteProperty(HTMLSelectElement.prototype, 'showPicker')
  })
  renderDashboard('/', serverWith(orders(1)))
  await screen.findByText('Cliente 1')
  const goesOn = (key: string, modifiers = {}) =>
    fireEvent.keyDown(select(1), { key, ...modifiers })
  const held = ['ArrowUp', 'ArrowDown', 'ArrowRight', 'Home', 'End', ' ']
  expect(held.map((key) => goesOn(key))).toEqual(held.map(() => false))
  expect(opened).toHaveBeenCalledTimes(held.length)
  expect([goesOn('Tab'), goesOn('Escape'), goesOn('r', { ctrlKey: true })]).toEqual([
    true,
    true,
    true,
  ])
  expect(opened).toHaveBeenCalledTimes(held.length)
})

test('a change is confirmed, and can be taken back', async () => {
  let stored: OrderRecord[] = orders(2)
  const api = serverWith([])
    .on(listOrders, ({ query }) => pageOf(stored, query))
    .on(changeOrderStatus, ({ params, body }) => {
      const changed = order(params.recordId === order(2).id ? 2 : 1, body.fields)
      stored = stored.map((old) => (old.id === changed.id ? changed : old))
      return changed
    })
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 2')
  await user.selectOptions(select(1), 'Annullato')
  await screen.findByText('Ordine 1: Annullato')
  await user.selectOptions(select(2), 'Confermato')
  const result = await screen.findByText('Ordine 2: Confermato')
  expect(result.closest('[aria-live="polite"]')).not.toBeNull()
  // Sooner than it would go by itself.
  await waitFor(() => expect(screen.queryByText('Ordine 1: Annullato')).toBeNull(), {
    timeout: 3_000,
  })

  // A plain click: jsdom lacks what the library needs to follow a finger on a toast.
  fireEvent.click(screen.getByRole('button', { name: 'Annulla modifica' }))
  await screen.findByText('Ordine 2: In attesa')
  expect(document.activeElement).toBe(select(2))
  expect(select(2).value).toBe('In attesa')
  const sent = api.requests.flatMap(({ method, body }) => (method === 'PATCH' ? [body] : []))
  expect(sent.at(-1)).toEqual({ fields: { Stato: 'In attesa' } })
})

test('a failed change stays on screen until it is tried again, and names only its number', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const api = serverWith(orders(1)).on(changeOrderStatus, () => failure('internal'))
  renderDashboard('/', api)
  await screen.findByText('Cliente 1')
  fireEvent.change(select(1), { target: { value: 'Annullato' } })
  const toast = (await screen.findByText(/^Ordine 1: .*Riprova più tardi/)).closest('li')
  expect(toast?.textContent).not.toContain('Cliente')
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  if (!toast) throw new Error('no toast')
  expect(within(toast).getByRole('button', { name: "Chiudi l'avviso" })).toBeDefined()

  // It fails again: the old toast goes, the new one stays.
  fireEvent.click(within(toast).getByRole('button', { name: 'Riprova' }))
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  expect(screen.getAllByText("Impossibile aggiornare lo stato dell'ordine")).toHaveLength(1)
  api.on(changeOrderStatus, () => order(1, { Stato: 'Annullato' }))
  fireEvent.click(screen.getByRole('button', { name: 'Riprova' }))
  await screen.findByText('Ordine 1: Annullato')
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  expect(screen.queryByText("Impossibile aggiornare lo stato dell'ordine")).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(screen.queryByText('Ordine 1: Annullato')).toBeNull()
})

/** Whether the browser asks before the page is closed. */
function leave(): boolean {
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented
}

test('a change made without a connection waits for it, and is sent then', async () => {
  const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  onTestFinished(() => network.mockRestore())
  let tries = 0
  const api = serverWith(orders(1)).on(changeOrderStatus, () => {
    tries += 1
    throw new TypeError('fetch failed')
  })
  const { user } = renderDashboard('/', api)
  await screen.findByText('Cliente 1')
  await user.selectOptions(select(1), 'Annullato')
  expect(await screen.findByText('Ordine 1: «Annullato» in attesa di invio')).toBeDefined()
  expect([select(1).value, inactive(select(1)), leave()]).toEqual(['Annullato', true, true])

  // The network comes before the server can be reached.
  fireEvent(window, new Event('online'))
  await waitFor(() => expect(tries).toBe(2))
  network.mockReturnValue(true)
  api.on(changeOrderStatus, () => order(1, { Stato: 'Annullato' }))
  await waitFor(() => {
    fireEvent(window, new Event('online'))
    expect(screen.getByText('Ordine 1: Annullato')).toBeDefined()
  })
  expect([inactive(select(1)), leave()]).toEqual([false, false])
})

describe('a change that waits for a connection', () => {
  /** The statuses that were sent. */
  const sent: unknown[] = []

  async function waiting() {
    const network = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    onTestFinished(() => network.mockRestore())
    sent.length = 0
    const api = serverWith(orders(1)).on(changeOrderStatus, ({ body }) => {
      if (!navigator.onLine) throw new TypeError('fetch failed')
      sent.push(body.fields.Stato)
      return order(1, { Stato: 'Annullato' })
    })
    const { user, unmount } = renderDashboard('/', api)
    await screen.findByText('Cliente 1')
    await user.selectOptions(select(1), 'Annullato')
    await screen.findByText('Ordine 1: «Annullato» in attesa di invio')
    function connect() {
      network.mockReturnValue(true)
      fireEvent(window, new Event('online'))
    }
    return { unmount, connect }
  }

  test('outlives the list of orders', async () => {
    const { unmount, connect } = await waiting()
    unmount()
    expect(leave()).toBe(true)
    connect()
    await waitFor(() => expect(sent).toEqual(['Annullato']))
    expect(leave()).toBe(false)
  })

  test('is not sent by another user', async () => {
    const { connect } = await waiting()
    act(() => pharmacySession.signOut())
    await waitFor(() => expect(pharmacySession.current()).toBeNull())
    expect(leave()).toBe(false)
    act(() => pharmacySession.setSession(sessionOf(crypto.randomUUID())))
    connect()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(sent).toEqual([])
  })
})
