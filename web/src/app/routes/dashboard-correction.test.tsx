import { correctOrder, removeOrder } from '@bancone/contract/order-corrections'
import { getOrder } from '@bancone/contract/order-details'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill } from '../../../test/fill.ts'
import { detailsOf, order, orderEvent } from '../../../test/fixtures.ts'
import { openDetails } from '../../../test/open-details.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { failure } from '../../../test/stub-api.ts'

const one = order(1, { Cliente: 'Mara Binachi', 'Phone Number': '333 123 4567', Ordine: 'Oki' })
const typed = orderEvent({ kind: 'received', from: null, to: null })

function server(history = [typed]) {
  const api = serverWith([one])
    .on(getOrder, () => detailsOf(one, { history }))
    .on(removeOrder, () => ({}))
  const sent = (method: string) =>
    api.requests.filter((request) => request.method === method && request.path.includes(one.id))
  return { api, sent }
}

const section = () => screen.findByRole('region', { name: 'Ordine inserito a mano' })
const press = async (name: string) =>
  fireEvent.click(await within(await section()).findByRole('button', { name }))
const field = (name: string) => screen.findByRole<HTMLInputElement>('textbox', { name })

test('an order that was typed in is corrected; what fails keeps what was typed', async () => {
  const { api, sent } = server()
  api.on(correctOrder, () => failure('orders.not_reached'))
  await openDetails(api, 1)
  await press('Correggi')
  expect((await field('Prodotto richiesto')).value).toBe('Oki')
  fill(await field('Cliente'), 'Mara Bianchi')
  await press('Salva la correzione')
  expect(await within(await section()).findByText(/^Airtable non risponde/)).toBeDefined()
  expect((await field('Cliente')).value).toBe('Mara Bianchi')
  api.on(correctOrder, () => order(1, { Cliente: 'Mara Bianchi' }))
  await press('Salva la correzione')
  await screen.findByText('Ordine corretto.')
  expect(sent('PATCH').at(-1)?.body).toMatchObject({
    fields: { Cliente: 'Mara Bianchi', 'Phone Number': '333 123 4567', Ordine: 'Oki' },
    was: { Cliente: 'Mara Binachi', 'Phone Number': '333 123 4567', Ordine: 'Oki' },
  })
  const again = await within(await section()).findByRole('button', { name: 'Correggi' })
  expect(document.activeElement).toBe(again)
})

test('a removal can be undone, and is sent when the page is left', async () => {
  const { api, sent } = server()
  const { user, opener } = await openDetails(api, 1)
  await press('Elimina ordine')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  fireEvent.click(await screen.findByRole('button', { name: 'Annulla' }))
  window.dispatchEvent(new Event('pagehide'))
  expect(sent('DELETE')).toEqual([])
  await user.click(opener)
  await press('Elimina ordine')
  await screen.findByText('Ordine 1: tra poco sarà eliminato')
  window.dispatchEvent(new Event('pagehide'))
  await waitFor(() => expect(sent('DELETE')).toHaveLength(1))
})

test('an order that came in by itself has neither', async () => {
  await openDetails(server([{ ...typed, source: 'airtable' }]).api, 1)
  await screen.findByRole('region', { name: 'Cronologia' })
  expect(screen.queryByRole('region', { name: 'Ordine inserito a mano' })).toBeNull()
})
