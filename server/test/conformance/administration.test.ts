import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../src/platform/auth/passwords.ts'
import { type AuthServer, authServer } from '../auth-server.ts'
import { password, testAuth } from '../server.ts'
import { administratorsToken, adminKey, adminOf } from './administrators.ts'
import {
  canSignIn,
  clientOf,
  generations,
  newAddress,
  newPerson,
  ok,
  raw,
  refusal,
  signIn,
} from './clients.ts'
import { mailsTo } from './mails.ts'
import { someText } from './matchers.ts'

let server: AuthServer
const bearers = { 'an administrator': '', 'the key of a server': adminKey }
const actors = ['an administrator', 'the key of a server'] as const

beforeAll(async () => {
  server = await authServer({
    auth: { ...testAuth, adminKey, origins: ['https://app.example.org'] },
  })
  bearers['an administrator'] = await administratorsToken(server)
})

const each = generations.flatMap((generation) => actors.map((actor) => ({ generation, actor })))
const sessionMissing = { name: 'AuthSessionMissingError' }
const notFound = { status: 404, code: 'user_not_found', message: 'User not found' }

describe.each(each)('$actor with auth-js $generation', ({ generation, actor }) => {
  const admin = () => adminOf(generation, server, bearers[actor])

  describe('makes a user', () => {
    it('with everything that can be set', async () => {
      const email = newAddress()
      const id = randomUUID()
      const { user } = await ok(
        admin().createUser({
          id,
          email: email.toUpperCase(),
          password,
          email_confirm: true,
          user_metadata: { name: 'Ada' },
          app_metadata: { plan: 'large' },
          role: 'authenticated',
        }),
      )
      expect(user).toMatchObject({
        id,
        email,
        aud: 'authenticated',
        role: 'authenticated',
        email_confirmed_at: someText,
        user_metadata: { name: 'Ada' },
        app_metadata: { provider: 'email', providers: ['email'], plan: 'large' },
        identities: [{ provider: 'email', identity_data: { email } }],
      })
      expect((await signIn(generation, server, email)).session.user.id).toBe(id)
      expect(await mailsTo(server, email)).toEqual([])
    })

    it('who is not confirmed, or banned from the beginning', async () => {
      const [email, banned] = [newAddress(), newAddress()]
      const { user } = await ok(admin().createUser({ email, password }))
      expect(user).not.toHaveProperty('email_confirmed_at')
      const client = clientOf(generation, server)
      const attempt = (address: string) =>
        refusal(client.signInWithPassword({ email: address, password }))
      expect(await attempt(email)).toMatchObject({ code: 'email_not_confirmed' })
      await ok(
        admin().createUser({ email: banned, password, email_confirm: true, ban_duration: '1h30m' }),
      )
      expect(await attempt(banned)).toMatchObject({ code: 'user_banned' })
    })

    it('with the hash of a password from elsewhere', async () => {
      const email = newAddress()
      const password_hash = await hashPassword('what it was before')
      await ok(admin().createUser({ email, email_confirm: true, password_hash }))
      expect(await canSignIn(generation, server, email, 'what it was before')).toBe(true)
      const other = { email: newAddress(), password_hash: 'no hash at all' }
      expect(await refusal(admin().createUser(other))).toMatchObject({
        status: 400,
        code: 'validation_failed',
      })
    })

    it('without a password, who is let in by mail', async () => {
      const email = newAddress()
      const { user } = await ok(admin().createUser({ email, email_confirm: true }))
      expect(await canSignIn(generation, server, email, '')).toBe(false)
      const client = clientOf(generation, server)
      await ok(client.signInWithOtp({ email }))
      const { code: token } = await server.nextMail(email)
      const verified = await ok(client.verifyOtp({ email, token, type: 'email' }))
      expect(verified.user?.id).toBe(user.id)
    })

    it('once only', async () => {
      const { email, id } = await newPerson(generation, server)
      const twice = admin().createUser({ email: ` ${email.toUpperCase()}`, password })
      expect(await refusal(twice)).toMatchObject({ status: 422, code: 'email_exists' })
      const sameId = admin().createUser({ id, email: newAddress() })
      expect(await refusal(sameId)).toMatchObject({ status: 422 })
    })

    it.each([
      ['no address', {}, 400, 'validation_failed'],
      ['what is no address', { email: 'nobody' }, 400, 'validation_failed'],
      ['a weak password', { email: 'weak@example.it', password: 'short' }, 422, 'weak_password'],
      ['a role of the server', { email: 'r@example.it', role: 'x' }, 400, 'validation_failed'],
      ['no ban', { email: 'b@example.it', ban_duration: '1 day' }, 400, 'validation_failed'],
      ['no id', { email: 'i@example.it', id: '7' }, 400, 'validation_failed'],
    ])('but not with %s', async (_what, attributes, status, code) => {
      expect(await refusal(admin().createUser(attributes))).toMatchObject({ status, code })
    })
  })

  describe('looks at users', () => {
    it('by their id', async () => {
      const { id, email } = await newPerson(generation, server)
      expect((await ok(admin().getUserById(id))).user).toMatchObject({ id, email })
      expect(await refusal(admin().getUserById(randomUUID()))).toMatchObject(notFound)
    })

    it('page by page', async () => {
      for (let times = 0; times < 3; times += 1) await server.addUser(newAddress())
      const some = await ok(admin().listUsers())
      expect(some.users.length).toBe(Math.min(Number('total' in some && some.total), 50))
      const all = await ok(admin().listUsers({ page: 1, perPage: 1000 }))
      const total = all.users.length
      expect(all).toMatchObject({ aud: 'authenticated', total, nextPage: null, lastPage: 1 })

      const perPage = Math.ceil(total / 3)
      const lastPage = Math.ceil(total / perPage)
      const seen: string[] = []
      for (let page = 1; page <= lastPage; page += 1) {
        const found = await ok(admin().listUsers({ page, perPage }))
        expect(found).toMatchObject({
          total,
          nextPage: page < lastPage ? page + 1 : null,
          lastPage,
        })
        seen.push(...found.users.map(({ id }) => id))
      }
      expect(seen).toEqual(all.users.map(({ id }) => id))
      expect((await ok(admin().listUsers({ page: lastPage + 1, perPage }))).users).toEqual([])
    })

    it('and their factors: there are none', async () => {
      const { id: userId } = await newPerson(generation, server)
      expect((await ok(admin().mfa.listFactors({ userId }))).factors).toEqual([])
      const unknown = admin().mfa.listFactors({ userId: randomUUID() })
      expect(await refusal(unknown)).toMatchObject(notFound)
    })

    it('and none of their factors, for there are none to delete', async () => {
      const { id: userId } = await newPerson(generation, server)
      const deleting = admin().mfa.deleteFactor({ userId, id: randomUUID() })
      expect(await refusal(deleting)).toMatchObject({ status: 404, code: 'mfa_factor_not_found' })
    })
  })

  describe('changes a user', () => {
    it('their address, without asking them, which ends every session', async () => {
      const { id, email, client } = await newPerson(generation, server)
      const wanted = newAddress()
      const { user } = await ok(admin().updateUserById(id, { email: wanted.toUpperCase() }))
      expect(user).toMatchObject({ id, email: wanted })
      expect(user).not.toHaveProperty('new_email')
      expect(await canSignIn(generation, server, wanted, password)).toBe(true)
      expect(await canSignIn(generation, server, email, password)).toBe(false)
      expect(await refusal(client.getUser())).toMatchObject(sessionMissing)
      const { email: taken } = await newPerson(generation, server)
      const change = admin().updateUserById(id, { email: taken })
      expect(await refusal(change)).toMatchObject({ status: 422, code: 'email_exists' })
    })

    it('their password, which ends every session', async () => {
      const { id, email, client } = await newPerson(generation, server)
      await ok(admin().updateUserById(id, { password: 'quite another one' }))
      expect(await refusal(client.getUser())).toMatchObject(sessionMissing)
      expect(await canSignIn(generation, server, email, password)).toBe(false)
      expect(await canSignIn(generation, server, email, 'quite another one')).toBe(true)
      expect(await refusal(admin().updateUserById(id, { password: 'short' }))).toMatchObject({
        name: 'AuthWeakPasswordError',
        reasons: ['length'],
      })
      const password_hash = await hashPassword('what it was before')
      await ok(admin().updateUserById(id, { password_hash }))
      expect(await canSignIn(generation, server, email, 'what it was before')).toBe(true)
    })

    it('whether they are banned', async () => {
      const { id, email, client } = await newPerson(generation, server)
      const { user } = await ok(admin().updateUserById(id, { ban_duration: '24h' }))
      const until = Date.parse(String('banned_until' in user && user.banned_until))
      expect(Math.abs(until - Date.now() - 24 * 3600_000)).toBeLessThan(60_000)
      const again = clientOf(generation, server)
      expect(await refusal(again.signInWithPassword({ email, password }))).toMatchObject({
        status: 400,
        code: 'user_banned',
      })
      await refusal(client.getUser())

      const free = await ok(admin().updateUserById(id, { ban_duration: 'none' }))
      expect(free.user).not.toHaveProperty('banned_until')
      await ok(again.signInWithPassword({ email, password }))
      const odd = admin().updateUserById(id, { ban_duration: 'a day' })
      expect(await refusal(odd)).toMatchObject({ status: 400, code: 'validation_failed' })
    })

    it('what is said of them, and nothing else', async () => {
      const { id, client } = await newPerson(generation, server)
      const change = async (user: object, app: object) =>
        (await ok(admin().updateUserById(id, { user_metadata: user, app_metadata: app }))).user
      await change({ a: 1, b: 2 }, { plan: 'small', since: 1 })
      expect(await change({ b: null, c: 3 }, { plan: 'large', since: null })).toMatchObject({
        user_metadata: { a: 1, c: 3 },
        app_metadata: { provider: 'email', providers: ['email'], plan: 'large' },
      })
      await ok(client.refreshSession())
      const read = await ok(client.getClaims())
      expect(read?.claims.app_metadata).toEqual({
        provider: 'email',
        providers: ['email'],
        plan: 'large',
      })
      expect(read?.claims.user_metadata).toEqual({ a: 1, c: 3 })
    })

    it('whether they are confirmed', async () => {
      const email = newAddress()
      const { user } = await ok(admin().createUser({ email, password }))
      const confirmed = await ok(admin().updateUserById(user.id, { email_confirm: true }))
      expect(confirmed.user.email_confirmed_at).toEqual(expect.any(String))
      expect(await canSignIn(generation, server, email, password)).toBe(true)
    })

    it('only if there is one', async () => {
      const change = admin().updateUserById(randomUUID(), { user_metadata: { a: 1 } })
      expect(await refusal(change)).toMatchObject(notFound)
    })
  })

  describe('deletes a user', () => {
    it('for good', async () => {
      const { id, email, client } = await newPerson(generation, server)
      const { user } = await ok(admin().deleteUser(id))
      expect(user).toMatchObject({ id, email })
      expect(await refusal(admin().getUserById(id))).toMatchObject(notFound)
      expect(await refusal(client.getUser())).toMatchObject(sessionMissing)
      expect(await canSignIn(generation, server, email, password)).toBe(false)
      expect(await refusal(admin().deleteUser(id))).toMatchObject(notFound)
      await ok(admin().createUser({ email, password, email_confirm: true }))
      expect(await canSignIn(generation, server, email, password)).toBe(true)
    })

    it('so that only the id is left', async () => {
      const { id, email, client } = await newPerson(generation, server)
      await ok(admin().updateUserById(id, { user_metadata: { name: 'Ada' } }))
      await ok(admin().deleteUser(id, true))
      const { user } = await ok(admin().getUserById(id))
      expect(user).toMatchObject({ id, deleted_at: someText, user_metadata: {} })
      expect(JSON.stringify(user)).not.toContain(email)
      expect(await refusal(client.getUser())).toMatchObject(sessionMissing)
      expect(await canSignIn(generation, server, email, password)).toBe(false)
      await ok(clientOf(generation, server).resetPasswordForEmail(email))
      expect(await mailsTo(server, email)).toEqual([])
    })
  })

  it('signs people out with their own token', async () => {
    const here = await newPerson(generation, server)
    const there = await signIn(generation, server, here.email)
    const out = await admin().signOut(here.session.access_token, 'others')
    expect(out).toEqual({ data: null, error: null })
    await ok(here.client.getUser())
    expect(await refusal(there.client.getUser())).toMatchObject(sessionMissing)
    await admin().signOut(here.session.access_token)
    expect(await refusal(here.client.getUser())).toMatchObject(sessionMissing)
    expect(await refusal(admin().signOut(here.session.access_token))).toMatchObject(sessionMissing)
  })
})

