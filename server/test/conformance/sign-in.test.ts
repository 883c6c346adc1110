import { describe, expect, it } from 'vitest'
import { authServer } from '../auth-server.ts'
import { password } from '../server.ts'
import {
  clientOf,
  eventsOf,
  memoryStorage,
  newAddress,
  newPerson,
  ok,
  refusal,
  refused,
  STORAGE_KEY,
  sessionMissing,
  signIn,
} from './clients.ts'
import { someNumber, someText } from './matchers.ts'

const server = await authServer()

function setBan(email: string, until: string) {
  return server.database.pool.query('update auth_users set banned_until = $2 where email = $1', [
    email,
    until,
  ])
}

describe('signing in with a password', () => {
  it('gives a session and the user, and keeps them', async () => {
    const storage = memoryStorage()
    const { id, email, client, session } = await newPerson(server, { storage })

    expect(session).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    expect(session.expires_at).toBeCloseTo(Date.now() / 1000 + 3600, -2)
    expect(session.access_token.split('.')).toHaveLength(3)
    expect(session.user).toMatchObject({
      id,
      email,
      phone: '',
      aud: 'authenticated',
      role: 'authenticated',
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: {},
    })
    expect(session.user.last_sign_in_at).toEqual(expect.any(String))
    expect(JSON.parse(storage.items.get(STORAGE_KEY) ?? 'null')).toEqual(session)
    expect((await ok(client.getSession())).session).toEqual(session)
  })

  it('takes the address in any case', async () => {
    const email = newAddress()
    await server.addUser(email)
    await ok(clientOf(server).signInWithPassword({ email: ` ${email.toUpperCase()}`, password }))
  })

  it('refuses a wrong password and an unknown address in the same words', async () => {
    const email = newAddress()
    await server.addUser(email)
    const client = clientOf(server)
    const attempt = (address: string, given: string) =>
      refusal(client.signInWithPassword({ email: address, password: given }))
    const wrong = await attempt(email, 'not the password')
    expect(wrong).toMatchObject({
      name: 'AuthApiError',
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    })
    expect(await attempt(newAddress(), password)).toEqual(wrong)
    // Longer than any password may be.
    expect(await attempt(email, 'x'.repeat(100))).toEqual(wrong)
    expect((await ok(client.getSession())).session).toBeNull()
  })

  it('wants both an address and a password', async () => {
    const client = clientOf(server)
    await refused(
      client.signInWithPassword({ email: newAddress(), password: '' }),
      'validation_failed',
      400,
    )
  })

  it('tells a user with the right password that the address is not confirmed', async () => {
    const email = newAddress()
    await server.addUser(email)
    await server.database.pool.query(
      'update auth_users set email_confirmed_at = null where email = $1',
      [email],
    )
    const client = clientOf(server)
    const error = await refusal(client.signInWithPassword({ email, password }))
    expect(error).toMatchObject({
      status: 400,
      code: 'email_not_confirmed',
      message: 'Email not confirmed',
    })
    const wrong = await refusal(client.signInWithPassword({ email, password: 'something else' }))
    expect(wrong.code).toBe('invalid_credentials')
  })

  it('lets no banned user sign in, refresh or call, until the ban is over', async () => {
    const { email, client } = await newPerson(server)
    await setBan(email, '2999-01-01')

    const again = clientOf(server)
    const banned = { code: 'user_banned', message: 'User is banned' }
    expect(await refusal(again.signInWithPassword({ email, password }))).toMatchObject({
      status: 400,
      ...banned,
    })
    expect(await refusal(client.getUser())).toMatchObject({ status: 403, ...banned })
    expect(await refusal(client.refreshSession())).toMatchObject({ status: 400, ...banned })

    const wrong = again.signInWithPassword({ email, password: 'something else' })
    await refused(wrong, 'invalid_credentials', 400)

    await setBan(email, '2001-01-01')
    await ok(again.signInWithPassword({ email, password }))
  })
})

describe('the signed-in user', () => {
  it('is asked of the service with getUser', async () => {
    const { id, email, client, session } = await newPerson(server)
    expect((await ok(client.getUser())).user).toMatchObject({ id, email })
    const stranger = clientOf(server)
    expect((await ok(stranger.getUser(session.access_token))).user.id).toBe(id)
  })

  it('is unknown without a session, or with a foreign token', async () => {
    const client = clientOf(server)
    await sessionMissing(client.getUser())
    expect((await ok(client.getSession())).session).toBeNull()
    const error = await refusal(client.getUser('a.b.c'))
    expect(error).toMatchObject({ status: 403, code: 'bad_jwt' })
    expect(error.message).toMatch(/^invalid JWT/)
  })

  it('is read from the token with getClaims, which only needs the published keys', async () => {
    const asked: string[] = []
    const { id, email, client, session } = await newPerson(server, {
      storageKey: 'keys',
      fetch: (url, init) => {
        asked.push(url instanceof Request ? url.url : String(url))
        return fetch(url, init)
      },
    })
    asked.length = 0
    const read = await ok(client.getClaims())
    expect(asked).toEqual([`${server.url}/.well-known/jwks.json`])
    expect(read?.header).toMatchObject({ alg: 'ES256', typ: 'JWT', kid: someText })
    expect(read?.claims).toMatchObject({
      sub: id,
      email,
      aud: 'authenticated',
      role: 'authenticated',
      iss: 'http://localhost:3000/auth/v1',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: someNumber }],
      phone: '',
      app_metadata: { provider: 'email' },
      user_metadata: {},
      session_id: someText,
      is_anonymous: false,
    })
    expect(Number(read?.claims.exp) - Number(read?.claims.iat)).toBe(3600)
    expect((await ok(client.getClaims(session.access_token)))?.claims.sub).toBe(id)
    expect(asked).toHaveLength(1)
  })

  it('is not read from a token that was changed', async () => {
    const { client, session } = await newPerson(server)
    const [header, payload = '', signature] = session.access_token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
    const other = Buffer.from(JSON.stringify({ ...claims, aal: 'aal2' })).toString('base64url')
    const error = await refusal(client.getClaims([header, other, signature].join('.')))
    expect(error).toMatchObject({ name: 'AuthInvalidJwtError' })
    await refused(client.getUser([header, other, signature].join('.')), 'bad_jwt', 403)
  })
})

describe('signing out', () => {
  it.each([
    ['local', 'ended', 'alive'],
    ['others', 'alive', 'ended'],
    ['global', 'ended', 'ended'],
  ] as const)('with scope %s this session is %s and the other %s', async (scope, mine, other) => {
    const here = await newPerson(server)
    const there = await signIn(server, here.email)
    const stranger = clientOf(server)
    const state = async ({ session }: typeof here) => {
      const { error } = await stranger.getUser(session.access_token)
      if (error) expect(error).toMatchObject({ name: 'AuthSessionMissingError' })
      return error ? 'ended' : 'alive'
    }

    expect((await here.client.signOut({ scope })).error).toBeNull()

    expect([await state(here), await state(there)]).toEqual([mine, other])
    const kept = (await ok(here.client.getSession())).session
    expect(kept === null ? 'ended' : 'alive').toBe(mine)
  })

  it('of a session that was ended elsewhere leaves nothing behind', async () => {
    const here = await newPerson(server)
    const there = await signIn(server, here.email)
    await ok(here.client.signOut().then(({ error }) => ({ data: null, error })))
    const events = await eventsOf(there.client)

    const { error } = await there.client.signOut()
    expect(error).toBeNull()
    await there.client.getUser()
    expect(events).toContain('SIGNED_OUT')
    expect((await ok(there.client.getSession())).session).toBeNull()
  })
})
