import type { UserAttributes } from '@supabase/auth-js'
import { describe, expect, it } from 'vitest'
import { authServer } from '../auth-server.ts'
import { password } from '../server.ts'
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
} from './clients.ts'
import { mailsTo, tokenOf } from './mails.ts'
import { someText } from './matchers.ts'

const server = await authServer()

describe('what one says of oneself', () => {
  it('is added to what is there, and null takes it away', async () => {
    const { client, id } = await newPerson(server)
    const say = async (data: object) => (await ok(client.updateUser({ data }))).user.user_metadata
    expect(await say({ name: 'Ada', town: 'Roma' })).toEqual({ name: 'Ada', town: 'Roma' })
    expect(await say({ name: 'Bea', tags: [1, { a: null }] })).toEqual({
      name: 'Bea',
      town: 'Roma',
      tags: [1, { a: null }],
    })
    expect(await say({ town: null })).toEqual({ name: 'Bea', tags: [1, { a: null }] })
    expect(await say({})).toEqual({ name: 'Bea', tags: [1, { a: null }] })

    expect((await ok(client.getUser())).user).toMatchObject({ id, user_metadata: { name: 'Bea' } })
    expect((await ok(client.getSession())).session?.user.user_metadata['name']).toBe('Bea')
    await ok(client.refreshSession())
    expect((await ok(client.getClaims()))?.claims.user_metadata).toMatchObject({ name: 'Bea' })
  })

  it.each([
    ['app_metadata', { app_metadata: { admin: true } }],
    ['an empty app_metadata', { app_metadata: {} }],
    ['role', { role: 'service_role' }],
    ['app_metadata beside what is allowed', { data: { a: 1 }, app_metadata: { admin: true } }],
  ])('is not %s: that is for administrators', async (_what, body) => {
    const { client, session } = await newPerson(server)
    await rawRefused(
      raw(server, 'PUT', '/user', {
        body,
        token: session.access_token,
      }),
      403,
      'not_admin',
    )
    const error = await refusal(client.updateUser(body as UserAttributes))
    expect(error).toMatchObject({ status: 403, code: 'not_admin', message: 'User not allowed' })
    expect((await ok(client.getUser())).user).toMatchObject({
      role: 'authenticated',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: {},
    })
  })
})

