import { getOrder } from '@bancone/contract/order-details'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { detailsOf, order } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { openDetails } from '../../../test/open-details.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { failure } from '../../../test/stub-api.ts'

const seven = order(7, { Cliente: 'Giulia' })
/** It is on no page of the list. */
const three = order(3, { Cliente: 'Mamma di Giulia', Stato: 'Annullato', Ordine: 'Cerotti' })

function serverWithEarlier() {
  const all = new Map([
    [seven.id, detailsOf(seven, { earlier: { count: 12, records: [three] } })],
    [three.id, detailsOf(three, { earlier: { count: 1, records: [seven] } })],
  ])
  return serverWith([seven]).on(
    getOrder,
    ({ params }) => all.get(params.recordId) ?? failure('orders.not_found'),
  )
}

const facts = () => screen.getByRole('group', { name: /^Ordine/ })
const toThree = () => screen.findByRole('button', { name: /^Ordine 3/ })

test('the other orders of the number are listed, and open in the same sheet with a way back', async () => {
  const { user, dialog, opener } = await openDetails(serverWithEarlier(), 7)
  const entry = await toThree()
  const section = screen.getByRole('region', { name: 'Altri ordini di questo numero (12)' })
  expect(section.contains(entry)).toBe(true)
  expect(entry.textContent).toBe('Ordine 301/01/2026 09:03AnnullatoCerotti')
  expect(within(section).getByText('e altri 11 più vecchi')).toBeDefined()
  await user.click(entry)
  expect(await within(dialog).findByText('Mamma di Giulia')).toBeDefined()
  expect(screen.getByRole('dialog')).toBe(dialog)
  await focused(facts())
  expect(location.pathname + location.search + location.hash).toBe(`/?ordine=${three.id}`)
  expect(window.history.state).toMatchObject({ usr: { overlay: 'details', beneath: 1, list: 0 } })
  expect(within(dialog).queryByText(/non è più in questa pagina/)).toBeNull()
  await user.click(within(dialog).getByRole('button', { name: "Torna all'ordine 7" }))
  expect(await within(dialog).findByText('Giulia')).toBeDefined()
  expect(within(dialog).queryByRole('button', { name: /^Torna/ })).toBeNull()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await focused(opener)
})

test('back leads to the order before, and closing closes all', async () => {
  const { user, dialog } = await openDetails(serverWithEarlier(), 7)
  await user.click(await toThree())
  await within(dialog).findByText('Mamma di Giulia')
  window.history.back()
  expect(await within(dialog).findByText('Giulia')).toBeDefined()
  await user.click(await toThree())
  await within(dialog).findByText('Mamma di Giulia')
  await user.click(within(dialog).getByRole('button', { name: 'Chiudi' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(window.history.state).not.toMatchObject({ usr: { overlay: 'details' } })
})
