import type { OrderDetails } from '@bancone/contract/order-details'
import { getOrder, type OrderEvent } from '@bancone/contract/order-details'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { FakeChannels } from '../../../test/fake-channel.ts'
import { detailsOf, maria, order, orderEvent } from '../../../test/fixtures.ts'
import { openDetails } from '../../../test/open-details.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { renderDashboard } from '../../../test/render-page.tsx'
import { deferred, failure } from '../../../test/stub-api.ts'

const one = order(1)

const event = (to: string, traits: Partial<OrderEvent> = {}) =>
  orderEvent({ at: '2026-01-02T09:30:00Z', who: maria, to, ...traits })
const received = event('', { kind: 'received', source: 'airtable', who: null, to: null })

const entries = async () => {
  const section = await screen.findByRole('region', { name: 'Cronologia' })
  return within(section).getAllByRole('listitem')
}

test('the history says what happened, who did it and when', async () => {
  const history = [event('Confermato'), received]
  const api = serverWith([one]).on(getOrder, () => detailsOf(one, { history }))
  await openDetails(api, 1)
  const [last, first] = await entries()
  expect(last?.textContent).toBe('Da «In attesa» a «Confermato»Maria · 02/01/2026 10:30')
  expect(first?.textContent).toBe('Ricevuto da Airtable02/01/2026 10:30')
  const when = last?.querySelector('time')
  expect([when?.title, when?.dateTime]).toEqual(['02/01/2026 10:30', '2026-01-02T09:30:00Z'])
})

test('an order without its customer says why, unless its data are there again', async () => {
  const erased = event('', { kind: 'content', source: 'system', who: null, columns: ['Cliente'] })
  const { Created, Last, 'ID Ordine': number, Stato } = one.fields
  const anonymous = { ...one, fields: { Created, Last, 'ID Ordine': number, Stato } }
  const api = serverWith([anonymous]).on(getOrder, () =>
    detailsOf(anonymous, { history: [erased, received] }),
  )
  const { dialog } = await openDetails(api, 1)
  const notice = 'I dati del cliente sono stati eliminati (02/01/2026 10:30).'
  expect(await within(dialog).findByText(notice)).toBeDefined()
  cleanup()
  api.on(getOrder, () => detailsOf(one, { history: [erased, received] }))
  await openDetails(api, 1)
  await entries()
  expect(screen.queryByText(notice)).toBeNull()
})

test('of a long history the newest are shown, and all if one asks', async () => {
  const history = [...Array.from({ length: 6 }, () => event('Confermato')), received]
  const api = serverWith([one]).on(getOrder, () => detailsOf(one, { history }))
  const { user } = await openDetails(api, 1)
  expect(await entries()).toHaveLength(5)
  const toggle = screen.getByRole('button', { name: 'Mostra tutto (7)' })
  expect(toggle.getAttribute('aria-expanded')).toBe('false')
  await user.click(toggle)
  expect(await entries()).toHaveLength(7)
  expect(document.activeElement).toBe(toggle)
  await user.click(screen.getByRole('button', { name: 'Mostra meno' }))
  expect(await entries()).toHaveLength(5)
})

test('what the list knows is there at once, the rest has a place meanwhile', async () => {
  const answer = deferred<OrderDetails>()
  const api = serverWith([one]).on(getOrder, () => answer.promise)
  const { dialog } = await openDetails(api, 1)
  expect(within(dialog).getByText('Cliente 1')).toBeDefined()
  expect(within(dialog).getByText('Caricamento in corso…')).toBeDefined()
  answer.resolve(detailsOf(order(1, { Cliente: 'Giulia Bianchi' }), { history: [received] }))
  expect(await within(dialog).findByText('Giulia Bianchi')).toBeDefined()
  expect(await entries()).toHaveLength(1)
  expect(within(dialog).queryByText('Caricamento in corso…')).toBeNull()
})

test('an error keeps what is known, and the rest can be asked for again', async () => {
  const api = serverWith([one]).on(getOrder, () => failure('internal'))
  const { user, dialog } = await openDetails(api, 1)
  const alert = await within(dialog).findByRole('alert')
  expect(alert.textContent).toContain('Cronologia, note e altri ordini non si sono caricati.')
  expect(within(dialog).getByText('Cliente 1')).toBeDefined()
  api.on(getOrder, () => detailsOf(one, { history: [received] }))
  await user.click(within(alert).getByRole('button', { name: 'Riprova' }))
  expect(await entries()).toHaveLength(1)
  expect(within(dialog).queryByRole('alert')).toBeNull()
})

test('of an order that is no more what was known stays, and nothing can be written', async () => {
  const api = serverWith([one]).on(getOrder, () => failure('orders.not_found'))
  const { dialog } = await openDetails(api, 1)
  expect(await within(dialog).findByText(/^L'ordine non esiste più/)).toBeDefined()
  expect(within(dialog).getByText('Cliente 1')).toBeDefined()
  expect(within(dialog).queryByLabelText('Nuova nota')).toBeNull()
})

test('news of the orders reach the history that is open', async () => {
  const lines = new FakeChannels()
  const api = serverWith([one]).on(getOrder, () => detailsOf(one, { history: [received] }))
  const { user } = renderDashboard('/', api, { openChannel: lines.openChannel })
  await user.click(await screen.findByRole('button', { name: 'Dettagli ordine 1' }))
  expect(await entries()).toHaveLength(1)
  await waitFor(() => expect(lines.opened).not.toEqual([]))
  api.on(getOrder, () => detailsOf(one, { history: [event('Confermato'), received] }))
  lines.emit(({ broadcast }) => broadcast('orders', {}))
  await waitFor(async () => expect(await entries()).toHaveLength(2))
})
