import {
  changePharmacyEmail,
  getPharmacyAccount,
  type PharmacyAccount,
  readOrdersAgain,
  resetSecondFactors,
  sendPharmacyLink,
} from '@bancone/contract/pharmacy-actions'
import { removeProductImage } from '@bancone/contract/product-images'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderAdminPart } from '../../../test/administration.ts'
import { fill } from '../../../test/fill.ts'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { failure, StubApi } from '../../../test/stub-api.ts'
import { PharmacyActions } from './pharmacy-actions.tsx'

const pharmacyId = '3f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d41'

function open(traits: Partial<PharmacyAccount> = {}) {
  let account: PharmacyAccount = {
    email: 'farmacia@example.it',
    hasJoined: true,
    secondFactors: 1,
    lastSignInAt: '2026-01-05T07:30:00Z',
    isOnAirtable: true,
    ...traits,
  }
  const api = new StubApi()
    .on(getPharmacyAccount, () => account)
    .on(resetSecondFactors, () => (account = { ...account, secondFactors: 0 }))
    .on(sendPharmacyLink, () => ({
      sent: account.hasJoined ? ('recovery' as const) : ('invitation' as const),
    }))
    .on(changePharmacyEmail, ({ body: { email } }) =>
      email === 'presa@example.it'
        ? failure('pharmacies.email_taken', 'Questa email ha già un account')
        : (account = { ...account, email }),
    )
    .on(readOrdersAgain, () => ({}))
    .on(removeProductImage, ({ params: { minsan } }) =>
      minsan === '012745093' ? {} : failure('product_images.not_found'),
    )
  return renderAdminPart(<PharmacyActions pharmacyId={pharmacyId} />, api)
}

const button = (name: string) => screen.findByRole('button', { name })
const inDialog = async () => within(await screen.findByRole('dialog'))
const sent = ({ requests }: StubApi, method: string) =>
  requests
    .filter((one) => one.method === method)
    .map(({ path, body }) => [path.split('/').slice(3).join('/'), body])

test('the second factor is reset after a question, and then cannot be reset', async () => {
  const { api, user } = open()
  expect(await screen.findByText("Ultimo accesso dell'account: 05/01/2026 08:30.")).toBeDefined()
  await user.click(await button('Azzera la verifica in due passaggi'))
  const dialog = await inDialog()
  await user.click(dialog.getByRole('button', { name: 'Azzera' }))
  expect(await screen.findByText('Verifica in due passaggi azzerata')).toBeDefined()
  expect(sent(api, 'DELETE')).toEqual([[`pharmacies/${pharmacyId}/account/factors`, undefined]])
  const reset = await button('Azzera la verifica in due passaggi')
  expect(inactive(reset)).toBe(true)
  await focused(reset)
})

test('an administrator whose session is merely open is told what to do', async () => {
  const { api, user } = open()
  api.on(resetSecondFactors, () => failure('session.reauthentication_needed'))
  await user.click(await button('Azzera la verifica in due passaggi'))
  const dialog = await inDialog()
  await user.click(dialog.getByRole('button', { name: 'Azzera' }))
  const alert = await dialog.findByRole('alert')
  expect(alert.textContent).toBe('Per continuare accedi di nuovo con la tua password.')
})

test('the address is changed, and a taken one is said at the field', async () => {
  const { api, user } = open()
  await user.click(await button('Cambia indirizzo email'))
  const dialog = await inDialog()
  const field = dialog.getByRole('textbox', { name: 'Nuovo indirizzo email' })
  await focused(field)
  fill(field, 'niente')
  await user.click(dialog.getByRole('button', { name: 'Cambia indirizzo' }))
  expect(await dialog.findByText('Inserisci un indirizzo email valido.')).toBeDefined()
  fill(field, 'presa@example.it')
  await user.click(dialog.getByRole('button', { name: 'Cambia indirizzo' }))
  expect(await dialog.findByText('Questa email ha già un account')).toBeDefined()
  fill(field, 'nuova@example.it')
  await user.click(dialog.getByRole('button', { name: 'Cambia indirizzo' }))
  expect(await screen.findByText('Indirizzo email cambiato')).toBeDefined()
  expect(await screen.findByText(/^Ora è nuova@example\.it/)).toBeDefined()
  expect(sent(api, 'PUT').at(-1)).toEqual([
    `pharmacies/${pharmacyId}/account/email`,
    { email: 'nuova@example.it' },
  ])
})

test('an invitation is sent again to who has not joined', async () => {
  const { user } = open({ hasJoined: false, lastSignInAt: null, secondFactors: 0 })
  expect(await screen.findByText("L'account non ha mai fatto accesso.")).toBeDefined()
  await user.click(await button("Invia di nuovo l'invito"))
  await user.click((await inDialog()).getByRole('button', { name: 'Invia' }))
  expect(await screen.findByText('Invito inviato')).toBeDefined()
})

test('the orders are read again only where they come from Airtable', async () => {
  const { api, user } = open()
  await user.click(await button('Rileggi gli ordini'))
  await user.click((await inDialog()).getByRole('button', { name: 'Rileggi' }))
  expect(await screen.findByText('Rilettura degli ordini avviata')).toBeDefined()
  expect(sent(api, 'POST')).toEqual([[`pharmacies/${pharmacyId}/order-readings`, undefined]])
})

test('a pharmacy that does not use Airtable has no orders to read again', async () => {
  open({ isOnAirtable: false })
  expect(inactive(await button('Rileggi gli ordini'))).toBe(true)
})

test('a picture leaves the archive by its code, as it is printed', async () => {
  const { user } = open()
  await user.click(await button("Togli un'immagine dall'archivio"))
  const dialog = await inDialog()
  const field = dialog.getByRole('textbox', { name: 'Codice del prodotto (Minsan)' })
  const remove = dialog.getByRole('button', { name: 'Togli' })
  fill(field, '12')
  await user.click(remove)
  expect(await dialog.findByText('Inserisci un codice valido.')).toBeDefined()
  fill(field, '900000001')
  await user.click(remove)
  expect(
    await dialog.findByText("Nell'archivio non c'è un'immagine con questo codice."),
  ).toBeDefined()
  fill(field, 'A012745093')
  await user.click(remove)
  expect(await screen.findByText("Immagine tolta dall'archivio")).toBeDefined()
})
