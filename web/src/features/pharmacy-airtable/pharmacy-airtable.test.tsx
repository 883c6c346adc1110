import {
  type PharmacyAirtable as Airtable,
  type AirtableAccess,
  checkAirtableAccess,
  getPharmacyAirtable,
  removeAirtableToken,
  setAirtableToken,
} from '@bancone/contract/airtable'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderAdminPart } from '../../../test/administration.ts'
import { fill } from '../../../test/fill.ts'
import { StubApi } from '../../../test/stub-api.ts'
import { PharmacyAirtable } from './pharmacy-airtable.tsx'

const pharmacyId = '3f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d41'
const good = 'patGood000000001.abcdef'
const works: AirtableAccess = { problem: null, canReadSchema: true, canManageWebhooks: false }
const refused: AirtableAccess = { ...works, problem: 'wrong_token' }

function open(traits: Partial<Airtable> = {}) {
  let airtable: Airtable = {
    baseId: 'appBase0000000001',
    token: { origin: 'server', setAt: null, isReadable: true },
    otherPharmacies: 0,
    webhook: { state: 'active', pingedAt: '2026-01-05T07:30:00Z', expiresAt: null },
    ...traits,
  }
  const own = { origin: 'own', setAt: '2026-01-06T07:30:00Z', isReadable: true } as const
  const api = new StubApi()
    .on(getPharmacyAirtable, () => airtable)
    .on(setAirtableToken, ({ body: { token } }) => {
      const isGood = token === good
      if (isGood) airtable = { ...airtable, token: own }
      return { check: isGood ? works : refused, airtable }
    })
    .on(removeAirtableToken, () => {
      airtable = { ...airtable, token: { ...own, origin: 'server', setAt: null } }
      return airtable
    })
    .on(checkAirtableAccess, () => works)
  return renderAdminPart(<PharmacyAirtable pharmacyId={pharmacyId} />, api)
}

test('a token is set after it was tried, and is not shown again', async () => {
  const { user } = open()
  expect(await screen.findByText('Token del server')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Imposta token' }))
  const dialog = within(screen.getByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Prova e salva' }))
  expect(dialog.getByText('Incolla il token per intero: comincia con «pat».')).toBeDefined()
  fill(dialog.getByLabelText('Token'), 'patWrong00000001.abcdef')
  await user.click(dialog.getByRole('button', { name: 'Prova e salva' }))
  expect(await dialog.findByText(/Airtable non riconosce il token/)).toBeDefined()
  fill(dialog.getByLabelText('Token'), good)
  await user.click(dialog.getByRole('button', { name: 'Prova e salva' }))
  expect(await screen.findByText(/^Token della base, impostato il/)).toBeDefined()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByText(/webhook:manage, per gli avvisi/)).toBeDefined()
  expect(document.body.innerHTML).not.toContain(good)
})

test('it is removed after a question that names the other pharmacies', async () => {
  const { user } = open({
    token: { origin: 'own', setAt: '2026-01-06T07:30:00Z', isReadable: true },
    otherPharmacies: 2,
  })
  await user.click(await screen.findByRole('button', { name: 'Rimuovi token' }))
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByText(/altre 2 farmacie: il token vale per tutte/)).toBeDefined()
  expect(dialog.getByText(/con il token del server, se c’è e può vederla/)).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Rimuovi' }))
  expect(await screen.findByText('Token del server')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Rimuovi token' })).toBeNull()
})

test('the token can be checked, and one of another secret is reported', async () => {
  const { user } = open({
    token: { origin: 'none', setAt: '2026-01-06T07:30:00Z', isReadable: false },
    webhook: { state: 'no_scope', pingedAt: null, expiresAt: null },
  })
  expect(await screen.findByText(/non si può più leggere/)).toBeDefined()
  expect(screen.getByText(/ha bisogno del permesso webhook:manage/)).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Verifica token' }))
  expect(await screen.findByText('Il token legge gli ordini')).toBeDefined()
})

test('without any token the page asks for one', async () => {
  open({
    token: { origin: 'none', setAt: null, isReadable: true },
    webhook: { state: 'no_token', pingedAt: null, expiresAt: null },
  })
  expect(await screen.findByText('Serve un token per ricevere gli avvisi.')).toBeDefined()
})
