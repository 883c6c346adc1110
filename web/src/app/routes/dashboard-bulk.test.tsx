import { changeOrdersStatus } from '@bancone/contract/bulk-changes'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { order, orders } from '../../../test/fixtures.ts'
import { inactive } from '../../../test/inactive.ts'
import { orderStore } from '../../../test/order-store.ts'
import { renderDashboard } from '../../../test/render-page.tsx'
import { deferred, failure } from '../../../test/stub-api.ts'

const box = (n: number) => screen.getByRole('checkbox', { name: `Seleziona ordine ${n}` })
const select = (n: number) =>
  screen.getByRole<HTMLSelectElement>('combobox', { name: `Stato ordine ${n}` })
const bar = () => screen.findByRole('region', { name: 'Ordini selezionati' })
const noBar = () =>
  waitFor(() => expect(screen.queryByRole('region', { name: 'Ordini selezionati' })).toBeNull())

type User = ReturnType<typeof renderDashboard>['user']

async function press(user: User, name: string) {
  await user.click(within(await bar()).getByRole('button', { name }))
}

/** Selects all that the list holds. */
async function selectAll(user: User) {
  const page = 'Seleziona tutti gli ordini di questa pagina'
  await user.click(screen.getByRole('checkbox', { name: page }))
  await user.click(await screen.findByRole('button', { name: /^Seleziona tutti: \d+ ordini$/ }))
}

function sent(api: ReturnType<typeof orderStore>['api']) {
  return api.requests.flatMap(({ path, body }) => {
    return path === '/api/orders/status' ? [changeOrdersStatus.body.parse(body).changes] : []
  })
}

test('the selected orders change together, and go back together, each to what it was', async () => {
  const list = [order(3, { Stato: 'Annullato' }), order(2), order(1, { Stato: 'Prenotato Domani' })]
  const store = orderStore(list)
  const { user } = renderDashboard('/', store.api)
  await screen.findByText('Cliente 3')
  await user.click(box(3))
  await user.click(box(2))
  await press(user, 'Confermato')
  await screen.findByText('2 ordini: Confermato')
  await noBar()
  expect(list.map(store.statusOf)).toEqual(['Confermato', 'Confermato', 'Prenotato Domani'])
  expect([select(3).value, select(2).value]).toEqual(['Confermato', 'Confermato'])
  expect(sent(store.api)[0]).toEqual([
    { recordId: order(3).id, Stato: 'Confermato', was: 'Annullato' },
    { recordId: order(2).id, Stato: 'Confermato', was: 'In attesa' },
  ])

  fireEvent.click(screen.getByRole('button', { name: 'Annulla modifica' }))
  const back = (await screen.findByText("2 ordini com'erano prima")).closest('li')
  expect(list.map(store.statusOf)).toEqual(['Annullato', 'In attesa', 'Prenotato Domani'])
  expect(sent(store.api)[1]).toEqual([
    { recordId: order(3).id, Stato: 'Annullato', was: 'Confermato' },
    { recordId: order(2).id, Stato: 'In attesa', was: 'Confermato' },
  ])
  if (!back) throw new Error('no toast')
  expect(within(back).queryByRole('button', { name: 'Annulla modifica' })).toBeNull()
})

test('an order that changed on the screen after its selection is changed from its new status', async () => {
  const store = orderStore(orders(1))
  const { user } = renderDashboard('/', store.api)
  await screen.findByText('Cliente 1')
  await user.click(box(1))
  store.put(order(1), 'Prenotato Domani')
  await user.click(screen.getByRole('button', { name: 'Aggiorna' }))
  await waitFor(() => expect(select(1).value).toBe('Prenotato Domani'))
  await press(user, 'Confermato')
  await screen.findByText('1 ordine: Confermato')
  expect(store.statusOf(order(1))).toBe('Confermato')
})

test('while it goes on the rows show it, rest, and the bar counts', async () => {
  const store = orderStore(orders(2))
  const answer = deferred<ReturnType<typeof failure>>()
  store.api.on(changeOrdersStatus, () => answer.promise)
  const { user } = renderDashboard('/', store.api)
  await screen.findByText('Cliente 2')
  await user.click(box(2))
  await press(user, 'Annullato')
  await screen.findByText('Cambio lo stato: 0 di 1')
  expect([select(2).value, inactive(select(2)), inactive(select(1))]).toEqual([
    'Annullato',
    true,
    false,
  ])
  expect(screen.queryByRole('button', { name: 'Confermato' })).toBeNull()
  answer.resolve(failure('internal'))
  await waitFor(() => expect(select(2).value).toBe('In attesa'))
})

