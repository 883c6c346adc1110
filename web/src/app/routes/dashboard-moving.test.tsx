import { getOrder } from '@bancone/contract/order-details'
import { changeOrderStatus, listOrders, type OrderRecord } from '@bancone/contract/orders'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, onTestFinished, test, vi } from 'vitest'
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
    state,
    become(next: OrderRecord[]) {
      state.held = next
      lines.emit(({ broadcast }) => broadcast('orders', {}))
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
  become([order(2)])
  await waitFor(() => expect(control.isConnected).toBe(false))
  await focused(await list())
})

const shownOrders = () =>
  screen.getAllByRole('combobox', { name: /^Stato ordine/ }).map(({ ariaLabel }) => ariaLabel)
const shownAs = (...numbers: number[]) => numbers.map((n) => `Stato ordine ${n}`)
const statusOf = (n: number) =>
  screen.getByRole<HTMLSelectElement>('combobox', { name: `Stato ordine ${n}` })

test('while a row has the focus new orders wait, and the shown ones follow their statuses', async () => {
  const { user, become } = await open('/?pageSize=2', orders(3))
  act(() => statusOf(2).focus())
  become([newOrder(4), order(3, { Stato: 'Confermato' }), order(2), order(1)])
  await screen.findByRole('button', { name: '1 nuovo ordine' })
  expect([shownOrders(), statusOf(3).value]).toEqual([shownAs(3, 2), 'Confermato'])
  // The order is on the following page now.
  become([newOrder(5), newOrder(4), order(3), order(2, { Stato: 'Annullato' }), order(1)])
  const button = await screen.findByRole('button', { name: '2 nuovi ordini' })
  await waitFor(() => expect(statusOf(2).value).toBe('Annullato'))
  expect([shownOrders(), statusOf(3).value]).toEqual([shownAs(3, 2), 'In attesa'])
  expect(document.activeElement).toBe(statusOf(2))
  await user.click(button)
  await waitFor(() => expect(shownOrders()).toEqual(shownAs(5, 4)))
  await focused(await list())
  expect(button.isConnected).toBe(false)
  // Nothing is in use now.
  become([newOrder(6), newOrder(5), newOrder(4), ...orders(3)])
  await waitFor(() => expect(shownOrders()).toEqual(shownAs(6, 5)))
})

test.each([
  [
    'scrolled',
    async () => {
      vi.spyOn(window, 'scrollY', 'get').mockReturnValue(10)
      fireEvent.scroll(window)
    },
  ],
  [
    'with a selected row',
    async (user: UserEvent) => {
      await user.click(screen.getByRole('checkbox', { name: 'Seleziona ordine 2' }))
      act(() => screen.getByRole('checkbox', { name: 'Seleziona ordine 2' }).blur())
      await screen.findByRole('region', { name: 'Ordini selezionati' })
    },
  ],
  [
    'under an open menu',
    (user: UserEvent) => user.click(screen.getByRole('button', { name: /^Periodo/ })),
  ],
])("a list %s takes new orders only with 'Aggiorna'", async (_, use) => {
  onTestFinished(() => void vi.restoreAllMocks())
  const { user, become } = await open('/', orders(2))
  await use(user)
  become([newOrder(3), ...orders(2)])
  const button = await screen.findByRole('button', { name: '1 nuovo ordine' })
  expect(shownOrders()).toEqual(shownAs(2, 1))
  fireEvent.click(screen.getByRole('button', { name: 'Aggiorna' }))
  await waitFor(() => expect(shownOrders()).toEqual(shownAs(3, 2, 1)))
  expect(button.isConnected).toBe(false)
})

test('a list that nobody has touched for a minute takes new orders, wherever the focus was left', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const { become } = await open('/?pageSize=2', orders(2))
  act(() => statusOf(2).focus())
  become([newOrder(3), ...orders(2)])
  await screen.findByRole('button', { name: '1 nuovo ordine' })
  vi.setSystemTime(Date.now() + 61_000)
  become([newOrder(4), newOrder(3), ...orders(2)])
  await waitFor(() => expect(shownOrders()).toEqual(shownAs(4, 3)))
})

test('an order that is changed here leaves a filtered list while others wait', async () => {
  const { api, user, become, state } = await open('/?stato=In+attesa&pageSize=2', orders(3))
  api.on(changeOrderStatus, ({ params, body }) => {
    const change = (one: OrderRecord) =>
      one.id === params.recordId ? { ...one, fields: { ...one.fields, ...body.fields } } : one
    state.held = state.held.map(change)
    return state.held.find(({ id }) => id === params.recordId) ?? failure('orders.not_found')
  })
  act(() => statusOf(2).focus())
  become([newOrder(4), ...orders(3)])
  await screen.findByRole('button', { name: '1 nuovo ordine' })
  await user.selectOptions(statusOf(2), 'Confermato')
  await waitFor(() => expect(shownOrders()).toEqual(shownAs(3)))
  expect(screen.getByRole('button', { name: '1 nuovo ordine' })).toBeDefined()
})

test('on another page they wait as well, and the button leads to the first', async () => {
  const { user, become } = await open('/?page=2&pageSize=2', orders(4))
  act(() => statusOf(1).focus())
  become([newOrder(5), ...orders(4)])
  const button = await screen.findByRole('button', { name: '1 nuovo ordine' })
  expect(shownOrders()).toEqual(shownAs(2, 1))
  await user.click(button)
  await waitFor(() => expect(shownOrders()).toEqual(shownAs(5, 4)))
})
