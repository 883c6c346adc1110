import { createHash } from 'node:crypto'
import type { OpenIdSandbox } from '@bancone/sandbox/openid'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { AuthServer } from '../auth-server.ts'
import { createBrowser, PROVIDER, serverWithProvider } from '../external-sign-in.ts'
import { expectRefused } from './replies.ts'

/** Revoking what an external sign-in has opened. */

let server: AuthServer
let idp: OpenIdSandbox

beforeAll(async () => {
  ;({ server, idp } = await serverWithProvider())
})

const authorize = `http://localhost:3000/auth/v1/authorize?provider=${PROVIDER}`
const verifier = 'v'.repeat(50)
const challenge = createHash('sha256').update(verifier).digest('base64url')

type Headers = { authorization: string }

let people = 0

async function both(): Promise<{ id: string; email: string }> {
  people += 1
  const email = `fine${people}@example.it`
  idp.put({ email })
  return { email, id: await server.addUser(email) }
}

async function signIn(email: string): Promise<Headers> {
  const { fragment } = await createBrowser(server).signIn(authorize, email)
  return { authorization: `Bearer ${fragment.get('access_token')}` }
}

/** An auth code from the provider, not yet exchanged. */
async function codeOf(email: string): Promise<string> {
  const asking = `${authorize}&code_challenge=${challenge}&code_challenge_method=s256`
  const { url } = await createBrowser(server).signIn(asking, email)
  const code = url.searchParams.get('code') ?? ''
  expect(code).not.toBe('')
  return code
}

const exchange = (auth_code: string) =>
  server.app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=pkce',
    payload: { auth_code, code_verifier: verifier },
  })

const isIn = async (headers: Headers) =>
  (await server.app.inject({ url: '/auth/v1/user', headers })).statusCode === 200

async function unlink(headers: Headers): Promise<void> {
  const user = await server.app.inject({ url: '/auth/v1/user', headers })
  const { identities } = user.json<{ identities: { identity_id: string; provider: string }[] }>()
  const linked = identities.find((identity) => identity.provider === PROVIDER)
  const url = `/auth/v1/user/identities/${linked?.identity_id}`
  expect((await server.app.inject({ method: 'DELETE', url, headers })).statusCode).toBe(200)
}

describe('another service that is unlinked', () => {
  it('ends the sessions it opened, but the one that unlinks it', async () => {
    const { email } = await both()
    const [thief, owner] = [await signIn(email), await signIn(email)]
    const withPassword = await server.signIn(email)
    const stranger = await signIn((await both()).email)
    await unlink(owner)
    expect(await isIn(thief)).toBe(false)
    for (const headers of [owner, withPassword, stranger]) expect(await isIn(headers)).toBe(true)
  })

  it('opens no session with a code of before', async () => {
    const { id, email } = await both()
    const code = await codeOf(email)
    await unlink(await server.signIn(email))
    const reply = await exchange(code)
    expectRefused(reply, 404, 'flow_state_not_found')
    const { rowCount } = await server.database.pool.query(
      'select from auth_flow_states where user_id = $1',
      [id],
    )
    expect(rowCount).toBe(0)
  })
})

it('a password that an administrator sets is the only way in from then on', async () => {
  const { id, email } = await both()
  const thief = await signIn(email)
  const actor = { actorId: null, address: '::', agent: null }
  const { users } = server.auth
  // A change unrelated to sign-in keeps the identity linked.
  await users.change(id, { userMetadata: { full_name: 'Anna' } }, actor)
  expect(await isIn(thief)).toBe(true)
  const changed = await users.change(id, { password: 'una frase tutta nuova' }, actor)
  expect(changed.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
  expect(changed.identities.map(({ provider }) => provider)).toEqual(['email'])
  expect(await isIn(thief)).toBe(false)
  expect((await createBrowser(server).signIn(authorize, email)).error).toBe('identity_not_found')
  await vi.waitUntil(
    async () => {
      const subjects = (await server.mails()).filter(({ to }) => to === email)
      return subjects.some(({ subject }) => subject.startsWith('DemoID scollegato'))
    },
    { timeout: 10_000, interval: 50 },
  )
})
