import { getOrder } from '@bancone/contract/order-details'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { detailsOf, maria, order, orderEvent, orders } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { orderStore } from '../../../test/order-store.ts'
import { renderDashboard } from '../../../test/render-page.tsx'
import { failure } from '../../../test/stub-api.ts'
import { formatMoment } from '../../lib/format.ts'

const select = (n: number) =>
  screen.getByRole<HTMLSelectElement>('combobox', { name: `Stato ordine ${n}` })
const dialog = () => screen.findByRole('dialog', { name: 'Ordine cambiato nel frattempo' })
const at = new Date(Date.now() - 60_000).toISOString()
const when = formatMoment(at, Date.now()).replace('delle', 'alle')

/** The dashboard of two orders. Another client confirms the second one. */
async function confirmedElsewhere() {
  const store = orderStore(orders(2))
  store.api.on(getOrder, () => {
    const now = store.statusOf(order(2)) ?? ''
    return detailsOf(order(2, { Stato: now }), {
      history: [orderEvent({ at, who: maria, to: now })],
    })
  })
  const { user } = renderDashboard('/', store.api)
  await screen.findByText('Cliente 2')
  store.put(order(2), 'Confermato')
  return { store, user }
}

test('a change of an order that changed meanwhile is refused, and the user may keep the new status', async () => {
  const { store, user } = await confirmedElsewhere()
  await user.selectOptions(select(2), 'Annullato')
  const question = await dialog()
  expect(question.textContent).toContain(
    `Ordine 2: nel frattempo è diventato «Confermato» (Maria, ${when}). Tu volevi «Annullato».`,
  )
  await user.click(within(question).getByRole('button', { name: 'Lascia «Confermato»' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await focused(select(2))
  expect([select(2).value, store.statusOf(order(2))]).toEqual(['Confermato', 'Confermato'])
  expect(screen.queryByText("Impossibile aggiornare lo stato dell'ordine")).toBeNull()
})

test('who insists changes what is there now, and is asked again if that has changed as well', async () => {
  const { store, user } = await confirmedElsewhere()
  await user.selectOptions(select(2), 'Annullato')
  const first = await dialog()
  store.put(order(2), 'Prenotato Domani')
  await user.click(within(first).getByRole('button', { name: 'Imposta «Annullato»' }))
  const again = await screen.findByText(/nel frattempo è diventato «Prenotato Domani»/)
  expect(again).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Imposta «Annullato»' }))
  await screen.findByText('Ordine 2: Annullato')
  expect(store.statusOf(order(2))).toBe('Annullato')
  const sent = store.api.requests.filter(({ method }) => method === 'PATCH')
  expect(sent.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('was'))).toEqual([
    'In attesa',
    'Confermato',
    'Prenotato Domani',
  ])
})

test('an undo that meets the change of another user asks as well', async () => {
  const store = orderStore(orders(1))
  store.api.on(getOrder, () => detailsOf(order(1, { Stato: store.statusOf(order(1)) ?? '' })))
  const { user } = renderDashboard('/', store.api)
  await screen.findByText('Cliente 1')
  await user.selectOptions(select(1), 'Confermato')
  await screen.findByText('Ordine 1: Confermato')
  store.put(order(1), 'Annullato')
  fireEvent.click(screen.getByRole('button', { name: 'Annulla modifica' }))
  const question = await dialog()
  expect(question.textContent).toContain(
    'Ordine 1: nel frattempo è diventato «Annullato». Tu volevi «In attesa».',
  )
  expect(store.statusOf(order(1))).toBe('Annullato')
})

test('where both wanted the same there is nothing to ask', async () => {
  const store = orderStore(orders(1))
  store.api.on(getOrder, () => detailsOf(order(1, { Stato: 'Confermato' })))
  const { user } = renderDashboard('/', store.api)
  await screen.findByText('Cliente 1')
  store.put(order(1), 'Prenotato Domani')
  await user.selectOptions(select(1), 'Confermato')
  await screen.findByText('Ordine 1: era già «Confermato»')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('where it cannot be asked what became of the order, a toast says that it was changed', async () => {
  const store = orderStore(orders(1))
  store.api.on(getOrder, () => failure('internal'))
  const { user } = renderDashboard('/', store.api)
  await screen.findByText('Cliente 1')
  store.put(order(1), 'Prenotato Domani')
  await user.selectOptions(select(1), 'Annullato')
  await screen.findByText(/^Ordine 1: Nel frattempo qualcuno ha cambiato l'ordine/)
  expect(screen.queryByRole('button', { name: 'Riprova' })).toBeNull()
  await waitFor(() => expect(select(1).value).toBe('Prenotato Domani'))
})
