import { selectOrders } from '@bancone/contract/bulk-changes'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { order, orders, sessionOf } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { orderStore } from '../../../test/order-store.ts'
import { renderApp } from '../../../test/render-app.tsx'
import { renderDashboard } from '../../../test/render-page.tsx'
import { failure } from '../../../test/stub-api.ts'
import { setViewport } from '../../../test/viewport.ts'

const box = (n: number) =>
  screen.getByRole<HTMLInputElement>('checkbox', { name: `Seleziona ordine ${n}` })
const pageBox = () =>
  screen.getByRole<HTMLInputElement>('checkbox', {
    name: 'Seleziona tutti gli ordini di questa pagina',
  })
const bar = () => screen.findByRole('region', { name: 'Ordini selezionati' })
const checked = () =>
  screen
    .getAllByRole<HTMLInputElement>('checkbox', { name: /^Seleziona ordine/ })
    .flatMap((each) => (each.checked ? [each.ariaLabel ?? each.getAttribute('aria-label')] : []))

test('an order is selected by its box, which opens no details and leaves the table as it is', async () => {
  const { user } = renderDashboard('/', orderStore(orders(3)).api)
  await screen.findByText('Cliente 3')
  await user.click(box(2))
  expect(screen.getByText('1 ordine selezionato', { selector: '.sr-only' })).toBeDefined()
  expect((await bar()).textContent).toContain('1 ordine selezionato')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getAllByRole('columnheader')).toHaveLength(8)
  expect(screen.getByRole('columnheader', { name: 'ID/Ordine' }).textContent).toBe('ID/Ordine')
  expect(screen.getByRole('rowheader', { name: '2' }).textContent).toBe('2')
  expect(pageBox().indeterminate).toBe(true)
})

test('with the shift key all between it and the one before are selected, or not any more', async () => {
  const { user } = renderDashboard('/', orderStore(orders(5)).api)
  await screen.findByText('Cliente 5')
  await user.click(box(4))
  fireEvent.click(box(2), { shiftKey: true })
  expect([4, 3, 2].map((n) => box(n).checked)).toEqual([true, true, true])
  expect([box(5).checked, box(1).checked]).toEqual([false, false])
  fireEvent.click(box(3), { shiftKey: true })
  expect(checked()).toEqual(['Seleziona ordine 4'])
})

test('the box of the page selects its orders and lets them go again', async () => {
  const { user } = renderDashboard('/', orderStore(orders(3)).api)
  await screen.findByText('Cliente 3')
  const state = () => [pageBox().checked, pageBox().indeterminate, checked().length]
  await user.click(pageBox())
  expect(state()).toEqual([true, false, 3])
  await user.click(box(1))
  expect(state()).toEqual([false, true, 2])
  await user.click(pageBox())
  expect(state()).toEqual([true, false, 3])
  await user.click(pageBox())
  expect(state()).toEqual([false, false, 0])
  expect(screen.getByText('Nessun ordine selezionato')).toBeDefined()
})

test('what is selected stays so on other pages and under other filters, until it is let go', async () => {
  const { user } = renderDashboard('/?pageSize=2', orderStore(orders(4)).api)
  await screen.findByText('Cliente 4')
  await user.click(box(4))
  await user.click(screen.getByRole('button', { name: 'Successiva' }))
  await screen.findByText('Cliente 2')
  await user.click(box(2))
  expect((await bar()).textContent).toContain('2 ordini selezionati')
  await user.click(screen.getByRole('button', { name: 'Precedente' }))
  await screen.findByText('Cliente 4')
  expect(box(4).checked).toBe(true)
  await user.click(within(await bar()).getByRole('button', { name: 'Deseleziona' }))
  expect(checked()).toEqual([])
  await waitFor(() => {
    expect(screen.queryByRole('region', { name: 'Ordini selezionati' })).toBeNull()
  })
  await focused(screen.getByRole('region', { name: 'Elenco degli ordini' }))
})

