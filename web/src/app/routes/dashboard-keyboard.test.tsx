import { getOrder } from '@bancone/contract/order-details'
import { changeOrderStatus, listOrders, type OrderRecord } from '@bancone/contract/orders'
import { listReplyTexts } from '@bancone/contract/reply-texts'
import { findOrdersWithCode } from '@bancone/contract/scanned-codes'
import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { detailsOf, order, orders, pageOf } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { orderStore } from '../../../test/order-store.ts'
import { pressKeys, scan } from '../../../test/press-keys.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { renderDashboard } from '../../../test/render-page.tsx'
import { deferred, failure } from '../../../test/stub-api.ts'

const select = (n: number) =>
  screen.getByRole<HTMLSelectElement>('combobox', { name: `Stato ordine ${n}` })
const box = (n: number) =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: `Seleziona ordine ${n}` })
const row = (n: number) => screen.getByRole('row', { name: new RegExp(`Cliente ${n}\\b`) })
/** The number of the order whose row has the focus; null when none has. */
const current = () =>
  document.activeElement?.matches('tr') && document.activeElement.querySelector('th')?.textContent
const sent = (api: ReturnType<typeof serverWith>) =>
  api.requests.flatMap(({ method, body }) => (method === 'PATCH' ? [body] : []))

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))

async function dashboard(list: OrderRecord[], path = '/') {
  const store = orderStore(list)
  const listening = vi.spyOn(document, 'addEventListener')
  const view = renderDashboard(path, store.api)
  await screen.findByText(`Cliente ${list[0]?.fields['ID Ordine']}`)
  // Their code comes after the page: a key pressed before that does nothing.
  await waitFor(() => expect(listening).toHaveBeenCalledWith('focusin', expect.any(Function)))
  listening.mockRestore()
  return { ...view, store }
}

test('j and k go through the orders and stay at the ends, and Tab leads to the controls of the row', async () => {
  const { user } = await dashboard(orders(3))
  const ways = []
  for (const key of ['j', 'j', 'j', 'j', 'k', 'k', 'k']) {
    await pressKeys(user, key)
    ways.push(current())
  }
  expect(ways).toEqual(['3', '2', '1', '1', '2', '3', '3'])
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Seleziona ordine 3' }))
  await pressKeys(user, 'j')
  expect(current()).toBe('2')
  await pressKeys(user, 'x')
  expect([box(2).checked, current()]).toEqual([true, '2'])
  await pressKeys(user, 'x')
  expect(box(2).checked).toBe(false)
})

test('at the end of the page j turns to the next, and k back again', async () => {
  const { user } = await dashboard(orders(4), '/?pageSize=2')
  row(3).focus()
  await pressKeys(user, 'j')
  await screen.findByText('Cliente 2')
  await focused(row(2))
  expect(location.search).toBe('?page=2&pageSize=2')
  await pressKeys(user, 'k')
  await screen.findByText('Cliente 3')
  await focused(row(3))
})

test('a digit sets the status of the order that has the focus, and of no other; a scanner none', async () => {
  const { user, store } = await dashboard(orders(3))
  await pressKeys(user, '2')
  expect(sent(store.api)).toEqual([])
  await pressKeys(user, 'j', 'j')
  for (const code of ['8032853240234', '2', 'xn/?j']) await scan(user, code)
  expect([sent(store.api), box(2).checked, current()]).toEqual([[], false, '2'])
  expect(screen.queryByRole('dialog')).toBeNull()
  await pressKeys(user, '3')
  await screen.findByText('Ordine 2: Prenotato in Giornata')
  expect([store.statusOf(order(2)), select(2).value, current()]).toEqual([
    'Prenotato in Giornata',
    'Prenotato in Giornata',
    '2',
  ])
  // What it has already it is not given again.
  await pressKeys(user, '3')
  expect(sent(store.api)).toHaveLength(1)
  await pressKeys(user, 'u')
  expect(document.activeElement?.textContent).toBe('Annulla modifica')
})

