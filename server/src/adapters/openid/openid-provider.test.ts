import { createHmac } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { OpenIdFailure } from '@bancone/sandbox/openid'
import { startOpenId, type OpenIdOptions as Told, visitOpenId } from '@bancone/sandbox/openid'
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { failureOf as errorOf } from '../../../test/failure-of.ts'
import { foreignServer } from '../../../test/foreign-server.ts'
import { type AuthorizationRequest, IdentityProviderError } from '../../ports/identity-provider.ts'
import type { OpenIdOptions } from './openid-client.ts'
import { createOpenIdProvider } from './openid-provider.ts'

const clientId = 'bancone'
// Must be encoded in the Authorization header.
const clientSecret = 'a secret: 100% + &=/'
const redirectUri = 'http://localhost:3000/auth/v1/callback'
const email = 'anna@example.it'

const departure: AuthorizationRequest = {
  state: 's'.repeat(43),
  nonce: 'n'.repeat(43),
  verifier: 'v'.repeat(43),
  scopes: [],
  loginHint: undefined,
  selectAccount: false,
}

async function start(told: Partial<Told> = {}, options: Partial<OpenIdOptions> = {}) {
  const there = await startOpenId({
    clientId,
    clientSecret,
    redirectUris: [redirectUri],
    accounts: [{ email, name: 'Anna Bianchi', picture: 'https://img.example.it/anna.png' }],
    ...told,
  })
  onTestFinished(() => there.close())
  // Its first answer takes long on a busy machine.
  await fetch(`${there.issuer}/jwks`)
  return { there, provider: providerAt(there.issuer, options) }
}

function providerAt(issuer: string, options: Partial<OpenIdOptions> = {}) {
  return createOpenIdProvider({ issuer, clientId, clientSecret, redirectUri, ...options })
}

type Provider = ReturnType<typeof providerAt>

/** Follows the authorization URL, chooses the account, and returns the callback query. */
async function goThere(provider: Provider, who: string | null = email) {
  return (await visitOpenId(await provider.authorizationUrl(departure), who)).searchParams
}

async function failureOf(work: Promise<unknown>): Promise<IdentityProviderError> {
  const error = await errorOf(work, IdentityProviderError)
  expect(error.message).not.toContain(clientSecret)
  expect(error.cause).toBeUndefined()
  return error
}

describe('a user who is sent to the provider', () => {
  it('carries what the answer is checked against, and returns as their account there', async () => {
    const { there, provider } = await start()
    const url = await provider.authorizationUrl({
      ...departure,
      scopes: ['email', 'phone'],
      selectAccount: true,
    })
    expect(url.origin).toBe(there.issuer)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid email profile phone',
      state: departure.state,
      nonce: departure.nonce,
      code_challenge_method: 'S256',
      prompt: 'select_account',
    })
    expect(url.href).not.toContain(departure.verifier)
    expect(await provider.handleCallback(await goThere(provider), departure)).toEqual({
      subject: `demoid|${email}`,
      email,
      emailVerified: true,
      name: 'Anna Bianchi',
      picture: 'https://img.example.it/anna.png',
    })
  })

  it('is looked up at the provider when the ID token has no claims about them', async () => {
    const { there, provider } = await start({ claimsIn: 'userinfo' })
    const person = await provider.handleCallback(await goThere(provider), departure)
    expect(person).toMatchObject({ email, emailVerified: true, name: 'Anna Bianchi' })
    expect(there.requests).toContain('GET /me')
  })

  it('comes back once', async () => {
    const { provider } = await start()
    const answer = await goThere(provider)
    await provider.handleCallback(answer, departure)
    const error = await failureOf(provider.handleCallback(answer, departure))
    expect(error).toMatchObject({ kind: 'refused', message: 'invalid_grant' })
  })

  it.each(['state', 'nonce', 'verifier'] as const)('comes back with its own %s', async (what) => {
    const { provider } = await start()
    const checks = { ...departure, [what]: 'x'.repeat(43) }
    const error = await failureOf(provider.handleCallback(await goThere(provider), checks))
    expect(error.kind).toBe('refused')
  })

  it('comes back from that provider and no other', async () => {
    const { provider } = await start()
    const answer = await goThere(provider)
    answer.set('iss', 'https://other.example.it')
    expect(await failureOf(provider.handleCallback(answer, departure))).toMatchObject({
      kind: 'refused',
    })
  })

  it.each([
    [{ email_verified: 'true' }, { emailVerified: false }],
    [{ email_verified: 'false' }, { emailVerified: false }],
    [{ email_verified: 1 }, { emailVerified: false }],
    [{ email_verified: false }, { emailVerified: false }],
    [{ email: ' Anna@Example.IT' }, { email, emailVerified: true }],
    [{ email: 'no address' }, { email: null }],
    // The kelvin sign, whose lower case is the letter k.
    [{ email: '\u212Aarla@example.it' }, { email: null }],
    [{ name: 'a\u0000b' }, { name: null, email }],
    [
      { name: 7, picture: 'javascript:alert(1)' },
      { name: null, picture: null, email },
    ],
    [{ picture: 'http://img.example.it/a.png' }, { picture: null }],
  ])('who is said to be %o is %o', async (said, expected) => {
    const { there, provider } = await start()
    const claims = there.idToken(email, said)
    expect(await provider.verifyIdToken({ idToken: claims, nonce: undefined })).toMatchObject(
      expected,
    )
  })
})

