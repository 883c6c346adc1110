import { getOrder } from '@bancone/contract/order-details'
import { listOrders, type OrderRecord } from '@bancone/contract/orders'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FakeChannels } from '../../../test/fake-channel.ts'
import { detailsOf, newOrder, order, orders, pageOf } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { renderDashboard } from '../../../test/render-page.tsx'
import { failure } from '../../../test/stub-api.ts'

const GONE = /^L'ordine non è più in questa pagina/

/** The dashboard, live; `become` changes what the server holds, and the page hears of it. */
async function open(path: string, held: OrderRecord[]) {
  const state = { held }
  const lines = new FakeChannels()
  const api = serverWith([])
    .on(listOrders, ({ query }) => pageOf(state.held, query))
    .on(getOrder, ({ params }) => {
      const found = state.held.find(({ id }) => id === params.recordId)
      return found ? detailsOf(found) : failure('orders.not_found')
    })
  const { user } = renderDashboard(path, api, { openChannel: lines.openChannel })
  await screen.findByText(/ordini (totali|trovati)/)
  await waitFor(() => expect(lines.opened).not.toEqual([]))
  lines.emit(({ subscribed }) => subscribed())
  return {
    api,
    user,
    become(next: OrderRecord[]) {
      state.held = next
      lines.emit(({ broadcast }) => broadcast('orders', { kind: 'changed', ids: null }))
    },
  }
}

const list = () => screen.findByRole('region', { name: 'Elenco degli ordini' })
const details = (n: number) => screen.findByRole('button', { name: `Dettagli ordine ${n}` })
const status = (dialog: HTMLElement) =>
  within(dialog).getByRole<HTMLSelectElement>('combobox', { name: /^Stato/ }).value

async function openDetails(path: string, held: OrderRecord[], n: number) {
  const view = await open(path, held)
  await view.user.click(await details(n))
  return { ...view, dialog: await screen.findByRole('dialog', { name: 'Dettaglio Ordine' }) }
}

test.each(['/', '/?stato=In+attesa'])(
  'at %s open details follow the changes of other users',
  async (path) => {
    const { become, dialog } = await openDetails(path, orders(3), 2)
    expect(status(dialog)).toBe('In attesa')
    become([order(3), order(2, { Stato: 'Confermato' }), order(1)])
    await waitFor(() => expect(status(dialog)).toBe('Confermato'))
    expect(within(dialog).queryByText(GONE)).toBeNull()
  },
)

test('of an order that left the page its own details tell what becomes of it', async () => {
  const { become, dialog } = await openDetails('/', orders(20), 1)
  become([newOrder(21), ...orders(20).slice(0, -1), order(1, { Stato: 'Confermato' })])
  await waitFor(() => expect(status(dialog)).toBe('Confermato'))
  expect(within(dialog).queryByText(GONE)).toBeNull()
})

test('if they cannot be read, what was known last stays, and it is said that it may be old', async () => {
  const { api, user, become } = await open('/', orders(20))
  api.on(getOrder, () => failure('internal'))
  await user.click(await details(1))
  const dialog = await screen.findByRole('dialog', { name: 'Dettaglio Ordine' })
  const changed = [...orders(20).slice(0, -1), order(1, { Stato: 'Confermato' })]
  become(changed)
  await waitFor(() => expect(status(dialog)).toBe('Confermato'))
  become([newOrder(21), ...changed])
  expect(await within(dialog).findByText(GONE)).toBeDefined()
  expect(status(dialog)).toBe('Confermato')
  await user.keyboard('{Escape}')
  // The button that had opened them is not there any more.
  await focused(await list())
})

test('an order that leaves the page with the focus leaves it to the list', async () => {
  const { become } = await open('/?pageSize=2', orders(2))
  const control = screen.getByRole('combobox', { name: 'Stato ordine 1' })
  act(() => control.focus())
  become([newOrder(3), ...orders(2)])
  await waitFor(() => expect(control.isConnected).toBe(false))
  await focused(await list())
})

test('an order that stays keeps the focus, and a focus elsewhere is left alone', async () => {
  const { become } = await open('/?pageSize=2', orders(2))
  const control = screen.getByRole('combobox', { name: 'Stato ordine 2' })
  const elsewhere = screen.getByRole('button', { name: 'Aggiorna' })
  act(() => control.focus())
  become([newOrder(3), ...orders(2)])
  await screen.findByText('Cliente 3')
  expect(document.activeElement).toBe(control)
  act(() => elsewhere.focus())
  act(() => elsewhere.blur())
  become([newOrder(4), newOrder(3), ...orders(2)])
  await waitFor(() => expect(control.isConnected).toBe(false))
  expect(document.activeElement).toBe(document.body)
})

test("after 'Mostra', which goes, the focus is on the list", async () => {
  const { user } = await open('/?page=2&pageSize=2', [newOrder(4), ...orders(3)])
  await user.click(await screen.findByRole('button', { name: 'Mostra' }))
  await screen.findByText('Cliente 4')
  expect(document.activeElement).toBe(await list())
})