test('many are changed in portions of a hundred, and taken back as one', async () => {
  const store = orderStore(orders(230))
  const { user } = renderDashboard('/?pageSize=2', store.api)
  await screen.findByText('Cliente 230')
  await selectAll(user)
  await press(user, 'Prenotato Domani')
  await screen.findByText('230 ordini: Prenotato Domani')
  expect(sent(store.api).map((changes) => changes.length)).toEqual([100, 100, 30])
  fireEvent.click(screen.getByRole('button', { name: 'Annulla modifica' }))
  await screen.findByText("230 ordini com'erano prima")
  expect(orders(230).every((each) => store.statusOf(each) === 'In attesa')).toBe(true)
})

test('orders that another user changed or removed meanwhile are left, and named by number', async () => {
  const store = orderStore(orders(23))
  const { user } = renderDashboard('/?pageSize=2', store.api)
  await screen.findByText('Cliente 23')
  await selectAll(user)
  store.put(order(22), 'Annullato')
  store.remove(order(23))
  await press(user, 'Confermato')
  const toast = (await screen.findByText('21 ordini: Confermato')).closest('li')
  expect(toast?.textContent).toContain(
    "1 ordine non cambiato: nel frattempo qualcuno lo ha modificato (22). 1 ordine non c'è più (23).",
  )
  expect(toast?.textContent).not.toContain('Cliente')
  expect(store.statusOf(order(22))).toBe('Annullato')
  await noBar()
})

test('the numbers of orders that were never on screen are asked for', async () => {
  const store = orderStore(orders(5))
  const { user } = renderDashboard('/?pageSize=2', store.api)
  await screen.findByText('Cliente 5')
  await selectAll(user)
  store.put(order(3), 'Annullato')
  await press(user, 'Confermato')
  const toast = (await screen.findByText('4 ordini: Confermato')).closest('li')
  expect(toast?.textContent).toContain('qualcuno lo ha modificato (3).')
})

test('when nothing could be changed, that is said', async () => {
  const store = orderStore(orders(1))
  const { user } = renderDashboard('/', store.api)
  await screen.findByText('Cliente 1')
  await user.click(box(1))
  store.put(order(1), 'Annullato')
  await press(user, 'Confermato')
  expect((await screen.findByText('Nessun ordine cambiato')).closest('li')?.textContent).toContain(
    '1 ordine non cambiato: nel frattempo qualcuno lo ha modificato (1).',
  )
  await waitFor(() => expect(select(1).value).toBe('Annullato'))
})

test('when it breaks off, what is done stays, and what is left is tried again', async () => {
  const store = orderStore(orders(120))
  const { user } = renderDashboard('/?pageSize=2', store.api)
  await screen.findByText('Cliente 120')
  await selectAll(user)
  store.failAfter(1)
  await press(user, 'Confermato')
  const toast = (await screen.findByText('Modifica interrotta: 100 ordini su 120')).closest('li')
  expect(toast?.textContent).toContain('Riprova più tardi')
  expect((await bar()).textContent).toContain('20 ordini selezionati')
  expect(store.statusOf(order(120))).toBe('Confermato')
  expect(store.statusOf(order(1))).toBe('In attesa')

  store.failAfter(null)
  await press(user, 'Riprova')
  const result = (await screen.findByText('120 ordini: Confermato')).closest('li')
  await noBar()
  // One way back for both attempts.
  if (!result) throw new Error('no toast')
  fireEvent.click(within(result).getByRole('button', { name: 'Annulla modifica' }))
  await screen.findByText("120 ordini com'erano prima")
  expect(orders(120).every((each) => store.statusOf(each) === 'In attesa')).toBe(true)
})

test('a word of the store cannot be written back, and that is said beforehand', async () => {
  const store = orderStore([order(2, { Stato: 'Da verificare' }), order(1)])
  const { user } = renderDashboard('/', store.api)
  await screen.findByText('Cliente 2')
  await user.click(box(2))
  await user.click(box(1))
  await press(user, 'Confermato')
  const toast = (await screen.findByText('2 ordini: Confermato')).closest('li')
  expect(toast?.textContent).toContain("1 ordine non torna com'era")
  fireEvent.click(screen.getByRole('button', { name: 'Annulla modifica' }))
  await screen.findByText("1 ordine com'era prima")
  expect([store.statusOf(order(2)), store.statusOf(order(1))]).toEqual(['Confermato', 'In attesa'])
})