test('from a whole page it is one step to all that the list holds', async () => {
  const store = orderStore(
    Array.from({ length: 9 }, (_, index) =>
      order(9 - index, { Stato: index % 2 === 0 ? 'In attesa' : 'Annullato' }),
    ),
  )
  const { user } = renderDashboard('/?pageSize=2&stato=In+attesa', store.api)
  await screen.findByText('Cliente 9')
  await user.click(pageBox())
  await user.click(await screen.findByRole('button', { name: 'Seleziona tutti: 5 ordini' }))
  expect((await bar()).textContent).toContain('5 ordini selezionati')
  await focused(await bar())
  expect(store.api.requests.find(({ path }) => path === '/api/orders/selection')?.body).toEqual({
    stato: ['In attesa'],
  })
  expect(screen.queryByRole('button', { name: /^Seleziona tutti: / })).toBeNull()
})

test('of more than can be selected at once the newest are, and that is said', async () => {
  const store = orderStore(orders(600))
  store.api.on(selectOrders, () => ({
    orders: orders(600)
      .slice(0, 500)
      .map(({ id }) => ({ recordId: id, status: 'In attesa' })),
    more: true,
  }))
  const { user } = renderDashboard('/?pageSize=2', store.api)
  await screen.findByText('Cliente 600')
  await user.click(pageBox())
  await user.click(await screen.findByRole('button', { name: 'Seleziona i 500 più recenti' }))
  await waitFor(async () => {
    expect((await bar()).textContent).toContain('500 ordini selezionati')
  })
  expect((await bar()).textContent).toContain('il massimo insieme')
})

test('when the others cannot be asked for, those of the page stay selected', async () => {
  const store = orderStore(orders(5))
  store.api.on(selectOrders, () => failure('internal'))
  const { user } = renderDashboard('/?pageSize=2', store.api)
  await screen.findByText('Cliente 5')
  await user.click(pageBox())
  await user.click(await screen.findByRole('button', { name: 'Seleziona tutti: 5 ordini' }))
  await screen.findByText('Impossibile selezionare gli altri ordini')
  expect((await bar()).textContent).toContain('2 ordini selezionati')
})

test('on a phone the boxes come when they are asked for, and then a tap on a card selects it', async () => {
  setViewport('narrow')
  const { user } = renderDashboard('/', orderStore(orders(3)).api)
  await screen.findByText('Cliente 3')
  expect(screen.queryByRole('checkbox')).toBeNull()
  const choose = screen.getByRole('button', { name: 'Seleziona' })
  await user.click(choose)
  expect(choose.getAttribute('aria-pressed')).toBe('true')
  await user.click(screen.getByText('Cliente 2'))
  expect(checked()).toEqual(['Seleziona ordine 2'])
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(box(1))
  expect(checked()).toHaveLength(2)

  // The five are behind one button there, so that the bar leaves room for the cards.
  const unfold = within(await bar()).getByRole('button', { name: 'Cambia stato' })
  expect(unfold.getAttribute('aria-expanded')).toBe('false')
  await user.click(unfold)
  expect(unfold.getAttribute('aria-expanded')).toBe('true')
  await user.click(choose)
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('the selection goes with the page', async () => {
  const { api } = orderStore(orders(2))
  // The page that it leads to asks for it, when the test has not come back before.
  api.auth('GET', '/user', () => Response.json(sessionOf().user))
  const { user } = renderApp('/', api)
  await screen.findByText('Cliente 2')
  await user.click(box(2))
  await bar()
  await user.click(screen.getByRole('button', { name: 'Farmacia San Carlo' }))
  await user.click(screen.getByRole('menuitem', { name: 'Sicurezza' }))
  await waitFor(() => expect(screen.queryByText('Cliente 2')).toBeNull())
  window.history.back()
  await screen.findByText('Cliente 2')
  expect(checked()).toEqual([])
})
