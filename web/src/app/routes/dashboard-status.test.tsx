import {
  changeOrderStatus,
  listOrders,
  type OrderRecord,
  OrderStatus,
} from '@bancone/contract/orders'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { order, orders, pageOf } from '../../../test/fixtures.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { failure, later } from '../../../test/stub-api.ts'

const select = (n: number) =>
  screen.getByRole<HTMLSelectElement>('combobox', { name: `Stato ordine ${n}` })
const details = (n: number) =>
  screen.getByRole<HTMLButtonElement>('button', { name: `Dettagli ordine ${n}` })

test('the status can be set to any of the five', async () => {
  renderApp('/', serverWith(orders(1)))
  await screen.findByText('Cliente 1')
  const options = within(select(1)).getAllByRole<HTMLOptionElement>('option')
  expect(options.map(({ value }) => value)).toEqual(OrderStatus.options)
})

test('a word of the store that is none of the five is shown as it is, and cannot be chosen', async () => {
  renderApp('/', serverWith([order(1, { Stato: 'Da verificare' })]))
  await screen.findByText('Cliente 1')
  const [foreign] = within(select(1)).getAllByRole<HTMLOptionElement>('option')
  expect(select(1).value).toBe('Da verificare')
  expect(foreign?.disabled).toBe(true)
})

test('a change shows at once, holds the controls of its row, and reads the page again', async () => {
  const answer = later<OrderRecord>()
  const api = serverWith(orders(2)).on(changeOrderStatus, () => answer.promise)
  const { user } = renderApp('/', api)
  await screen.findByText('Cliente 2')

  await user.selectOptions(select(2), 'Confermato')
  expect(select(2).value).toBe('Confermato')
  expect([select(2).disabled, details(2).disabled]).toEqual([true, true])
  expect([select(1).disabled, details(1).disabled]).toEqual([false, false])
  expect(api.requests.at(-1)).toMatchObject({
    method: 'PATCH',
    path: '/api/airtable-orders/rec000002',
    body: { fields: { Stato: 'Confermato' } },
  })

  const changed = order(2, { Stato: 'Confermato' })
  const reads = () => api.requests.filter(({ path }) => path.includes('page=1')).length
  const before = reads()
  api.on(listOrders, ({ query }) => pageOf([changed, order(1)], query))
  answer.resolve(changed)
  await waitFor(() => expect(select(2).disabled).toBe(false))
  expect(reads()).toBe(before + 1)
  expect(select(2).value).toBe('Confermato')
  expect(screen.getByText('Ordini Confermati').closest('div')?.textContent).toContain('1')
})

test('two rows can be changed at the same time', async () => {
  const answers = new Map([1, 2].map((n) => [order(n).id, later<OrderRecord>()]))
  const api = serverWith(orders(2)).on(changeOrderStatus, ({ params }) => {
    return answers.get(params.recordId)?.promise ?? failure('orders.not_found')
  })
  const { user } = renderApp('/', api)
  await screen.findByText('Cliente 2')
  await user.selectOptions(select(1), 'Annullato')
  await user.selectOptions(select(2), 'Confermato')

  const changed = order(2, { Stato: 'Confermato' })
  api.on(listOrders, ({ query }) => pageOf([changed, order(1)], query))
  answers.get(changed.id)?.resolve(changed)
  await waitFor(() => expect(select(2).disabled).toBe(false))
  expect([select(1).value, select(1).disabled]).toEqual(['Annullato', true])
  answers.get(order(1).id)?.resolve(order(1, { Stato: 'Annullato' }))
  await waitFor(() => expect(select(1).disabled).toBe(false))
})

test.each([
  ['internal', /Riprova più tardi/],
  ['orders.source_refused', /Airtable ha rifiutato la modifica/],
] as const)('after the failure %s the row goes back and a toast says so', async (code, why) => {
  const api = serverWith(orders(1)).on(changeOrderStatus, () => failure(code))
  const { user } = renderApp('/', api)
  await screen.findByText('Cliente 1')
  await user.selectOptions(select(1), 'Annullato')
  expect(await screen.findByText("Impossibile aggiornare lo stato dell'ordine")).toBeDefined()
  expect(screen.getByText(why)).toBeDefined()
  expect([select(1).value, select(1).disabled]).toEqual(['In attesa', false])
})
