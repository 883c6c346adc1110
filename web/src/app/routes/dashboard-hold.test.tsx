import { getOrder, type OrderHold } from '@bancone/contract/order-details'
import { holdOrder, releaseOrder } from '@bancone/contract/order-retention'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill } from '../../../test/fill.ts'
import { detailsOf, order, pharmacy } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { openDetails } from '../../../test/open-details.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { failure } from '../../../test/stub-api.ts'

const one = order(1)
const me = { name: 'Farmacia San Carlo', you: true, here: true }
const held: OrderHold = { reason: 'Reclamo', who: me, at: '2026-01-01T09:00:00Z' }

/** A server that keeps whether the order is held, and can be down. */
function server(first: OrderHold | null) {
  const state = { hold: first, isDown: false }
  const api = serverWith([one])
    .on(getOrder, () => detailsOf(one, { hold: state.hold }))
    .on(holdOrder, ({ body }) => {
      if (state.isDown) return failure('service.unavailable')
      return (state.hold = { ...held, ...body })
    })
    .on(releaseOrder, () => {
      state.hold = null
      return {}
    })
  return { api, state }
}
const findSection = () => screen.findByRole('region', { name: 'Eliminazione dei dati' })
const findButton = async (name: string) =>
  within(await findSection()).findByRole('button', { name })

test('an owner holds an order with a reason, which survives a failure', async () => {
  const { api, state } = server(null)
  state.isDown = true
  const { user } = await openDetails(api, 1)
  await user.click(await findButton("Blocca l'eliminazione"))
  const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Motivo' })
  await focused(field)
  await user.click(await findButton("Blocca l'eliminazione"))
  const missing = await screen.findByText('Scrivi il motivo.')
  expect(field.getAttribute('aria-describedby')).toBe(missing.id)
  fill(field, ' Reclamo ')
  await user.click(await findButton("Blocca l'eliminazione"))
  const alert = await within(await findSection()).findByRole('alert')
  expect(alert.textContent).toContain('non è disponibile')
  expect(field.value).toBe(' Reclamo ')
  state.isDown = false
  await user.click(await findButton("Blocca l'eliminazione"))
  expect(await within(await findSection()).findByText('Bloccata: Reclamo')).toBeDefined()
  await focused(await findButton("Sblocca l'eliminazione"))
})

test('an owner releases it after a question', async () => {
  const { api } = server(held)
  const { user } = await openDetails(api, 1)
  const section = await findSection()
  expect(within(section).getByText('Bloccata: Reclamo')).toBeDefined()
  expect(section.textContent).toContain('tu · 01/01/2026 10:00')
  await user.click(await findButton("Sblocca l'eliminazione"))
  const dialog = await screen.findByRole('dialog', { name: "Sbloccare l'eliminazione?" })
  await user.click(within(dialog).getByRole('button', { name: 'Sblocca' }))
  await focused(await findButton("Blocca l'eliminazione"))
  expect(screen.queryByText('Bloccata: Reclamo')).toBeNull()
})

test('staff see that it is held, and nothing else', async () => {
  const staff = () => ({ ...pharmacy, role: 'staff' as const })
  const { user } = await openDetails(server(held).api.on(getOwnPharmacy, staff), 1)
  expect(within(await findSection()).queryByRole('button')).toBeNull()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('an order without a customer has nothing to hold', async () => {
  await openDetails(serverWith([order(2, { Cliente: '' })]), 2)
  await screen.findByRole('region', { name: 'Cronologia' })
  expect(screen.queryByRole('region', { name: 'Eliminazione dei dati' })).toBeNull()
})

test('what a colleague has held meanwhile is shown instead of the form, and can be released', async () => {
  const { api, state } = server(null)
  api.on(holdOrder, () => failure('orders.already_held'))
  const { user } = await openDetails(api, 1)
  await user.click(await findButton("Blocca l'eliminazione"))
  fill(await screen.findByRole('textbox', { name: 'Motivo' }), 'Altro')
  state.hold = held
  await user.click(await findButton("Blocca l'eliminazione"))
  expect(await within(await findSection()).findByText('Bloccata: Reclamo')).toBeDefined()
  expect(screen.queryByRole('textbox', { name: 'Motivo' })).toBeNull()
  await focused(await findButton("Sblocca l'eliminazione"))
})