describe('another address', () => {
  const verify = (token_hash: string) =>
    clientOf(server).verifyOtp({ token_hash, type: 'email_change' })

  async function changing() {
    const person = await newPerson(server)
    const wanted = newAddress()
    const options = { emailRedirectTo: 'http://localhost:3000/?status=new' }
    const { user } = await ok(person.client.updateUser({ email: wanted }, options))
    const current = await server.nextMail(person.email)
    const next = await server.nextMail(wanted)
    return { ...person, wanted, user, current, next }
  }

  it('is shown as the new one until both have agreed', async () => {
    const { client, email, wanted, user, current, next } = await changing()
    expect(user).toMatchObject({
      email,
      new_email: wanted,
      email_change_sent_at: someText,
    })
    expect((await ok(client.getUser())).user).toMatchObject({ email, new_email: wanted })
    for (const mail of [current, next]) {
      expect(mail.link.href).toMatch(/^http:\/\/localhost:3000\/confirm#/)
      expect(mail.linked.get('type')).toBe('email_change')
      expect(mail.linked.get('redirect_to')).toBe('/?status=new')
    }
    expect(await canSignIn(server, email, password)).toBe(true)
    expect(await canSignIn(server, wanted, password)).toBe(false)
  })

  it.each(['current', 'next'] as const)(
    'is taken on when both have agreed, the %s one first',
    async (side) => {
      const { id, client, email, wanted, current, next } = await changing()
      const mails = side === 'current' ? [current, next] : [next, current]
      const [first = '', second = ''] = mails.map(tokenOf)

      const half = await ok(verify(first))
      expect(half.session).toBeNull()
      expect(half.user).toBeNull()
      expect((await ok(client.getUser())).user).toMatchObject({ email, new_email: wanted })
      await refused(verify(first), 'otp_expired', 403)

      const whole = await ok(verify(second))
      expect(whole.session?.access_token).toEqual(expect.any(String))
      expect(whole.user).toMatchObject({ id, email: wanted })
      expect(whole.user).not.toHaveProperty('new_email')
      expect(whole.user?.identities).toMatchObject([
        { provider: 'email', email: wanted, identity_data: { email: wanted } },
      ])
      expect((await ok(client.getUser())).user.email).toBe(wanted)
      expect(await canSignIn(server, wanted, password)).toBe(true)
      expect(await canSignIn(server, email, password)).toBe(false)
    },
  )

  it('must not be of another user', async () => {
    const { email: taken } = await newPerson(server)
    const { client } = await newPerson(server)
    const error = await refusal(client.updateUser({ email: ` ${taken.toUpperCase()}` }))
    expect(error).toMatchObject({
      status: 422,
      code: 'email_exists',
      message: 'A user with this email address has already been registered',
    })
    expect((await ok(client.getUser())).user).not.toHaveProperty('new_email')
  })

  it('must not have become that of another user meanwhile', async () => {
    const { client, email, wanted, current, next } = await changing()
    await ok(verify(tokenOf(current)))
    await server.addUser(wanted.toUpperCase())
    await refused(verify(tokenOf(next)), 'email_exists', 422)
    expect((await ok(client.getUser())).user.email).toBe(email)
  })

  it('must be an address', async () => {
    const { client } = await newPerson(server)
    await refused(
      client.updateUser({ email: 'nobody' }),
      'validation_failed',
      400,
      'Unable to validate email address: invalid format',
    )
  })

  it('is no other one when it is the same', async () => {
    const { client, email } = await newPerson(server)
    const { user } = await ok(client.updateUser({ email: email.toUpperCase() }))
    expect(user).not.toHaveProperty('new_email')
    expect(await mailsTo(server, email)).toEqual([])
  })

  it('is given up by asking for the one there is', async () => {
    const { client, email, current, next } = await changing()
    await ok(verify(tokenOf(next)))
    const { user } = await ok(client.updateUser({ email }))
    expect(user).toMatchObject({ email })
    expect(user).not.toHaveProperty('new_email')
    for (const mail of [current, next]) {
      await refused(verify(tokenOf(mail)), 'otp_expired')
    }
    expect((await ok(client.getUser())).user.email).toBe(email)
  })

  it('asked for anew makes the mails of the first worthless', async () => {
    const { client, email, current, next } = await changing()
    await ok(verify(tokenOf(next)))
    const later = newAddress()
    await ok(client.updateUser({ email: later }))
    const mails = [await server.nextMail(email), await server.nextMail(later)]
    await refused(verify(tokenOf(current)), 'otp_expired')
    const [first = '', second = ''] = mails.map(tokenOf)
    // A confirmation of the first change does not count for the second one.
    expect((await ok(verify(first))).session).toBeNull()
    expect((await ok(verify(second))).user?.email).toBe(later)
  })

  it('is asked for again with resend', async () => {
    const { email, wanted, current, next } = await changing()
    const client = clientOf(server)
    expect(await ok(client.resend({ email, type: 'email_change' }))).toEqual({
      user: null,
      session: null,
    })
    const unasked = newAddress()
    await server.addUser(unasked)
    expect(await ok(client.resend({ email: unasked, type: 'email_change' }))).toEqual({
      user: null,
      session: null,
    })
    expect(await mailsTo(server, unasked)).toEqual([])
    const again = [await server.nextMail(email), await server.nextMail(wanted)]
    for (const stale of [current, next]) {
      await refused(verify(tokenOf(stale)), 'otp_expired')
    }
    const [first = '', second = ''] = again.map(tokenOf)
    await ok(verify(first))
    expect((await ok(verify(second))).user?.email).toBe(wanted)
  })

  it('and a new password and data are changed in one call', async () => {
    const { client, email } = await newPerson(server)
    const wanted = newAddress()
    const { user } = await ok(
      client.updateUser({ email: wanted, password: 'quite another one', data: { a: 1 } }),
    )
    expect(user).toMatchObject({ email, new_email: wanted, user_metadata: { a: 1 } })
    expect(await canSignIn(server, email, 'quite another one')).toBe(true)
    const [agreed] = (await mailsTo(server, wanted)).map(tokenOf)
    expect((await ok(verify(agreed ?? ''))).session).toBeNull()
    expect(await mailsTo(server, email)).toHaveLength(2)
  })
})
