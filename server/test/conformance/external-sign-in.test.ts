import { createHash } from 'node:crypto'
import type { Provider, UserIdentity } from '@supabase/auth-js'
import { describe, expect, it } from 'vitest'
import { type Browser, createBrowser, PROVIDER, serverWithProvider } from '../external-sign-in.ts'
import {
  type Client,
  type ClientOptions,
  clientOf,
  eventsOf,
  newAddress,
  newPerson,
  ok,
  type Person,
  raw,
  refusal,
  refused,
  sessionMissing,
} from './clients.ts'
import { mailsTo } from './mails.ts'
import { someNumber, someText, textLike } from './matchers.ts'

const { server, idp } = await serverWithProvider()

// The official clients declare the providers they know; their own server accepts any.
const provider = PROVIDER as Provider
const redirectTo = 'http://localhost:3000/in?a=b'

/** A user who has an account at the provider under the same address. */
async function both(): Promise<{ id: string; email: string }> {
  const email = newAddress()
  idp.put({ email, name: 'Anna Bianchi' })
  return { email, id: await server.addUser(email) }
}

describe('signing in with another service', () => {
  function visitor(options: ClientOptions = {}): { client: Client; browser: Browser } {
    const browser = createBrowser(server)
    const client = clientOf(server, { fetch: browser.fetch, ...options })
    return { client, browser }
  }

  /** The authorization URL for a visitor. */
  async function leading(client: Client, options: Record<string, unknown> = {}): Promise<string> {
    const { url } = await ok(
      client.signInWithOAuth({
        provider,
        options: { redirectTo, skipBrowserRedirect: true, ...options },
      }),
    )
    return url
  }

  async function signedIn(options: ClientOptions = {}): Promise<Person & { browser: Browser }> {
    const browser = createBrowser(server)
    const person = await newPerson(server, { fetch: browser.fetch, ...options })
    idp.put({ email: person.email })
    return { ...person, browser }
  }

  /** The authorization URL for a signed-in user who links an identity. */
  async function linking(client: Client): Promise<string> {
    const options = { redirectTo, skipBrowserRedirect: true }
    const { url } = await ok(client.linkIdentity({ provider, options }))
    if (!url) throw new Error('there is no address')
    return url
  }

  async function externalOf(client: Client): Promise<UserIdentity> {
    const { identities } = await ok(client.getUserIdentities())
    const found = identities.find((identity) => identity.provider === PROVIDER)
    if (!found) throw new Error('nothing is linked')
    return found
  }

  it('brings a session after the #, which the client takes', async () => {
    const { id, email } = await both()
    const { client, browser } = visitor()
    const { url, fragment } = await browser.signIn(await leading(client), email)
    expect(url.origin + url.pathname + url.search).toBe(redirectTo)
    expect([...fragment.keys()].toSorted()).toEqual([
      'access_token',
      'expires_at',
      'expires_in',
      'refresh_token',
      'sb',
      'token_type',
    ])
    const access_token = fragment.get('access_token') ?? ''
    const refresh_token = fragment.get('refresh_token') ?? ''
    const { user } = await ok(client.setSession({ access_token, refresh_token }))
    expect(user).toMatchObject({
      id,
      email,
      app_metadata: { provider: 'email', providers: ['email', PROVIDER] },
      // The provider's name does not replace the user's own.
      user_metadata: {},
    })
    expect((await ok(client.getClaims()))?.claims).toMatchObject({
      aal: 'aal1',
      amr: [{ method: 'oauth', timestamp: someNumber }],
    })
    await ok(client.refreshSession())
    expect(await externalOf(client)).toEqual({
      id: `demoid|${email}`,
      identity_id: textLike(/^[0-9a-f-]{36}$/),
      user_id: id,
      provider: PROVIDER,
      email,
      identity_data: {
        iss: idp.issuer,
        sub: `demoid|${email}`,
        provider_id: `demoid|${email}`,
        email,
        email_verified: true,
        phone_verified: false,
        name: 'Anna Bianchi',
        full_name: 'Anna Bianchi',
      },
      last_sign_in_at: someText,
      created_at: someText,
      updated_at: someText,
    })
    const [mail] = await mailsTo(server, email)
    expect(mail?.subject).toBe('DemoID collegato al tuo account')
    expect(mail?.link.href).toBe('http://localhost:3000/login')
  })

  it('brings a code to who will prove that they asked (PKCE), which is worth a session once', async () => {
    const { id, email } = await both()
    const { client, browser } = visitor({ flowType: 'pkce' })
    const { url } = await browser.signIn(await leading(client), email)
    expect(url.hash).toBe('')
    expect([...url.searchParams.keys()]).toEqual(['a', 'code'])
    const code = url.searchParams.get('code') ?? ''
    const events = await eventsOf(client)
    const { user, session } = await ok(client.exchangeCodeForSession(code))
    expect([user.id, session.token_type, events]).toEqual([id, 'bearer', ['SIGNED_IN']])
    expect((await ok(client.getClaims()))?.claims.amr).toMatchObject([{ method: 'oauth' }])
    const again = await raw(server, 'POST', '/token?grant_type=pkce', {
      body: { auth_code: code, code_verifier: 'v'.repeat(43) },
    })
    expect([again.status, again.json['error_code']]).toEqual([404, 'flow_state_not_found'])
  })

  it('does so the second time too, whatever the address has become on either side', async () => {
    const { id, email } = await both()
    const first = visitor()
    await first.browser.signIn(await leading(first.client), email)
    const moved = newAddress()
    const sub = `demoid|${email}`
    idp.put({ sub, email: moved, email_verified: false })
    const second = visitor({ flowType: 'pkce' })
    const { url } = await second.browser.signIn(await leading(second.client), moved)
    const code = url.searchParams.get('code') ?? ''
    expect((await ok(second.client.exchangeCodeForSession(code))).user.id).toBe(id)
    expect(await externalOf(second.client)).toMatchObject({ id: sub, email: moved })
    expect(await mailsTo(server, email)).toHaveLength(1)
  })

  it('takes scopes and a hint along, and nothing else that a client says', async () => {
    const { client, browser } = visitor({ flowType: 'pkce' })
    const queryParams = {
      login_hint: 'anna@example.it',
      state: 'mine',
      redirect_uri: 'https://evil.example',
      prompt: 'none',
      client_id: 'mine',
      response_type: 'token',
      nonce: 'mine',
    }
    const address = await leading(client, { scopes: 'phone address', queryParams })
    const url = await browser.openProvider(address)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'bancone',
      redirect_uri: 'http://localhost:3000/auth/v1/callback',
      response_type: 'code',
      scope: 'openid email profile phone address',
      login_hint: 'anna@example.it',
      state: textLike(/^[\w-]{43}$/),
      nonce: textLike(/^[\w-]{43}$/),
      code_challenge: textLike(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    const asked = new URL(address).searchParams.get('code_challenge')
    expect(url.searchParams.get('code_challenge')).not.toBe(asked)
  })

  it.each(['the user there is not known here', 'the user said no'])(
    'is refused when %s',
    async (why) => {
      const email = newAddress()
      idp.put({ email })
      const saidNo = why === 'the user said no'
      const code = saidNo ? 'access_denied' : 'signup_disabled'
      const { client, browser } = visitor()
      const implicit = await browser.signIn(await leading(client), saidNo ? null : email)
      expect(implicit.url.origin + implicit.url.pathname + implicit.url.search).toBe(redirectTo)
      expect(Object.fromEntries(implicit.fragment)).toMatchObject({
        error: 'access_denied',
        error_code: code,
        error_description: someText,
      })
      const pkce = visitor({ flowType: 'pkce' })
      const { url, error } = await pkce.browser.signIn(
        await leading(pkce.client),
        saidNo ? null : email,
      )
      expect([error, url.searchParams.get('error_code')]).toEqual([code, code])
      expect(url.searchParams.get('a')).toBe('b')
    },
  )

  it('brings the session of an ID token that the client got by itself', async () => {
    const { id, email } = await both()
    const { client } = visitor()
    const events = await eventsOf(client)
    const hashed = createHash('sha256').update('n').digest('hex')
    const given = { provider: PROVIDER, token: idp.idToken(email, { nonce: hashed }), nonce: 'n' }
    const { user, session } = await ok(client.signInWithIdToken(given))
    expect([user.id, session.expires_in, events]).toEqual([id, 3600, ['SIGNED_IN']])
    expect((await ok(client.getClaims()))?.claims.amr).toMatchObject([{ method: 'oauth' }])
    await externalOf(client)
    const byIssuer = await ok(
      visitor().client.signInWithIdToken({ ...given, provider: idp.issuer }),
    )
    expect(byIssuer.user.id).toBe(id)
  })

  it('refuses an ID token that is not for it, and one of another service', async () => {
    const { email } = await both()
    const { client } = visitor()
    const bad = client.signInWithIdToken({
      provider: PROVIDER,
      token: idp.idToken(email, { aud: 'x' }),
    })
    expect(await refusal(bad)).toMatchObject({ status: 400, message: 'Bad ID token' })
    const other = client.signInWithIdToken({ provider: 'google', token: idp.idToken(email) })
    await refused(other, 'provider_disabled', 400)
    const unknown = newAddress()
    idp.put({ email: unknown })
    const unknownUser = client.signInWithIdToken({
      provider: PROVIDER,
      token: idp.idToken(unknown),
    })
    await refused(unknownUser, 'signup_disabled', 422)
    expect((await client.getSession()).data.session).toBeNull()
  })

  it('links an account there to the signed-in user, who stays in that session', async () => {
    const { id, client, session, browser } = await signedIn()
    // The account at the provider has another, unverified address.
    const elsewhere = newAddress()
    idp.put({ email: elsewhere, email_verified: false })
    const address = await linking(client)
    expect(new URL(address).origin).toBe(idp.issuer)
    expect(new URL(address).searchParams.get('prompt')).toBe('select_account')
    const { url, fragment } = await browser.link(address, elsewhere)
    expect(url.origin + url.pathname + url.search).toBe(redirectTo)
    const access_token = fragment.get('access_token') ?? ''
    const refresh_token = fragment.get('refresh_token') ?? ''
    const was = (await ok(client.getClaims()))?.claims
    await ok(client.setSession({ access_token, refresh_token }))
    const claims = (await ok(client.getClaims()))?.claims
    expect(claims).toMatchObject({ sub: id, session_id: was?.session_id, amr: was?.amr })
    expect(refresh_token).not.toBe(session.refresh_token)
    expect(await externalOf(client)).toMatchObject({ email: elsewhere })
    // A tab with the earlier tokens continues too.
    await ok(clientOf(server).setSession(session))
    const next = visitor({ flowType: 'pkce' })
    const back = await next.browser.signIn(await leading(next.client), elsewhere)
    const code = back.url.searchParams.get('code') ?? ''
    expect((await ok(next.client.exchangeCodeForSession(code))).user.id).toBe(id)
  })

  it('links in the flow with a code, too, which is worth the same session', async () => {
    const { id, email, client, browser } = await signedIn({ flowType: 'pkce' })
    const was = (await ok(client.getClaims()))?.claims
    const { url } = await browser.link(await linking(client), email)
    const exchanged = await ok(client.exchangeCodeForSession(url.searchParams.get('code') ?? ''))
    expect(exchanged.user.app_metadata).toMatchObject({ providers: ['email', PROVIDER] })
    const claims = (await ok(client.getClaims()))?.claims
    expect(claims).toMatchObject({ sub: id, session_id: was?.session_id, amr: was?.amr })
    await ok(client.refreshSession())
  })

  it('links nothing that opens another account, or this one already', async () => {
    const other = await both()
    const { client: theirs, browser: elsewhere } = visitor()
    await elsewhere.signIn(await leading(theirs), other.email)
    const { client, email, browser } = await signedIn({ flowType: 'pkce' })
    const taken = await browser.link(await linking(client), other.email)
    expect([taken.error, taken.url.searchParams.get('error_code')]).toEqual([
      'identity_already_exists',
      'identity_already_exists',
    ])
    const own = await browser.link(await linking(client), email)
    await ok(client.exchangeCodeForSession(own.url.searchParams.get('code') ?? ''))
    const again = await browser.link(await linking(client), email)
    expect(again.error).toBe('identity_already_exists')
    expect((await ok(client.getUserIdentities())).identities).toHaveLength(2)
  })

  it('unlinks what was linked, which opens nothing any more until it is linked again', async () => {
    const { id, email, client, browser } = await signedIn()
    await browser.link(await linking(client), newOne(email))
    const identity = await externalOf(client)
    await ok(client.unlinkIdentity(identity))
    const { user } = await ok(client.getUser())
    expect(user.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
    expect(user.identities).toHaveLength(1)
    expect((await mailsTo(server, email)).map(({ subject }) => subject)).toEqual([
      'DemoID collegato al tuo account',
      'DemoID scollegato dal tuo account',
    ])
    const next = visitor()
    const back = await next.browser.signIn(await leading(next.client), newOne(email))
    expect(back.error).toBe('signup_disabled')
    const again = await refusal(client.unlinkIdentity(identity))
    expect(again).toMatchObject({ status: 422, code: 'identity_not_found' })
    const audited = await server.database.pool.query<{ action: string }>(
      "select action from audit_events where user_id = $1 and action like 'identity%' order by id",
      [id],
    )
    expect(audited.rows.map(({ action }) => action)).toEqual([
      'identity_linked',
      'identity_unlinked',
    ])
  })

  it('unlinks, and a session that it opened elsewhere is over', async () => {
    const { email, client } = await signedIn()
    const elsewhere = visitor({ flowType: 'pkce' })
    const { url } = await elsewhere.browser.signIn(await leading(elsewhere.client), email)
    await ok(elsewhere.client.exchangeCodeForSession(url.searchParams.get('code') ?? ''))
    await ok(client.unlinkIdentity(await externalOf(client)))
    await sessionMissing(elsewhere.client.getUser())
    await ok(client.refreshSession())
  })

  it('unlinks for good, under the same address too: only its owner links it again', async () => {
    const { id, email, client, browser } = await signedIn()
    const signIn = async () => {
      const next = visitor()
      return next.browser.signIn(await leading(next.client), email)
    }
    idp.put({ email })
    expect((await signIn()).error).toBeNull()
    await ok(client.unlinkIdentity(await externalOf(client)))
    expect((await signIn()).error).toBe('identity_not_found')
    const token = idp.idToken(email)
    const byToken = visitor().client.signInWithIdToken({ provider: PROVIDER, token })
    await refused(byToken, 'identity_not_found', 422)
    expect((await ok(client.getUser())).user.identities).toHaveLength(1)

    await browser.link(await linking(client), email)
    expect(await externalOf(client)).toMatchObject({ user_id: id, email })
    expect((await signIn()).error).toBeNull()
  })

  /** An account at the provider with an address that is unknown here. */
  function newOne(email: string): string {
    const other = `altra-${email}`
    idp.put({ email: other })
    return other
  }

  it('does not unlink the address with the password, nor the identity of another user', async () => {
    const { client, email, browser } = await signedIn()
    const [own] = (await ok(client.getUserIdentities())).identities
    if (!own) throw new Error('no identity')
    const code = 'single_identity_not_deletable'
    await refused(client.unlinkIdentity(own), code, 422)
    await browser.link(await linking(client), email)
    await refused(client.unlinkIdentity(own), code, 422)
    const stranger = await signedIn()
    const theirs = await externalOf(client)
    await refused(stranger.client.unlinkIdentity(theirs), 'identity_not_found', 422)
    await externalOf(client)
  })

  it('says what it offers, and refuses what it does not', async () => {
    const { status, json } = await raw(server, 'GET', '/settings')
    expect([status, json]).toMatchObject([200, { external: { [PROVIDER]: true, google: false } }])
    const { client } = await signedIn()
    const google = client.linkIdentity({ provider: 'google' })
    await refused(google, 'validation_failed', 400)
    const unknown = await raw(server, 'GET', '/authorize?provider=google')
    expect([unknown.status, unknown.json['error_code']]).toEqual([400, 'validation_failed'])
    expect((await raw(server, 'GET', '/user/identities/authorize')).status).toBe(401)
  })

  it('leads back with an error when the other service does not answer, before and after', async () => {
    const { email } = await both()
    const { client, browser } = visitor({ flowType: 'pkce' })
    const address = await leading(client)
    idp.fail({ mode: 'status', status: 503, path: '/token' })
    const { url, error } = await browser.signIn(address, email)
    idp.fail({ mode: 'ok' })
    expect([error, url.searchParams.get('error')]).toEqual(['unexpected_failure', 'server_error'])
    expect((await browser.signIn(await leading(client), email)).error).toBeNull()
  })
})

it('an ID token is linked to the signed-in user', async () => {
  const person = await newPerson(server)
  const elsewhere = newAddress()
  idp.put({ email: elsewhere })
  const events = await eventsOf(person.client)
  const given = { provider: PROVIDER, token: idp.idToken(elsewhere) }
  const was = (await ok(person.client.getClaims()))?.claims
  const { user } = await ok(person.client.linkIdentity(given))
  expect(user).toMatchObject({ id: person.id, app_metadata: { providers: ['email', PROVIDER] } })
  expect(events).toEqual(['USER_UPDATED'])
  expect((await ok(person.client.getClaims()))?.claims.session_id).toBe(was?.session_id)
  await refused(person.client.linkIdentity(given), 'identity_already_exists', 422)
})
