import { describe, expect, it } from 'vitest'
import { authServer } from '../auth-server.ts'
import { password, testAuth } from '../server.ts'
import {
  type Client,
  canSignIn,
  clientOf,
  eventsOf,
  memoryStorage,
  newAddress,
  newPerson,
  ok,
  raw,
  rawRefused,
  refusal,
  refused,
  STORAGE_KEY,
  type Storage,
  storageWith,
} from './clients.ts'
import { formOf, open, openAndSubmit, redirectOf, submit } from './mails.ts'
import { someText } from './matchers.ts'

const foreign = 'https://app.example.org'
const verifierKey = `${STORAGE_KEY}-code-verifier`

const server = await authServer({
  auth: { ...testAuth, signup: true, origins: [foreign] },
})

describe('proof of who asked (PKCE)', () => {
  function browser(storage: Storage = memoryStorage()): Client {
    return clientOf(server, { flowType: 'pkce', storage })
  }

  /** The storage of a browser that requested a link, and the link. */
  async function asked(how: 'sign-in' | 'recovery' = 'sign-in', redirectTo = `${foreign}/in?a=b`) {
    const { email, id } = await newPerson(server)
    const storage = memoryStorage()
    const client = browser(storage)
    if (how === 'recovery') await ok(client.resetPasswordForEmail(email, { redirectTo }))
    else await ok(client.signInWithOtp({ email, options: { emailRedirectTo: redirectTo } }))
    const verifier = storage.items.get(verifierKey) ?? ''
    const mail = await server.nextMail(email)
    return { email, id, storage, client, verifier, mail, link: mail.link }
  }

  async function withCode(how: 'sign-in' | 'recovery' = 'sign-in') {
    const all = await asked(how)
    const { url } = await openAndSubmit(server, all.link)
    return { ...all, code: url.searchParams.get('code') ?? '' }
  }

  it('brings a code after the click, and the code a session', async () => {
    const { id, client, link } = await asked()
    expect(link.origin + link.pathname).toBe('http://localhost:3000/auth/v1/verify')
    expect(link.searchParams.get('token')).toMatch(/^pkce_./)
    expect(link.searchParams.get('type')).toBe('magiclink')
    const { url, fragment } = await openAndSubmit(server, link)
    expect(url.origin + url.pathname).toBe(`${foreign}/in`)
    expect([...url.searchParams.keys()]).toEqual(['a', 'code'])
    expect([...fragment]).toEqual([])

    const events = await eventsOf(client)
    const { session, user } = await ok(
      client.exchangeCodeForSession(url.searchParams.get('code') ?? ''),
    )
    expect(user.id).toBe(id)
    expect(session).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    expect(events).toEqual(['SIGNED_IN'])
    expect((await ok(client.getUser())).user.id).toBe(id)
    expect((await ok(client.getClaims()))?.claims.amr).toMatchObject([{ method: 'magiclink' }])
    await ok(client.refreshSession())
  })

  it('brings back a forgotten password', async () => {
    const { id, email, client, code } = await withCode('recovery')
    const events = await eventsOf(client)
    const recovered = await ok(client.exchangeCodeForSession(code))
    expect(recovered.user.id).toBe(id)
    expect(recovered).toMatchObject({ redirectType: 'recovery' })
    expect(events).toEqual(['PASSWORD_RECOVERY'])
    expect((await ok(client.getClaims()))?.claims.amr).toMatchObject([{ method: 'recovery' }])
    await ok(client.updateUser({ password: 'quite another long one' }))
    expect(await canSignIn(server, email, 'quite another long one')).toBe(true)
  })

  it('does for one exchange', async () => {
    const { client, storage, verifier, code } = await withCode()
    await ok(client.exchangeCodeForSession(code))
    storage.setItem(verifierKey, verifier)
    await refused(client.exchangeCodeForSession(code), 'flow_state_not_found', 404)
  })

  it('is missed by who did not ask', async () => {
    const { code, client } = await withCode()
    const exchange = browser().exchangeCodeForSession(code)
    expect(await refusal(exchange)).toMatchObject({ name: 'AuthPKCECodeVerifierMissingError' })
    await ok(client.exchangeCodeForSession(code))
  })

  it('is refused when it is wrong, and after three times the code is dead', async () => {
    const { code, storage, verifier, client } = await withCode()
    const wrong = async () => {
      const thief = memoryStorage()
      thief.setItem(verifierKey, JSON.stringify('f'.repeat(112)))
      return refusal(browser(thief).exchangeCodeForSession(code))
    }
    for (let times = 0; times < 3; times += 1) {
      expect(await wrong()).toMatchObject({ status: 400, code: 'bad_code_verifier' })
    }
    expect(await wrong()).toMatchObject({ status: 404, code: 'flow_state_not_found' })
    storage.setItem(verifierKey, verifier)
    await refused(client.exchangeCodeForSession(code), 'flow_state_not_found', 404)
  })

  it('comes too late after five minutes', async () => {
    const { code, client, id } = await withCode()
    const { rowCount } = await server.database.pool.query(
      "update auth_flow_states set expires_at = now() - interval '1 second' where user_id = $1",
      [id],
    )
    expect(rowCount).toBe(1)
    await refused(client.exchangeCodeForSession(code), 'flow_state_expired', 422)
  })

  it('does for one click, and tells who comes later before and after the #', async () => {
    const { link } = await asked()
    const form = await formOf(server, link)
    expect(redirectOf(await submit(form)).url.searchParams.has('code')).toBe(true)
    for (const reply of [await submit(form), await open(server, link)]) {
      const { url, fragment } = redirectOf(reply)
      expect(url.origin + url.pathname).toBe(`${foreign}/in`)
      expect(url.searchParams.get('a')).toBe('b')
      expect(url.searchParams.has('code')).toBe(false)
      for (const said of [fragment, url.searchParams]) {
        expect(Object.fromEntries(said)).toMatchObject({
          error: 'access_denied',
          error_code: 'otp_expired',
          error_description: 'Email link is invalid or has expired',
        })
      }
    }
  })

  it('is not needed by who types the code of the mail', async () => {
    const { id, email, mail } = await asked()
    const { user } = await ok(browser().verifyOtp({ email, token: mail.code, type: 'email' }))
    expect(user?.id).toBe(id)
  })

  it('serves to sign up', async () => {
    const email = newAddress()
    const client = browser()
    const options = { emailRedirectTo: foreign }
    const { user } = await ok(client.signUp({ email, password, options }))
    const { link } = await server.nextMail(email)
    expect(link.searchParams.get('type')).toBe('signup')
    const { url } = await openAndSubmit(server, link)
    const exchanged = await ok(client.exchangeCodeForSession(url.searchParams.get('code') ?? ''))
    expect(exchanged.user).toMatchObject({ id: user?.id, email_confirmed_at: someText })
    expect(await canSignIn(server, email, password)).toBe(true)
  })

  it('serves to change the address: a message, then a code', async () => {
    const { email, session } = await newPerson(server)
    const client = browser(storageWith(session))
    const next = newAddress()
    await ok(client.updateUser({ email: next }, { emailRedirectTo: foreign }))
    const links = [(await server.nextMail(email)).link, (await server.nextMail(next)).link]
    const outcomes = []
    for (const link of links) {
      expect(link.searchParams.get('token')).toMatch(/^pkce_/)
      expect(link.searchParams.get('type')).toBe('email_change')
      outcomes.push(await openAndSubmit(server, link))
    }
    expect(outcomes[0]?.fragment.get('message')).toMatch(/other email/)
    expect(outcomes[1]?.url.searchParams.has('code')).toBe(true)
    expect((await ok(client.getUser())).user.email).toBe(next)
  })
})

describe('a challenge', () => {
  const challenge = 'c'.repeat(43)

  it.each([
    ['without a method', { code_challenge: challenge }],
    ['that is its own answer', { code_challenge: challenge, code_challenge_method: 'plain' }],
  ])('%s is refused', async (_what, given) => {
    for (const path of ['/otp', '/recover', '/signup']) {
      const body = { email: newAddress(), password, ...given }
      await rawRefused(raw(server, 'POST', path, { body }), 400, 'validation_failed')
    }
  })
})