test('a scanner opens the order of the code that was read last, but not over a dialog', async () => {
  const { user, store } = await dashboard(orders(3))
  const first = deferred<OrderRecord[]>()
  const replies = [first.promise, [order(2)], [], [order(3), order(1)]]
  const codes: string[] = []
  store.api.on(findOrdersWithCode, async ({ body }) => {
    codes.push(body.code)
    return { orders: (await replies[codes.length - 1]) ?? [] }
  })
  const { href } = location
  await scan(user, 'RSSMRA79B11C566R')
  await scan(user, '4000000248')
  await screen.findByRole('group', { name: 'Ordine 2' })
  first.resolve([order(1)])
  await scan(user, '1300A')
  await screen.findByText(/^Nessun ordine con questo codice. Di una ricetta/)
  expect(screen.getByRole('group', { name: 'Ordine 2' })).toBeDefined()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await scan(user, 'ORD-7')
  const list = await screen.findByRole('dialog', { name: '2 ordini con questo codice' })
  const line = (n: number) => within(list).getByRole('button', { name: new RegExp(`^Ordine ${n}`) })
  await focused(line(3))
  await user.keyboard('{ArrowDown}{ArrowDown}')
  expect([document.activeElement, location.href]).toEqual([line(1), href])
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await pressKeys(user, '?')
  await screen.findByRole('dialog', { name: 'Scorciatoie da tastiera' })
  await scan(user, '4000000248')
  expect(codes).toEqual(['RSSMRA79B11C566R', '4000000248', '1300A', 'ORD-7'])
})

test('a late answer of a scan, and a scan while a message is written, open nothing', async () => {
  const written = order(3, { 'Phone Number': '333 1234567' })
  const { user, store } = await dashboard([written, order(2)])
  const late = deferred<OrderRecord[]>()
  store.api
    .on(getOrder, () => detailsOf(written))
    .on(listReplyTexts, () => ({ texts: [] }))
    .on(findOrdersWithCode, async () => ({ orders: await late.promise }))
  await scan(user, '4000000248')
  await pressKeys(user, 'n')
  const sheet = await screen.findByRole('dialog', { name: 'Nuovo ordine' })
  late.resolve([order(2)])
  await act(() => vi.advanceTimersByTimeAsync(300))
  expect([sheet.isConnected, screen.queryByRole('group', { name: 'Ordine 2' })]).toEqual([
    true,
    null,
  ])
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  await user.click(screen.getByRole('button', { name: 'Dettagli ordine 3' }))
  const details = await screen.findByRole('dialog', { name: 'Dettaglio Ordine' })
  await user.click(await within(details).findByRole('button', { name: 'WhatsApp' }))
  await user.type(await within(details).findByRole('textbox', { name: 'Messaggio' }), ' A presto')
  details.focus()
  await scan(user, '4000000248')
  expect(
    within(details).getByRole<HTMLTextAreaElement>('textbox', { name: 'Messaggio' }).value,
  ).toMatch(/ A presto$/)
  expect(screen.queryByRole('group', { name: 'Ordine 2' })).toBeNull()
})

test('no digit cancels an order, and none changes selected orders', async () => {
  const { user, store } = await dashboard(orders(3))
  await user.click(box(3))
  await user.click(box(1))
  row(2).focus()
  await pressKeys(user, '5', '6', '9', '0')
  expect(sent(store.api)).toEqual([])
  await pressKeys(user, '2')
  await screen.findByText('Ordine 2: Confermato')
  expect([3, 2, 1].map((n) => store.statusOf(order(n)))).toEqual([
    'In attesa',
    'Confermato',
    'In attesa',
  ])
})

test('a digit that corrects the one before waits for it, and means the same undo', async () => {
  const { user, store } = await dashboard(orders(1))
  const first = deferred<OrderRecord>()
  let asked = 0
  store.api.on(changeOrderStatus, ({ body, query }) => {
    asked += 1
    if (asked === 1) return first.promise
    expect(query.was).toBe('Prenotato Domani')
    return order(1, body.fields)
  })
  await pressKeys(user, 'j', '4')
  expect(select(1).value).toBe('Prenotato Domani')
  await pressKeys(user, '2', '2')
  expect([select(1).value, asked]).toEqual(['Confermato', 1])
  first.resolve(order(1, { Stato: 'Prenotato Domani' }))
  await screen.findByText('Ordine 1: Confermato')
  expect(asked).toBe(2)
  expect(screen.queryByText('Ordine 1: Prenotato Domani')).toBeNull()
})

test('a digit that is pressed while the answer comes acts on the status as it is then', async () => {
  const { user, store } = await dashboard(orders(1))
  const first = deferred<OrderRecord>()
  const seen: unknown[] = []
  store.api.on(changeOrderStatus, ({ body, query }) => {
    seen.push(query.was)
    return seen.length === 1 ? first.promise : order(1, body.fields)
  })
  await pressKeys(user, 'j', '4')
  await user.keyboard('2')
  store.put(order(1), 'Prenotato Domani')
  first.resolve(order(1, { Stato: 'Prenotato Domani' }))
  await screen.findByText('Ordine 1: Confermato')
  expect(seen).toEqual(['In attesa', 'Prenotato Domani'])
})

