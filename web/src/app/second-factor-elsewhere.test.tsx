import { listOrders } from '@bancone/contract/orders'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { orders, pageOf, sessionOf, userId } from '../../test/fixtures.ts'
import { renderApp, serverWith, storeSession } from '../../test/render-app.tsx'
import { failure, type StubApi } from '../../test/stub-api.ts'
import { call } from '../lib/api.ts'

const old = sessionOf()
const half = sessionOf(userId, { apps: ['Telefono'] })
const whole = sessionOf(userId, { apps: ['Telefono'], elevated: true })

/** The API takes only sessions whose second factor was shown. */
function server() {
  const api = serverWith(orders(1))
  return api.on(listOrders, ({ query }) => {
    const good = api.requests.at(-1)?.bearer === `Bearer ${whole.access_token}`
    return good ? pageOf(orders(1), query) : failure('session.second_factor_needed')
  })
}

const refreshes = (api: StubApi) =>
  api.requests.filter(({ path }) => path.includes('grant_type=refresh_token')).length

test('a second factor that this browser did not know of is asked for where it is wanted', async () => {
  const api = server().auth('POST', '/token', () => Response.json(half))
  storeSession('pharmacy', old)
  renderApp('/?page=1', api, { signedIn: false })
  expect(await screen.findByRole('heading', { name: 'Verifica in due passaggi' })).toBeDefined()
  expect(refreshes(api)).toBe(1)
  expect(window.history.state).toMatchObject({ usr: { from: '/?page=1' } })
})

test('one that was shown in another tab is not asked for again', async () => {
  const api = server().auth('POST', '/token', () => Response.json(whole))
  storeSession('pharmacy', old)
  renderApp('/', api, { signedIn: false })
  expect(await screen.findByText('Cliente 1')).toBeDefined()
  await waitFor(() => expect(refreshes(api)).toBe(1))
})

test('who is known to need it is not refreshed for it', async () => {
  const api = server()
  api.install()
  storeSession('pharmacy', half)
  const query = { page: 1, pageSize: 20 }
  await expect(call(listOrders, { query })).rejects.toMatchObject({
    code: 'session.second_factor_needed',
  })
  expect(refreshes(api)).toBe(0)
})

test('a server that goes on asking is asked once more at most', async () => {
  const api = serverWith([]).on(listOrders, () => failure('session.second_factor_needed'))
  api.auth('POST', '/token', () => Response.json(sessionOf(userId, { lasts: 7200 })))
  api.install()
  storeSession('pharmacy', old)
  const query = { page: 1, pageSize: 20 }
  await expect(call(listOrders, { query })).rejects.toMatchObject({ status: 403 })
  expect(api.requests.filter(({ path }) => path.startsWith('/api/'))).toHaveLength(2)
})
