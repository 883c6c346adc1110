import { getOwnAdministrator } from '@bancone/contract/administrators'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { administrator, orders, pharmacy, sessionOf } from '../../test/fixtures.ts'
import { renderApp, serverWith, storeSession } from '../../test/render-app.tsx'
import { failure } from '../../test/stub-api.ts'
import { call } from '../lib/api.ts'
import { clearAreaCache, endpointKey } from '../lib/endpoint-query.ts'
import { adminSession, pharmacySession } from '../lib/session.ts'
import { storageKeys } from '../lib/storage-keys.ts'

const ofAdministrator = sessionOf(administrator.id)

function server() {
  return serverWith(orders(1)).on(getOwnAdministrator, () => administrator)
}

test('a page of the pharmacy does not follow the session of the administration', async () => {
  renderApp('/', server())
  await screen.findByText('Cliente 1')
  expect(adminSession.state()).toEqual({ status: 'loading' })
})

test('each endpoint is called with the session of its area', async () => {
  const api = server()
  api.install()
  storeSession('pharmacy')
  storeSession('admin', ofAdministrator)
  await call(getOwnPharmacy, {})
  await call(getOwnAdministrator, {})
  expect(api.requests.map(({ bearer }) => bearer)).toEqual([
    `Bearer ${sessionOf().access_token}`,
    `Bearer ${ofAdministrator.access_token}`,
  ])
})

test("an administrator's session that is over does not end the pharmacy's", async () => {
  const api = server().on(getOwnAdministrator, () => failure('session.missing'))
  storeSession('admin', ofAdministrator)
  renderApp('/', api)
  await screen.findByText('Cliente 1')
  await expect(call(getOwnAdministrator, {})).rejects.toMatchObject({ status: 401 })
  expect(localStorage.getItem(storageKeys.admin.session)).toBeNull()
  expect(screen.getByText('Cliente 1')).toBeDefined()
})

test('who leaves the administration leaves the data of the pharmacy, and the other way round', async () => {
  storeSession('admin', ofAdministrator)
  const { client } = renderApp('/admin/dashboard', server())
  await screen.findByRole('heading', { name: 'Dashboard amministratori' })
  client.setQueryData(endpointKey(getOwnPharmacy, {}), pharmacy)
  act(() => adminSession.signOut())
  expect(client.getQueryData(endpointKey(getOwnAdministrator, {}))).toBeUndefined()
  expect(client.getQueryData(endpointKey(getOwnPharmacy, {}))).toEqual(pharmacy)

  client.setQueryData(endpointKey(getOwnAdministrator, {}), administrator)
  act(() => pharmacySession.signOut())
  expect(client.getQueryData(endpointKey(getOwnPharmacy, {}))).toBeUndefined()
  expect(client.getQueryData(endpointKey(getOwnAdministrator, {}))).toEqual(administrator)
})

test('what was changed in the name of a user is forgotten with what was read', () => {
  const { client } = renderApp('/privacy', server(), { signedIn: false })
  const build = (endpoint: typeof getOwnPharmacy | typeof getOwnAdministrator) =>
    client.getMutationCache().build(client, { mutationKey: endpointKey(endpoint) })
  build(getOwnPharmacy)
  const kept = build(getOwnAdministrator)
  clearAreaCache(client, 'pharmacy')
  expect(client.getMutationCache().getAll()).toEqual([kept])
})
