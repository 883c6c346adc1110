import type { AuthError } from '@supabase/auth-js'
import { describe, expect, it } from 'vitest'
import { authServer } from '../auth-server.ts'
import {
  type Client,
  clientOf,
  newPerson,
  ok,
  raw,
  rawRefused,
  refusal,
  refused,
} from './clients.ts'
import { someText, textLike } from './matchers.ts'

const server = await authServer()

const factorId = '5a9b1f3e-2f5c-4d0e-9c57-3c1f6a0b7d11'

type Call = (client: Client) => Promise<{ error: AuthError | null }>

const calls: [string, Call, number, string][] = [
  ['signInWithSSO', (c) => c.signInWithSSO({ domain: 'x.it' }), 404, 'saml_provider_disabled'],
  [
    'signInWithSSO by its id',
    (c) => c.signInWithSSO({ providerId: factorId, options: { redirectTo: 'http://localhost' } }),
    404,
    'saml_provider_disabled',
  ],
  [
    'signInWithIdToken',
    (c) => c.signInWithIdToken({ provider: 'google', token: 'a.b.c' }),
    400,
    'provider_disabled',
  ],
  ['linkIdentity', (c) => c.linkIdentity({ provider: 'google' }), 404, 'manual_linking_disabled'],
  [
    'mfa.enroll of a telephone number',
    (c) => c.mfa.enroll({ factorType: 'phone', phone: '+393331234567' }),
    422,
    'mfa_phone_enroll_not_enabled',
  ],
  [
    'mfa.enroll of a key',
    (c) => c.mfa.enroll({ factorType: 'webauthn', friendlyName: 'mine' }),
    422,
    'mfa_webauthn_enroll_not_enabled',
  ],
]

describe('what is not offered', () => {
  it.each(calls)('%s says so', async (_name, call, status, code) => {
    const { client, id } = await newPerson(server)
    expect(await refusal(call(client))).toMatchObject({ name: 'AuthApiError', status, code })
    // The session stays.
    expect((await ok(client.getUser())).user.id).toBe(id)
  })

  it.each(calls.slice(0, 3))('%s says so to who has no session', async (_n, call, status, code) => {
    const client = clientOf(server, { flowType: 'pkce' })
    await refused(call(client), code, status)
  })

  it('signInWithOAuth leads to where it is said', async () => {
    const client = clientOf(server)
    const { url } = await ok(client.signInWithOAuth({ provider: 'google' }))
    expect(url).toBe(`${server.url}/authorize?provider=google`)
    await rawRefused(raw(server, 'GET', '/authorize?provider=google'), 400, 'validation_failed')
  })

  it('unlinkIdentity says so, of the one identity there is', async () => {
    const { client, id, email } = await newPerson(server)
    const { identities } = await ok(client.getUserIdentities())
    expect(identities).toMatchObject([
      {
        provider: 'email',
        user_id: id,
        identity_id: textLike(/^[0-9a-f-]{36}$/),
        identity_data: { sub: id, email, email_verified: true },
      },
    ])
    const [identity] = identities
    if (!identity) throw new Error('no identity')
    await refused(client.unlinkIdentity(identity), 'manual_linking_disabled', 404)
  })
})

describe('what only the newest client knows', () => {
  it.each([
    ['POST', '/passkeys/authentication/options'],
    ['GET', '/admin/oauth/clients'],
    ['POST', '/no-such-call'],
  ])('is not there: %s %s', async (method, path) => {
    const { session } = await newPerson(server)
    const options = { token: session.access_token, ...(method === 'POST' && { body: {} }) }
    const { status, json } = await raw(server, method, path, options)
    expect([status, json]).toMatchObject([404, { code: 404, error_code: someText }])
  })

  it('does not trouble its client', async () => {
    const { client } = await newPerson(server)
    expect(await refusal(client.oauth.listGrants())).toMatchObject({ status: 404 })
    const web3 = client.signInWithWeb3({
      chain: 'solana',
      message: 'x',
      signature: new Uint8Array([1]),
    })
    await refused(web3, 'web3_provider_disabled', 422)
  })
})
