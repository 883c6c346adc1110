import { listOrders } from '@bancone/contract/orders'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { orders, pageOf, sessionOf, userId } from '../../test/fixtures.ts'
import { renderApp, serverWith } from '../../test/render-app.tsx'
import { deferred, failure } from '../../test/stub-api.ts'

const renewed = () => sessionOf(userId, { lasts: 7200 })

/** The API takes only the renewed token, as when the key that signed the other one was revoked. */
function revokedKey() {
  const api = serverWith(orders(1))
  return api.on(listOrders, ({ query }) => {
    const { bearer } = api.requests.at(-1) ?? {}
    const fresh = bearer === `Bearer ${renewed().access_token}`
    return fresh ? pageOf(orders(1), query) : failure('session.missing')
  })
}

const refreshes = (api: ReturnType<typeof revokedKey>) =>
  api.requests.filter(({ path }) => path.includes('grant_type=refresh_token')).length

test('a token that is refused while its session lives is renewed without a message', async () => {
  const api = revokedKey().auth('POST', '/token', () => Response.json(renewed()))
  renderApp('/', api)
  expect(await screen.findByText('Cliente 1')).toBeDefined()
  expect(refreshes(api)).toBe(1)
  expect(location.pathname).toBe('/')
})

test('a server that refuses and then cannot be asked ends no session', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const answer = deferred<Response>()
  const api = revokedKey().auth('POST', '/token', () => answer.promise)
  renderApp('/', api)
  await waitFor(() => expect(refreshes(api)).toBe(1))
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  expect(await screen.findByText(/errore nel caricamento degli ordini/)).toBeDefined()
  expect(location.pathname).toBe('/')
  expect(screen.queryByRole('heading', { name: 'Accedi' })).toBeNull()
  // What comes after all is good for the next try. The auth client has waited for it.
  await act(async () => answer.resolve(Response.json(renewed())))
  fireEvent.click(screen.getByRole('button', { name: 'Riprova' }))
  expect(await screen.findByText('Cliente 1')).toBeDefined()
})
