import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashPassword } from '../../src/platform/auth/passwords.ts'
import { authServer } from '../auth-server.ts'
import { password, testAuth } from '../server.ts'
import { administratorsToken, adminKey, adminOf } from './administrators.ts'
import {
  canSignIn,
  clientOf,
  newAddress,
  newPerson,
  ok,
  raw,
  rawRefused,
  refusal,
  refused,
  sessionMissing,
  signIn,
} from './clients.ts'
import { mailsTo } from './mails.ts'
import { someText } from './matchers.ts'

const server = await authServer({
  auth: { ...testAuth, adminKey },
})
const adminToken = await administratorsToken(server)

const notFound = { status: 404, code: 'user_not_found', message: 'User not found' }

describe('an administrator', () => {
  const admin = () => adminOf(server, adminToken)

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
      expect((await signIn(server, email)).session.user.id).toBe(id)
      expect(await mailsTo(server, email)).toEqual([])
    })

    it('who is not confirmed, or banned from the beginning', async () => {
      const [email, banned] = [newAddress(), newAddress()]
      const { user } = await ok(admin().createUser({ email, password }))
      expect(user).not.toHaveProperty('email_confirmed_at')
      const client = clientOf(server)
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
      expect(await canSignIn(server, email, 'what it was before')).toBe(true)
      const other = { email: newAddress(), password_hash: 'no hash at all' }
      await refused(admin().createUser(other), 'validation_failed', 400)
    })

    it('without a password, who is let in by mail', async () => {
      const email = newAddress()
      const { user } = await ok(admin().createUser({ email, email_confirm: true }))
      expect(await canSignIn(server, email, '')).toBe(false)
      const client = clientOf(server)
      await ok(client.signInWithOtp({ email }))
      const { code: token } = await server.nextMail(email)
      const verified = await ok(client.verifyOtp({ email, token, type: 'email' }))
      expect(verified.user?.id).toBe(user.id)
    })

    it('once only', async () => {
      const { email, id } = await newPerson(server)
      const twice = admin().createUser({ email: ` ${email.toUpperCase()}`, password })
      await refused(twice, 'email_exists', 422)
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
      await refused(admin().createUser(attributes), code, status)
    })
  })

  describe('looks at users', () => {
    it('by their id, if there is such a user', async () => {
      const { id, email } = await newPerson(server)
      expect((await ok(admin().getUserById(id))).user).toMatchObject({ id, email })
      for (const call of [
        admin().getUserById(randomUUID()),
        admin().updateUserById(randomUUID(), { user_metadata: { a: 1 } }),
        admin().mfa.listFactors({ userId: randomUUID() }),
      ]) {
        expect(await refusal(call)).toMatchObject(notFound)
      }
      await expect(admin().getUserById('7')).rejects.toThrow(/UUID/)
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const options = { token: adminToken, ...(method !== 'GET' && { body: {} }) }
        await rawRefused(raw(server, method, '/admin/users/7', options), 404, 'validation_failed')
      }
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

    it('of pages that can be counted', async () => {
      for (const wrong of [{ page: -1 }, { page: 1.5 }, { perPage: 0 }, { perPage: -1 }]) {
        await refused(
          admin().listUsers(wrong),
          'validation_failed',
          400,
          'Bad Pagination Parameters',
        )
      }
      const first = await ok(admin().listUsers({ page: 1 }))
      expect(await ok(admin().listUsers({ page: 0 }))).toEqual(first)
    })
  })

  describe('changes a user', () => {
    it('their address, without asking them, which ends every session', async () => {
      const { id, email, client } = await newPerson(server)
      const wanted = newAddress()
      const { user } = await ok(admin().updateUserById(id, { email: wanted.toUpperCase() }))
      expect(user).toMatchObject({ id, email: wanted })
      expect(user).not.toHaveProperty('new_email')
      expect(await canSignIn(server, wanted, password)).toBe(true)
      expect(await canSignIn(server, email, password)).toBe(false)
      await sessionMissing(client.getUser())
      const { email: taken } = await newPerson(server)
      const change = admin().updateUserById(id, { email: taken })
      await refused(change, 'email_exists', 422)
    })

    it('their password, which ends every session', async () => {
      const { id, email, client } = await newPerson(server)
      await ok(admin().updateUserById(id, { password: 'quite another one' }))
      await sessionMissing(client.getUser())
      expect(await canSignIn(server, email, password)).toBe(false)
      expect(await canSignIn(server, email, 'quite another one')).toBe(true)
      expect(await refusal(admin().updateUserById(id, { password: 'short' }))).toMatchObject({
        name: 'AuthWeakPasswordError',
        reasons: ['length'],
      })
      const password_hash = await hashPassword('what it was before')
      await ok(admin().updateUserById(id, { password_hash }))
      expect(await canSignIn(server, email, 'what it was before')).toBe(true)
    })

    it('whether they are banned', async () => {
      const { id, email, client } = await newPerson(server)
      const { user } = await ok(admin().updateUserById(id, { ban_duration: '24h' }))
      const until = Date.parse(String('banned_until' in user && user.banned_until))
      expect(Math.abs(until - Date.now() - 24 * 3600_000)).toBeLessThan(60_000)
      const again = clientOf(server)
      await refused(again.signInWithPassword({ email, password }), 'user_banned', 400)
      await refusal(client.getUser())

      const free = await ok(admin().updateUserById(id, { ban_duration: 'none' }))
      expect(free.user).not.toHaveProperty('banned_until')
      await ok(again.signInWithPassword({ email, password }))
      const odd = admin().updateUserById(id, { ban_duration: 'a day' })
      await refused(odd, 'validation_failed', 400)
    })

    it('what is said of them, and nothing else', async () => {
      const { id, client } = await newPerson(server)
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
      expect(await canSignIn(server, email, password)).toBe(true)
    })
  })

  describe('deletes a user', () => {
    it('for good', async () => {
      const { id, email, client } = await newPerson(server)
      const { user } = await ok(admin().deleteUser(id))
      expect(user).toMatchObject({ id, email })
      expect(await refusal(admin().getUserById(id))).toMatchObject(notFound)
      await sessionMissing(client.getUser())
      expect(await canSignIn(server, email, password)).toBe(false)
      expect(await refusal(admin().deleteUser(id))).toMatchObject(notFound)
      await ok(admin().createUser({ email, password, email_confirm: true }))
      expect(await canSignIn(server, email, password)).toBe(true)
    })

    it('so that only the id is left', async () => {
      const { id, email, client } = await newPerson(server)
      await ok(admin().updateUserById(id, { user_metadata: { name: 'Ada' } }))
      await ok(admin().deleteUser(id, true))
      const { user } = await ok(admin().getUserById(id))
      expect(user).toMatchObject({ id, deleted_at: someText, user_metadata: {} })
      expect(JSON.stringify(user)).not.toContain(email)
      await sessionMissing(client.getUser())
      expect(await canSignIn(server, email, password)).toBe(false)
      await ok(clientOf(server).resetPasswordForEmail(email))
      expect(await mailsTo(server, email)).toEqual([])
    })
  })

  it('signs people out with their own token', async () => {
    const here = await newPerson(server)
    const there = await signIn(server, here.email)
    const out = await admin().signOut(here.session.access_token, 'others')
    expect(out).toEqual({ data: null, error: null })
    await ok(here.client.getUser())
    await sessionMissing(there.client.getUser())
    await admin().signOut(here.session.access_token)
    await sessionMissing(here.client.getUser())
    await sessionMissing(admin().signOut(here.session.access_token))
  })
})

it('another server does the same with its key', async () => {
  const admin = adminOf(server, adminKey)
  const { user } = await ok(admin.createUser({ email: newAddress(), email_confirm: true }))
  await ok(admin.updateUserById(user.id, { password }))
  const { session, client } = await signIn(server, user.email ?? '')
  expect((await ok(admin.getUserById(user.id))).user.email).toBe(user.email)
  expect((await ok(admin.mfa.listFactors({ userId: user.id }))).factors).toEqual([])
  expect((await ok(admin.listUsers({ perPage: 1000 }))).users.map(({ id }) => id)).toContain(
    user.id,
  )
  await admin.signOut(session.access_token)
  await sessionMissing(client.getUser())
  await ok(admin.deleteUser(user.id))
  const { user: invited } = await ok(admin.inviteUserByEmail(newAddress()))
  const link = await ok(admin.generateLink({ type: 'invite', email: invited.email ?? '' }))
  expect(link.user.id).toBe(invited.id)
})
