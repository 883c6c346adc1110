import { createHash } from 'node:crypto'
import type { OpenIdSandbox } from '@bancone/sandbox/openid'
import { beforeAll, expect, it } from 'vitest'
import type { AuthServer } from '../auth-server.ts'
import { createBrowser, PROVIDER, serverWithProvider } from '../external-sign-in.ts'
import { untilBlocked } from '../lock-waits.ts'
import { addFactor, claimsOf, elevateSession } from '../second-factor.ts'
import { expectRefused } from './replies.ts'

/** Concurrent calls on one account, of which one removes what the other is about to use. */

let server: AuthServer
let idp: OpenIdSandbox

beforeAll(async () => {
  ;({ server, idp } = await serverWithProvider())
})

const authorize = `http://localhost:3000/auth/v1/authorize?provider=${PROVIDER}`

let people = 0

async function newUser() {
  people += 1
  const email = `insieme${people}@example.it`
  idp.put({ email })
  return { email, id: await server.addUser(email), headers: await server.signIn(email) }
}

type Answer = { statusCode: number; json(): unknown }

/**
 * The response to a call that waits for another transaction.
 *
 * @param first the other transaction's work before the call
 * @param then its work while the call waits
 */
async function meanwhile(
  [first, ...then]: readonly [string, ...string[]],
  id: string,
  call: () => Promise<Answer>,
): Promise<Answer> {
  const other = await server.database.pool.connect()
  try {
    await other.query('begin')
    await other.query(first, [id])
    const calling = call()
    await untilBlocked(server.database.pool)
    for (const text of then) await other.query(text, [id])
    await other.query('commit')
    return await calling
  } finally {
    other.release(true)
  }
}

it('a code that is taken away while it is exchanged opens nothing, and blocks no request', async () => {
  const { id, email } = await newUser()
  const verifier = 'v'.repeat(50)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const asking = `${authorize}&code_challenge=${challenge}&code_challenge_method=s256`
  const { url: back } = await createBrowser(server).signIn(asking, email)
  const payload = { auth_code: back.searchParams.get('code'), code_verifier: verifier }
  expect(payload.auth_code).toBeTruthy()
  const url = '/auth/v1/token?grant_type=pkce'
  const exchange = () => server.app.inject({ method: 'POST', url, payload })
  // Like all code that changes an account: locks its row first.
  const changes = [
    'select from auth_users where id = $1 for update',
    'delete from auth_flow_states where user_id = $1',
  ] as const
  const reply = await meanwhile(changes, id, exchange)
  expectRefused(reply, 404, 'flow_state_not_found')
})

it('a factor that is taken away is challenged no more', async () => {
  const { id, headers } = await newUser()
  const factorId = await addFactor(server.database, id)
  await elevateSession(server.database, headers)
  const url = `/auth/v1/factors/${factorId}/challenge`
  const challenge = () => server.app.inject({ method: 'POST', url, headers, payload: {} })
  const reply = await meanwhile(['delete from auth_factors where id = $1'], factorId, challenge)
  expectRefused(reply, 404, 'mfa_factor_not_found')
})

it('a user who is signed out while they leave to link another service gets session_not_found', async () => {
  const { headers } = await newUser()
  const { session_id: id } = claimsOf(headers)
  const leave = () =>
    createBrowser(server).open(
      authorize.replace('/authorize?', '/user/identities/authorize?'),
      headers,
    )
  const reply = await meanwhile(['delete from auth_sessions where id = $1'], id, leave)
  expectRefused(reply, 403, 'session_not_found')
  const { rowCount } = await server.database.pool.query('select from auth_external_flows')
  expect(rowCount).toBe(0)
})