describe('an ID token that a client brings', () => {
  async function withToken() {
    const { there, provider } = await start()
    const read = (claims: Record<string, unknown>, nonce?: string) =>
      provider.verifyIdToken({ idToken: there.idToken(email, claims), nonce })
    return { there, provider, read }
  }
  const seconds = Math.floor(Date.now() / 1000)
  const sha256 = '8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4'

  it.each([
    ['no nonce', {}, undefined],
    ['the hash of its nonce', { nonce: sha256 }, 'hi'],
    ['several clients, of whom it was ours', { aud: [clientId, 'x'], azp: clientId }, undefined],
  ])('is believed with %s', async (_what, claims, nonce) => {
    const { read } = await withToken()
    expect(await read(claims, nonce)).toMatchObject({ subject: `demoid|${email}`, email })
  })

  it.each([
    ['another nonce', { nonce: sha256 }, 'ho'],
    ['the nonce that can be read in it', { nonce: sha256 }, sha256],
    ['a nonce that everybody can read in it', { nonce: 'hi' }, 'hi'],
    ['a nonce that was not given', { nonce: 'hi' }, undefined],
    ['no nonce, though one was given', {}, 'hi'],
    ['a nonce that is no text', { nonce: 7 }, '7'],
    ['another issuer', { iss: 'https://other.example.it' }, undefined],
    ['another client', { aud: 'another' }, undefined],
    ['another client that asked', { azp: 'another' }, undefined],
    ['several clients and none that asked', { aud: [clientId, 'x'] }, undefined],
    ['an end in the past', { exp: seconds - 60 }, undefined],
    ['no end', { exp: undefined }, undefined],
    ['a beginning in the future', { nbf: seconds + 600 }, undefined],
    ['no subject', { sub: undefined }, undefined],
    ['a subject that is too long', { sub: 's'.repeat(256) }, undefined],
    ['a subject that cannot be kept', { sub: 'a\u0000' }, undefined],
  ])('is refused with %s', async (_what, claims, nonce) => {
    const { read } = await withToken()
    expect((await failureOf(read(claims, nonce))).kind).toBe('refused')
  })

  it.each(['at+jwt', 'application/at+jwt', 'logout+jwt'])(
    'is refused when it is another token of the provider’s, %s',
    async (type) => {
      const { there, provider } = await start()
      const given = (typ: string) => ({ idToken: there.idToken(email, {}, typ), nonce: undefined })
      expect((await failureOf(provider.verifyIdToken(given(type)))).kind).toBe('refused')
      expect(await provider.verifyIdToken(given('jwt'))).toMatchObject({ email })
    },
  )

  it('is refused when another key or no key has signed it', async () => {
    const { there, provider } = await withToken()
    const claims = { sub: `demoid|${email}`, email, email_verified: true }
    const fields = { issuer: there.issuer, audience: clientId }
    const key = (await generateKeyPair('ES256')).privateKey
    const sign = (header: { alg: string; kid?: string }, secret: Parameters<SignJWT['sign']>[0]) =>
      new SignJWT({ ...claims, iss: fields.issuer, aud: fields.audience })
        .setProtectedHeader(header)
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(secret)
    const unsecured = new UnsecuredJWT({ ...claims, iss: fields.issuer, aud: fields.audience })
    const reply = await fetch(`${there.issuer}/jwks`)
    const published = Buffer.from(await reply.text())
    const [head = '', body = '', signature = ''] = there.idToken(email).split('.')
    const other = Buffer.from(JSON.stringify({ ...claims, sub: 'x' })).toString('base64url')
    const tokens = [
      await sign({ alg: 'ES256', kid: 'sandbox' }, key),
      await sign({ alg: 'ES256', kid: 'another' }, key),
      await sign({ alg: 'HS256', kid: 'sandbox' }, published),
      await sign({ alg: 'HS256' }, createHmac('sha256', clientSecret).digest()),
      unsecured.setIssuedAt().setExpirationTime('5m').encode(),
      `${head}.${other}.${signature}`,
      `${head}.${body}.`,
      'a.b.c',
      'nothing',
    ]
    for (const idToken of tokens) {
      const error = await failureOf(provider.verifyIdToken({ idToken, nonce: undefined }))
      expect([idToken, error.kind]).toEqual([idToken, 'refused'])
    }
  })
})