describe.each(generations)('an id that is none, auth-js %s', (generation) => {
  it('is refused', async () => {
    const admin = adminOf(generation, server, bearers['an administrator'])
    // The newer one does not even ask.
    if (generation === '2.109') await expect(admin.getUserById('7')).rejects.toThrow(/UUID/)
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status, json } = await raw(server, method, '/admin/users/7', {
        token: bearers['an administrator'],
        ...(method !== 'GET' && { body: {} }),
      })
      expect([status, json]).toMatchObject([404, { error_code: 'validation_failed' }])
    }
  })
})

describe.each(generations)('who may not, auth-js %s', (generation) => {
  async function codes(admin: ReturnType<typeof adminOf>) {
    const id = randomUUID()
    const email = newAddress()
    const calls = [
      admin.createUser({ email, password }),
      admin.listUsers(),
      admin.getUserById(id),
      admin.updateUserById(id, { password }),
      admin.deleteUser(id),
      admin.inviteUserByEmail(email),
      admin.generateLink({ type: 'magiclink', email }),
      admin.mfa.listFactors({ userId: id }),
    ]
    const all = await Promise.all(calls.map((call) => refusal(call)))
    return [...new Set(all.map(({ status, code }) => `${status} ${code}`))]
  }

  it('is anybody who is no administrator', async () => {
    const { session } = await newPerson(generation, server)
    expect(await codes(adminOf(generation, server, session.access_token))).toEqual([
      '403 not_admin',
    ])
  })

  it('is who brings nothing', async () => {
    expect(await codes(clientOf(generation, server).admin)).toEqual(['401 no_authorization'])
  })

  it('is who brings something that is no token of ours', async () => {
    const brought = adminOf(generation, server, `${adminKey}x`)
    expect(await codes(brought)).toEqual(['403 bad_jwt'])
  })

  // Without an Origin: what a browser sends with a GET to where its page comes from.
  it.each([
    { Origin: 'https://app.example.org' },
    { Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': 'same-origin' },
  ])('is a page with the key of a server (%j)', async (sent) => {
    expect(await codes(adminOf(generation, server, adminKey, sent))).toEqual(['403 not_admin'])
  })
})
