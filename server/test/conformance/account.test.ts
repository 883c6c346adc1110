import type { UserAttributes } from '@supabase/auth-js'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AuthServer, authServer } from '../auth-server.ts'
import { password } from '../server.ts'
import {
  canSignIn,
  clientOf,
  generations,
  newAddress,
  newPerson,
  ok,
  raw,
  refusal,
} from './clients.ts'
import { mailsTo, tokenOf } from './mails.ts'
import { someText, textLike } from './matchers.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer()
})

describe.each(generations)('what one says of oneself, auth-js %s', (generation) => {
  it('is added to what is there, and null takes it away', async () => {
    const { client, id } = await newPerson(generation, server)
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

  it('needs a session', async () => {
    const client = clientOf(generation, server)
    expect(await refusal(client.updateUser({ data: { a: 1 } }))).toMatchObject({
      name: 'AuthSessionMissingError',
    })
    const { status, json } = await raw(server, 'PUT', '/user', { body: { data: { a: 1 } } })
    expect([status, json]).toMatchObject([401, { error_code: 'no_authorization' }])
  })

  it.each([
    ['app_metadata', { app_metadata: { admin: true } }],
    ['an empty app_metadata', { app_metadata: {} }],
    ['role', { role: 'service_role' }],
    ['app_metadata beside what is allowed', { data: { a: 1 }, app_metadata: { admin: true } }],
  ])('is not %s: that is for administrators', async (_what, body) => {
    const { client, session } = await newPerson(generation, server)
    const { status, json } = await raw(server, 'PUT', '/user', {
      body,
      token: session.access_token,
    })
    expect([status, json]).toMatchObject([403, { error_code: 'not_admin' }])
    const error = await refusal(client.updateUser(body as UserAttributes))
    expect(error).toMatchObject({ status: 403, code: 'not_admin', message: 'User not allowed' })
    expect((await ok(client.getUser())).user).toMatchObject({
      role: 'authenticated',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: {},
    })
  })
})

describe.each(generations)('another address, auth-js %s', (generation) => {
  const verify = (token_hash: string) =>
    clientOf(generation, server).verifyOtp({ token_hash, type: 'email_change' })

  async function changing() {
    const person = await newPerson(generation, server)
    const wanted = newAddress()
    const { user } = await ok(person.client.updateUser({ email: wanted }))
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
    }
    expect(await canSignIn(generation, server, email, password)).toBe(true)
    expect(await canSignIn(generation, server, wanted, password)).toBe(false)
  })

  it.each(['current', 'next'] as const)(
    'is taken on when both have agreed, the %s one first',
    async (side) => {
      const { id, client, email, wanted, current, next } = await changing()
      const mails = side === 'current' ? [current, next] : [next, current]
      const [first = '', second = ''] = mails.map(tokenOf)

      const half = await ok(verify(first))
      expect(half.session).toBeNull()
      // The older one takes the message for a user.
      if (generation === '2.109') expect(half.user).toBeNull()
      else expect(half.user).toMatchObject({ code: '200', msg: textLike(/other email/) })
      expect((await ok(client.getUser())).user).toMatchObject({ email, new_email: wanted })
      expect(await refusal(verify(first))).toMatchObject({ status: 403, code: 'otp_expired' })

      const whole = await ok(verify(second))
      expect(whole.session?.access_token).toEqual(expect.any(String))
      expect(whole.user).toMatchObject({ id, email: wanted })
      expect(whole.user).not.toHaveProperty('new_email')
      expect(whole.user?.identities).toMatchObject([
        { provider: 'email', email: wanted, identity_data: { email: wanted } },
      ])
      expect((await ok(client.getUser())).user.email).toBe(wanted)
      expect(await canSignIn(generation, server, wanted, password)).toBe(true)
      expect(await canSignIn(generation, server, email, password)).toBe(false)
    },
  )

  it('must not be somebody else’s', async () => {
    const { email: taken } = await newPerson(generation, server)
    const { client } = await newPerson(generation, server)
    const error = await refusal(client.updateUser({ email: ` ${taken.toUpperCase()}` }))
    expect(error).toMatchObject({
      status: 422,
      code: 'email_exists',
      message: 'A user with this email address has already been registered',
    })
    expect((await ok(client.getUser())).user).not.toHaveProperty('new_email')
  })

  it('must not have become somebody else’s meanwhile', async () => {
    const { client, email, wanted, current, next } = await changing()
    await ok(verify(tokenOf(current)))
    await server.addUser(wanted)
    expect(await refusal(verify(tokenOf(next)))).toMatchObject({
      status: 422,
      code: 'email_exists',
    })
    expect((await ok(client.getUser())).user.email).toBe(email)
  })

  it('must be an address', async () => {
    const { client } = await newPerson(generation, server)
    expect(await refusal(client.updateUser({ email: 'nobody' }))).toMatchObject({
      status: 400,
      code: 'validation_failed',
      message: 'Unable to validate email address: invalid format',
    })
  })

  it('is no other one when it is the same', async () => {
    const { client, email } = await newPerson(generation, server)
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
      expect(await refusal(verify(tokenOf(mail)))).toMatchObject({ code: 'otp_expired' })
    }
    expect((await ok(client.getUser())).user.email).toBe(email)
  })

  it('asked for anew makes the mails of the first worthless', async () => {
    const { client, email, current, next } = await changing()
    await ok(verify(tokenOf(next)))
    const later = newAddress()
    await ok(client.updateUser({ email: later }))
    const mails = [await server.nextMail(email), await server.nextMail(later)]
    expect(await refusal(verify(tokenOf(current)))).toMatchObject({ code: 'otp_expired' })
    const [first = '', second = ''] = mails.map(tokenOf)
    // Who agreed to the first has not agreed to the second.
    expect((await ok(verify(first))).session).toBeNull()
    expect((await ok(verify(second))).user?.email).toBe(later)
  })

  it('is asked for again with resend', async () => {
    const { email, wanted, current, next } = await changing()
    const client = clientOf(generation, server)
    expect(await ok(client.resend({ email, type: 'email_change' }))).toEqual({
      user: null,
      session: null,
    })
    const again = [await server.nextMail(email), await server.nextMail(wanted)]
    for (const stale of [current, next]) {
      expect(await refusal(verify(tokenOf(stale)))).toMatchObject({ code: 'otp_expired' })
    }
    const [first = '', second = ''] = again.map(tokenOf)
    await ok(verify(first))
    expect((await ok(verify(second))).user?.email).toBe(wanted)
  })

  it('that nobody asked for is not asked for again, and nothing says so', async () => {
    const { email } = await newPerson(generation, server)
    const client = clientOf(generation, server)
    for (const address of [email, newAddress()]) {
      expect(await ok(client.resend({ email: address, type: 'email_change' }))).toEqual({
        user: null,
        session: null,
      })
      expect(await mailsTo(server, address)).toEqual([])
    }
  })

  it('leads to where the client wished', async () => {
    const { client, email } = await newPerson(generation, server)
    const wanted = newAddress()
    const emailRedirectTo = 'http://localhost:3000/?status=new'
    await ok(client.updateUser({ email: wanted }, { emailRedirectTo }))
    for (const address of [email, wanted]) {
      const { linked } = await server.nextMail(address)
      expect(linked.get('redirect_to')).toBe('/?status=new')
    }
  })

  it('and a new password and data are changed in one call', async () => {
    const { client, email } = await newPerson(generation, server)
    const wanted = newAddress()
    const { user } = await ok(
      client.updateUser({ email: wanted, password: 'quite another one', data: { a: 1 } }),
    )
    expect(user).toMatchObject({ email, new_email: wanted, user_metadata: { a: 1 } })
    expect(await canSignIn(generation, server, email, 'quite another one')).toBe(true)
    const [agreed] = (await mailsTo(server, wanted)).map(tokenOf)
    expect((await ok(verify(agreed ?? ''))).session).toBeNull()
    expect(await mailsTo(server, email)).toHaveLength(2)
  })
})