/** Only silence has to be waited for. */
const limitFor = ({ mode }: OpenIdFailure) => (mode === 'silent' ? { timeLimitMs: 1000 } : {})

const sick: [string, OpenIdFailure][] = [
  ['does not answer', { mode: 'silent' }],
  ['hangs up', { mode: 'hang-up' }],
  ['fails', { mode: 'status', status: 500 }],
  ['is too busy', { mode: 'status', status: 429 }],
  ['answers with a page', { mode: 'page' }],
  ['leads somewhere else', { mode: 'redirect' }],
  ['answers with too much', { mode: 'oversized' }],
]

describe('a provider that', () => {
  it.each(sick)('%s starts no sign-in, and is asked again', async (_what, failure) => {
    const { there, provider } = await start({}, limitFor(failure))
    there.fail({ ...failure, times: 1 })
    expect((await failureOf(provider.authorizationUrl(departure))).kind).toBe('unavailable')
    expect((await provider.authorizationUrl(departure)).origin).toBe(there.issuer)
  })

  it.each(sick)('%s completes no sign-in', async (_what, failure) => {
    const { there, provider } = await start({}, limitFor(failure))
    const answer = await goThere(provider)
    there.fail({ ...failure, path: '/token' })
    expect((await failureOf(provider.handleCallback(answer, departure))).kind).toBe('unavailable')
  })

  it.each(sick)('%s has its keys asked for again', async (_what, failure) => {
    const { there, provider } = await start({}, limitFor(failure))
    const given = { idToken: there.idToken(email), nonce: undefined }
    there.fail({ ...failure, path: '/jwks', times: 1 })
    expect((await failureOf(provider.verifyIdToken(given))).kind).toBe('unavailable')
    expect(await provider.verifyIdToken(given)).toMatchObject({ email })
  })

  it('answers every request slowly is given up after one time limit for all of them', async () => {
    let slow = false
    const { provider } = await start(
      { claimsIn: 'userinfo' },
      {
        timeLimitMs: 1000,
        fetch: async (...asked) => {
          if (slow) await pause(400)
          return fetch(...asked)
        },
      },
    )
    const answer = await goThere(provider)
    slow = true
    // The requests for the token, the keys and the user info, each within its time limit.
    expect((await failureOf(provider.handleCallback(answer, departure))).kind).toBe('unavailable')
  })

  it('calls itself something else is not believed', async () => {
    const { there } = await start()
    const reply = await fetch(`${there.issuer}/.well-known/openid-configuration`)
    const document = await reply.text()
    const other = await foreignServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end(document)
    })
    const error = await failureOf(providerAt(other.origin).authorizationUrl(departure))
    expect(error.kind).toBe('unavailable')
  })

  it('does not take our secret is said to be unavailable: it is no fault of who signs in', async () => {
    const { provider } = await start({}, { clientSecret: 'another' })
    const error = await failureOf(provider.handleCallback(await goThere(provider), departure))
    expect(error.kind).toBe('unavailable')
  })

  it('answers the request for user info with another subject is not believed', async () => {
    const { there, provider } = await start({ claimsIn: 'userinfo' })
    const answer = await goThere(provider)
    const body = { sub: 'demoid|other', email: 'other@example.it', email_verified: true }
    there.fail({ mode: 'json', path: '/me', body })
    expect((await failureOf(provider.handleCallback(answer, departure))).kind).toBe('refused')
  })

  it.each([
    [{ email: 'own@example.it', email_verified: true }, 'own@example.it', true],
    [{ email: 'own@example.it' }, 'own@example.it', false],
    [{ email_verified: true }, email, false],
  ])('that says %o of an address says it of no other', async (said, address, isVerified) => {
    const { there } = await start()
    const { nonce } = departure
    const id_token = there.idToken(email, { nonce, email_verified: undefined })
    const answers = new Map<string, object>([
      ['/token', { access_token: 'x', token_type: 'bearer', id_token }],
      ['/me', { sub: `demoid|${email}`, ...said }],
    ])
    const provider = providerAt(there.issuer, {
      fetch: async (url, init) => {
        const answer = answers.get(new URL(new Request(url).url).pathname)
        return answer ? Response.json(answer) : fetch(url, init)
      },
    })
    const person = await provider.handleCallback(await goThere(provider), departure)
    expect(person).toMatchObject({ email: address, emailVerified: isVerified })
  })

  it('answers without an ID token completes no sign-in', async () => {
    const { there, provider } = await start()
    const answer = await goThere(provider)
    there.fail({ mode: 'json', path: '/token', body: { access_token: 'x', token_type: 'bearer' } })
    expect((await failureOf(provider.handleCallback(answer, departure))).kind).toBe('refused')
  })

  it('is asked where its parts are once a day', async () => {
    let time = Date.now()
    const { there, provider } = await start({}, { clock: { now: () => time } })
    const asked = () => there.requests.filter((each) => each.includes('openid-configuration'))
    await Promise.all([provider.authorizationUrl(departure), provider.authorizationUrl(departure)])
    await provider.authorizationUrl(departure)
    expect(asked()).toHaveLength(1)
    time += 25 * 3600_000
    await provider.authorizationUrl(departure)
    expect(asked()).toHaveLength(2)
  })
})

it('tells a provider that takes it in the body alone the secret there', async () => {
  let sent: string[] = []
  const there = await foreignServer((request, response) => {
    const issuer = `http://${request.headers.host}`
    const document = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    }
    const isToken = request.method === 'POST'
    response.writeHead(isToken ? 400 : 200, { 'content-type': 'application/json' })
    text(request)
      .then((body) => {
        const { authorization = 'no header' } = request.headers
        if (isToken)
          sent = [authorization, new URLSearchParams(body).get('client_secret') ?? 'no secret']
        response.end(JSON.stringify(isToken ? { error: 'invalid_grant' } : document))
      })
      .catch(() => response.destroy())
  })
  const provider = providerAt(there.origin)
  const answer = new URLSearchParams({ code: 'x', state: departure.state })
  expect((await failureOf(provider.handleCallback(answer, departure))).message).toBe(
    'invalid_grant',
  )
  expect(sent).toEqual(['no header', clientSecret])
})
