import { listApiKeys } from '@bancone/contract/api-keys'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { colleagueServer, staffPharmacy } from '../../../test/colleagues.ts'
import { pharmacy } from '../../../test/fixtures.ts'
import { renderApp } from '../../../test/render-app.tsx'
import { failure, rawReply } from '../../../test/stub-api.ts'
import { accountPages } from '../shell/navigation.ts'

const server = () => colleagueServer([]).on(listApiKeys, () => ({ keys: [] }))
const staffServer = () => server().on(getOwnPharmacy, () => staffPharmacy)

test('owners go from one account page to another, and see which one they are on', async () => {
  const { user } = renderApp('/account/api-keys', server())
  const navigation = within(await screen.findByRole('navigation', { name: 'Account' }))
  const current = () => navigation.getByRole('link', { current: 'page' }).textContent
  // The links for owners are there when the role is known.
  await waitFor(() => expect(current()).toBe('Chiavi API'))
  await user.click(navigation.getByRole('link', { name: 'Colleghi' }))
  expect(await screen.findByRole('heading', { name: 'Colleghi' })).toBeDefined()
  expect(current()).toBe('Colleghi')
})

/** What the frame of every page asks for. */
const ofTheFrame = [
  '/api/pharmacy',
  '/api/airtable-orders?page=1&pageSize=20',
  '/api/support-contact',
  '/api/notice',
]

const forOwners = accountPages.flatMap((entry) => ('role' in entry ? entry.to : []))

test.each(forOwners)('%s says to others who can do it, and asks for nothing', async (path) => {
  const api = staffServer()
  renderApp(path, api)
  expect(await screen.findByRole('heading', { name: / titolari$/ })).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
  const tabs = within(screen.getByRole('navigation', { name: 'Account' })).getAllByRole('link')
  expect(tabs.map(({ textContent }) => textContent)).toEqual(['Sicurezza', 'Prova del lettore'])
  expect(api.requests.filter((sent) => !ofTheFrame.includes(sent.path))).toEqual([])
})

test('an answer that only owners get is no error, once it is known that one is none', async () => {
  const api = server().on(listApiKeys, () => {
    api.on(getOwnPharmacy, () => staffPharmacy)
    return failure('access.owners_only')
  })
  renderApp('/account/api-keys', api)
  expect(
    await screen.findByRole('heading', { name: 'Le chiavi API sono per i titolari' }),
  ).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
})

test('without the pharmacy it is not known whose page it is: that can be asked again', async () => {
  const api = server().on(getOwnPharmacy, () => rawReply('<html>', 500))
  const { user } = renderApp('/account/colleagues', api)
  const button = await screen.findByRole('button', { name: 'Riprova' })
  api.on(getOwnPharmacy, () => pharmacy)
  await user.click(button)
  expect(await screen.findByRole('heading', { name: 'Colleghi' })).toBeDefined()
})
