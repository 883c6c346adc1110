import { createHmac } from 'node:crypto'
import type { OpenIdSandbox } from '@bancone/sandbox/openid'
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { beforeAll, expect, it } from 'vitest'
import type { AuthServer } from '../auth-server.ts'
import { PROVIDER, serverWithProvider } from '../external-sign-in.ts'

/** Attacks with ID tokens. */

let server: AuthServer
let idp: OpenIdSandbox

beforeAll(async () => {
  ;({ server, idp } = await serverWithProvider())
})

let addresses = 0

/** A user who has an account at the provider under the same address. */
async function both(): Promise<{ id: string; email: string; sub: string }> {
  addresses += 1
  const email = `esterno${addresses}@example.it`
  const { sub } = idp.put({ email })
  return { email, sub, id: await server.addUser(email) }
}

async function linkedTo(id: string): Promise<unknown[]> {
  const { rows } = await server.database.pool.query<{ subject: string }>(
    'select subject from auth_identities where user_id = $1',
    [id],
  )
  return rows
}

function grant(payload: object, headers: Record<string, string> = {}) {
  return server.app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=id_token',
    headers,
    payload: { provider: PROVIDER, ...payload },
  })
}

it('an ID token that another key or no key has signed opens nothing', async () => {
  const { email, sub, id } = await both()
  const claims = { iss: idp.issuer, aud: 'bancone', sub, email, email_verified: true }
  const { privateKey } = await generateKeyPair('ES256')
  const published = Buffer.from(await (await fetch(`${idp.issuer}/jwks`)).text())
  const sign = (alg: string, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg, kid: 'sandbox' })
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(key)
  const forged = [
    await sign('ES256', privateKey),
    await sign('HS256', published),
    await sign('HS256', createHmac('sha256', 'a secret of the tests').digest()),
    new UnsecuredJWT(claims).setIssuedAt().setExpirationTime('5m').encode(),
    'x',
  ]
  for (const id_token of forged) {
    const reply = await grant({ id_token })
    expect([reply.statusCode, reply.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'Bad ID token' },
    ])
  }
  expect(await linkedTo(id)).toEqual([])
  expect((await grant({ id_token: idp.idToken(email) })).statusCode).toBe(200)
})

it('an ID token is not linked without a session, nor with one that has ended', async () => {
  const { email } = await both()
  const payload = { id_token: idp.idToken(email), link_identity: true }
  expect((await grant(payload)).statusCode).toBe(401)
  const headers = await server.signIn(email)
  await server.app.inject({ method: 'POST', url: '/auth/v1/logout?scope=local', headers })
  expect((await grant(payload, headers)).json()).toMatchObject({
    error_code: 'session_not_found',
  })
})

it.each([{}, { id_token: '' }, { id_token: 7 }, { id_token: 'x'.repeat(16_385) }])(
  'an ID token that is none is refused: %o',
  async (payload) => {
    expect((await grant(payload)).json()).toMatchObject({ error_code: 'validation_failed' })
  },
)
