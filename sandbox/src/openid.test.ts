import { createHash, createPublicKey, verify } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { type OpenIdOptions, startOpenId, visitOpenId } from './openid.ts'

const clientId = 'bancone'
const clientSecret = 'a secret of the tests'
const redirectUri = 'http://localhost:3000/auth/v1/callback'
const verifier = 'v'.repeat(43)

async function start(options: Partial<OpenIdOptions> = {}) {
  const provider = await startOpenId({
    clientId,
    clientSecret,
    redirectUris: [redirectUri],
    accounts: [
      { email: 'anna@example.it', name: 'Anna Bianchi' },
      { email: 'd’oro<b>@example.it', email_verified: false },
    ],
    ...options,
  })
  onTestFinished(() => provider.close())
  return provider
}

const Discovered = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  userinfo_endpoint: z.string(),
  jwks_uri: z.string(),
})

async function json(reply: Promise<Response>): Promise<unknown> {
  return (await reply).json()
}

async function discover(issuer: string) {
  return Discovered.parse(await json(fetch(`${issuer}/.well-known/openid-configuration`)))
}

async function leading(issuer: string, more: Record<string, string> = {}) {
  const { authorization_endpoint: endpoint } = await discover(issuer)
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email profile',
    state: 'the state',
    nonce: 'the nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })
  return `${endpoint}?${query.toString()}`
}

const Tokens = z.object({ id_token: z.string(), access_token: z.string() })

async function exchange(issuer: string, code: string, secret = clientSecret) {
  const { token_endpoint: endpoint } = await discover(issuer)
  const body = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
  return fetch(endpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${encodeURIComponent(secret)}`)}` },
    body: new URLSearchParams({ ...body, code_verifier: verifier }),
  })
}

function claimsOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

async function isSigned(token: string, issuer: string): Promise<boolean> {
  const Keys = z.object({ keys: z.array(z.record(z.string(), z.string())).length(1) })
  const { jwks_uri: address } = await discover(issuer)
  const { keys } = Keys.parse(await json(fetch(address)))
  const key = createPublicKey({ key: keys[0] ?? {}, format: 'jwk' })
  const [header, payload, signature = ''] = token.split('.')
  const content = Buffer.from(`${header}.${payload}`)
  const options = { key, dsaEncoding: 'ieee-p1363' } as const
  return verify('sha256', content, options, Buffer.from(signature, 'base64url'))
}

it('redirects with a code after the choice of an account; the code is exchanged for an ID token', async () => {
  const { issuer } = await start()
  const back = await visitOpenId(await leading(issuer), 'anna@example.it')
  expect(back.origin + back.pathname).toBe(redirectUri)
  expect(back.searchParams.get('state')).toBe('the state')
  expect(back.searchParams.get('iss')).toBe(issuer)
  const reply = await exchange(issuer, back.searchParams.get('code') ?? '')
  const { id_token: token } = Tokens.parse(await reply.json())
  expect(claimsOf(token)).toMatchObject({
    iss: issuer,
    aud: clientId,
    sub: 'demoid|anna@example.it',
    nonce: 'the nonce',
    email: 'anna@example.it',
    email_verified: true,
    name: 'Anna Bianchi',
  })
  expect(await isSigned(token, issuer)).toBe(true)
  const again = await exchange(issuer, back.searchParams.get('code') ?? '')
  expect(again.status).toBe(400)
})

it('redirects without a code after a refusal', async () => {
  const { issuer } = await start()
  const back = await visitOpenId(await leading(issuer), null)
  expect(back.searchParams.get('error')).toBe('access_denied')
  expect(back.searchParams.has('code')).toBe(false)
})

it('asks which account each time, and first for the one that is hinted at', async () => {
  const { issuer } = await start()
  const hinted = await leading(issuer, { login_hint: 'd’oro<b>@example.it' })
  const first = await fetch(hinted, { redirect: 'manual' })
  const page = await fetch(new URL(first.headers.get('location') ?? '', issuer), {
    headers: {
      cookie: first.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; '),
    },
  })
  const html = await page.text()
  expect(html).toContain('<h1>Accedi con DemoID</h1>')
  const emails = [...html.matchAll(/name="account"[^>]*>([^<]*)</g)].map(([, email]) => email)
  expect(emails).toEqual(['d’oro&#60;b&#62;@example.it', 'anna@example.it'])
  const chosen = await leading(issuer, { prompt: 'select_account' })
  for (const email of ['anna@example.it', 'd’oro<b>@example.it']) {
    expect((await visitOpenId(chosen, email)).searchParams.has('code')).toBe(true)
  }
})

it('leads to no address that its client has not named', async () => {
  const { issuer } = await start()
  const address = await leading(issuer, { redirect_uri: 'http://localhost:3000/other' })
  await expect(visitOpenId(address, 'anna@example.it')).rejects.toThrow('redirect_uri')
})

it('puts the given claims into the ID token, also wrong ones', async () => {
  const provider = await start()
  provider.put({
    sub: 'demoid|anna@example.it',
    email: 'nuova@example.it',
    email_verified: 'false',
  })
  const token = provider.idToken('nuova@example.it', { nonce: 'mine', aud: 'another' })
  expect(await isSigned(token, provider.issuer)).toBe(true)
  expect(claimsOf(token)).toMatchObject({
    sub: 'demoid|anna@example.it',
    email_verified: 'false',
    nonce: 'mine',
    aud: 'another',
  })
  expect(() => provider.idToken('anna@example.it')).toThrow('has no account')
})

it('fails as it is told, where and as often as it is told', async () => {
  const provider = await start()
  const { issuer } = provider
  const put = await fetch(`${issuer}/_control/failure`, {
    method: 'POST',
    body: JSON.stringify({ mode: 'status', status: 503, path: '/jwks', times: 1 }),
  })
  expect(put.status).toBe(200)
  expect((await discover(issuer)).issuer).toBe(issuer)
  expect((await fetch(`${issuer}/jwks`)).status).toBe(503)
  expect((await fetch(`${issuer}/jwks`)).status).toBe(200)
  provider.fail({ mode: 'page' })
  expect(await (await fetch(`${issuer}/jwks`)).text()).toContain('<p>')
  provider.fail({ mode: 'hang-up' })
  await expect(fetch(`${issuer}/jwks`)).rejects.toThrow()
})