test('an order that leaves the list by its new status makes way for the next', async () => {
  const { user } = await dashboard(orders(3), '/?stato=In+attesa')
  await pressKeys(user, 'j', 'j', '2')
  await waitFor(() => expect(screen.queryByText('Cliente 2')).toBeNull())
  // A digit now does nothing: the list has the focus, and no order.
  await focused(screen.getByRole('region', { name: 'Elenco degli ordini' }))
  await pressKeys(user, 'j')
  expect(current()).toBe('1')
})

test('Enter opens the details, where j leads to the next order and a digit changes it, and Escape closes them', async () => {
  const { user, store } = await dashboard(orders(3))
  const details = () => screen.findByRole('dialog', { name: 'Dettaglio Ordine' })
  await pressKeys(user, 'j', 'j', '{Enter}')
  expect(within(await details()).getByText(order(2).id)).toBeDefined()
  await pressKeys(user, 'j')
  await within(await details()).findByText(order(1).id)
  await pressKeys(user, '3')
  await waitFor(() => expect(store.statusOf(order(1))).toBe('Prenotato in Giornata'))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await focused(row(1))
})

test('/ leads to the search, where the keys write', async () => {
  const { user, store } = await dashboard(orders(2))
  await pressKeys(user, 'j')
  await pressKeys(user, '/')
  const search = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Cerca' })
  expect(document.activeElement).toBe(search)
  await pressKeys(user, 'j', 'k', '2', '?')
  expect(search.value).toBe('jk2?')
  expect(sent(store.api)).toEqual([])
})

test('n opens a new order, and one is back where one was when that is closed', async () => {
  const { user } = await dashboard(orders(2))
  await pressKeys(user, 'j', 'j', 'n')
  const form = await screen.findByRole('dialog', { name: 'Nuovo ordine' })
  await focused(within(form).getByRole('textbox', { name: 'Cliente' }))
  await pressKeys(user, 'n', '2')
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Cliente' }).value).toBe('n2')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await focused(row(1))
})

test('? shows what the keys do, and one can do without them', async () => {
  const { user } = await dashboard(orders(2))
  await pressKeys(user, 'j', '?')
  const help = await screen.findByRole('dialog', { name: 'Scorciatoie da tastiera' })
  expect(within(help).getByRole('row', { name: '2 Stato: Confermato' })).toBeDefined()
  await user.click(within(help).getByRole('switch', { name: 'Scorciatoie attive' }))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await focused(row(2))
  await pressKeys(user, 'j', '2', '?')
  expect(current()).toBe('2')
  expect(select(2).value).toBe('In attesa')
  expect(screen.queryByRole('dialog')).toBeNull()

  await user.click(screen.getByRole('button', { name: 'Scorciatoie da tastiera' }))
  const again = await screen.findByRole('switch', { name: 'Scorciatoie attive' })
  expect(again.getAttribute('aria-checked')).toBe('false')
  await user.click(again)
  await user.keyboard('{Escape}')
  row(2).focus()
  await pressKeys(user, 'j')
  expect(current()).toBe('1')
})

test('behind a dialog the keys do nothing', async () => {
  const { user } = await dashboard(orders(4), '/?pageSize=2')
  row(3).focus()
  await pressKeys(user, '?')
  await screen.findByRole('dialog', { name: 'Scorciatoie da tastiera' })
  await pressKeys(user, 'j', 'j', '2')
  expect(location.search).toBe('?pageSize=2')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(select(3).value).toBe('In attesa')
})

test('on what has keys of its own they stay its own', async () => {
  const { user, store } = await dashboard(orders(2))
  select(2).focus()
  await pressKeys(user, 'x')
  expect(box(2).checked).toBe(false)
  const details = screen.getByRole('button', { name: 'Dettagli ordine 1' })
  details.focus()
  await user.keyboard('{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'Dettaglio Ordine' })
  expect(within(dialog).getByText(order(1).id)).toBeDefined()
  expect(sent(store.api)).toEqual([])
})

test('a page that cannot be had is asked for again, and the keys go on', async () => {
  const api = serverWith([]).on(listOrders, ({ query }) =>
    query.page === 2 ? failure('internal') : pageOf(orders(4), query),
  )
  const { user } = renderDashboard('/?pageSize=2', api)
  await screen.findByText('Cliente 4')
  row(3).focus()
  await pressKeys(user, 'j')
  await waitFor(() => expect(location.search).toBe('?page=2&pageSize=2'))
  row(4).focus()
  await pressKeys(user, 'j')
  expect(current()).toBe('3')
})
