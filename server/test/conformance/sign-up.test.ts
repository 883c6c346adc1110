import { describe, expect, it } from 'vitest'
import { authServer } from '../auth-server.ts'
import { password, testAuth } from '../server.ts'
import {
  canSignIn,
  clientOf,
  newAddress,
  newPerson,
  ok,
  refusal,
  refused,
  signIn,
} from './clients.ts'
import { mailsTo, tokenOf } from './mails.ts'
import { someText } from './matchers.ts'

const closed = await authServer()
const server = await authServer({
  auth: { ...testAuth, signup: true, anonymous: true },
})

describe('where sign-up is closed', () => {
  it('says so', async () => {
    const email = newAddress()
    const client = clientOf(closed)
    await refused(
      client.signUp({ email, password }),
      'signup_disabled',
      422,
      'Signups not allowed for this instance',
    )
    expect(await mailsTo(closed, email)).toEqual([])
  })

  it('refuses anonymous sign-ins', async () => {
    const error = await refusal(clientOf(closed).signInAnonymously())
    expect(error).toMatchObject({
      status: 422,
      code: 'anonymous_provider_disabled',
      message: 'Anonymous sign-ins are disabled',
    })
  })
})

describe('phones are not offered', () => {
  it('to sign up, sign in or ask for a code', async () => {
    const phone = '+390612345678'
    const { client } = await newPerson(server)
    const calls = {
      signUp: client.signUp({ phone, password }),
      signInWithPassword: client.signInWithPassword({ phone, password }),
      signInWithOtp: client.signInWithOtp({ phone }),
      updateUser: client.updateUser({ phone }),
    }
    const codes = Object.entries(calls).map(async ([name, call]) => [
      name,
      (await refusal(call)).code,
    ])
    expect(Object.fromEntries(await Promise.all(codes))).toEqual(
      Object.fromEntries(Object.keys(calls).map((name) => [name, 'phone_provider_disabled'])),
    )
  })

  it('so that no code of one is valid', async () => {
    const [client, token] = [clientOf(server), '123456']
    for (const type of ['sms', 'phone_change'] as const) {
      expect(
        await refusal(client.verifyOtp({ phone: '+39 0612345678', token, type })),
      ).toMatchObject({
        status: 403,
        code: 'otp_expired',
        message: 'Token has expired or is invalid',
      })
    }
  })

  it('and one that is none is told first', async () => {
    const { client } = await newPerson(server)
    for (const phone of ['06 123', 'nobody', `+39${'1'.repeat(14)}`]) {
      const wrong = {
        status: 400,
        code: 'validation_failed',
        message: 'Invalid phone number format (E.164 required)',
      }
      const verifying = client.verifyOtp({ phone, token: '123456', type: 'sms' })
      expect(await refusal(verifying)).toMatchObject(wrong)
      expect(await refusal(client.updateUser({ phone }))).toMatchObject(wrong)
    }
  })

  it('to have a code sent again', async () => {
    const client = clientOf(server)
    for (const type of ['sms', 'phone_change'] as const) {
      const resending = client.resend({ phone: '+390612345678', type })
      await refused(resending, 'phone_provider_disabled')
    }
  })
})

describe('signing up', () => {
  const client = () => clientOf(server)

  it('gives the user without a session, and lets them in once the code confirmed them', async () => {
    const email = newAddress()
    const browser = client()
    const { user, session } = await ok(
      browser.signUp({ email, password, options: { data: { name: 'Ada' } } }),
    )
    expect(session).toBeNull()
    expect(user).toMatchObject({
      email,
      aud: 'authenticated',
      confirmation_sent_at: someText,
      user_metadata: { name: 'Ada' },
      identities: [{ provider: 'email', user_id: user?.id }],
    })
    expect(user).not.toHaveProperty('email_confirmed_at')
    await refused(browser.signInWithPassword({ email, password }), 'email_not_confirmed')

    const { code } = await server.nextMail(email)
    const confirmed = await ok(browser.verifyOtp({ email, token: code, type: 'signup' }))
    expect(confirmed.session?.access_token).toEqual(expect.any(String))
    expect(confirmed.user).toMatchObject({
      id: user?.id,
      email,
      email_confirmed_at: someText,
      confirmed_at: someText,
      user_metadata: { name: 'Ada' },
    })
    expect((await ok(browser.getUser())).user.id).toBe(user?.id)
    expect(await canSignIn(server, email, password)).toBe(true)
  })

  it('is confirmed by the token of the link just as well', async () => {
    const email = newAddress()
    const { user } = await ok(client().signUp({ email, password }))
    const mail = await server.nextMail(email)
    expect(mail.link.origin + mail.link.pathname).toBe('http://localhost:3000/confirm')
    expect(mail.linked.get('type')).toBe('signup')
    const elsewhere = client()
    const token_hash = tokenOf(mail)
    const confirmed = await ok(elsewhere.verifyOtp({ token_hash, type: 'signup' }))
    expect(confirmed.user?.id).toBe(user?.id)
    await refused(elsewhere.verifyOtp({ token_hash, type: 'signup' }), 'otp_expired', 403)
    expect(await canSignIn(server, email, password)).toBe(true)
  })

  it('with a taken address looks the same, and only its owner is told', async () => {
    const { email, id } = await newPerson(server)
    const free = await ok(client().signUp({ email: newAddress(), password: 'another long one' }))
    const taken = await ok(client().signUp({ email, password: 'another long one' }))
    expect(taken.session).toBeNull()
    expect(taken.user?.id).not.toBe(id)
    const shape = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shape)
      if (typeof value !== 'object' || value === null) return typeof value
      return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, shape(of)]))
    }
    expect(shape(taken)).toEqual(shape(free))
    expect(taken.user?.identities).toHaveLength(1)
    expect(taken.user?.role).toBe(free.user?.role)

    const mails = await mailsTo(server, email)
    expect(mails).toHaveLength(1)
    expect(mails[0]?.code).toBe('')
    expect(mails[0]?.linked.has('token_hash')).toBe(false)
    expect(mails[0]?.link.href).toBe('http://localhost:3000/login')
    expect(await canSignIn(server, email, 'another long one')).toBe(false)
    expect(await canSignIn(server, email, password)).toBe(true)
  })

  it('again before confirming, with another password, gives the same user, and neither counts', async () => {
    const email = newAddress()
    const first = await ok(client().signUp({ email, password }))
    const stale = await server.nextMail(email)
    const again = await ok(client().signUp({ email, password: 'another long one' }))
    expect(again.user?.id).toBe(first.user?.id)
    const { code } = await server.nextMail(email)
    await refused(client().verifyOtp({ token_hash: tokenOf(stale), type: 'signup' }), 'otp_expired')
    await ok(client().verifyOtp({ email, token: code, type: 'signup' }))
    expect(await canSignIn(server, email, 'another long one')).toBe(false)
    expect(await canSignIn(server, email, password)).toBe(false)
  })

  it('twice at once makes one user', async () => {
    const email = newAddress()
    const both = await Promise.all([1, 2].map(() => ok(client().signUp({ email, password }))))
    expect(both[0]?.user?.id).toBe(both[1]?.user?.id)
    const mails = await mailsTo(server, email)
    const token = mails.at(-1)?.code ?? ''
    const { user } = await ok(client().verifyOtp({ email, token, type: 'signup' }))
    expect(user?.id).toBe(both[0]?.user?.id)
  })

  it.each([
    ['short', 'too short', ['length']],
    ['of few characters', 'abababababab', ['characters']],
  ])('refuses a password that is %s, and says why', async (_what, weak, reasons) => {
    const error = await refusal(client().signUp({ email: newAddress(), password: weak }))
    expect(error).toMatchObject({
      name: 'AuthWeakPasswordError',
      status: 422,
      code: 'weak_password',
      reasons,
    })
  })

  it('refuses what is no address', async () => {
    const error = await refusal(client().signUp({ email: 'persona at example.it', password }))
    expect(error).toMatchObject({
      status: 400,
      code: 'validation_failed',
      message: 'Unable to validate email address: invalid format',
    })
  })

  it('sends the mail again when asked, and only the newest counts', async () => {
    const email = newAddress()
    await ok(client().signUp({ email, password }))
    const stale = await server.nextMail(email)
    await ok(client().resend({ email, type: 'signup' }))
    const fresh = await server.nextMail(email)
    const verify = (token: string) => client().verifyOtp({ email, token, type: 'signup' })
    await refused(verify(stale.code), 'otp_expired')
    await ok(verify(fresh.code))
  })

  it('sends nothing again to who is confirmed or unknown, and does not say so', async () => {
    const { email } = await newPerson(server)
    const unknown = newAddress()
    for (const address of [email, unknown]) {
      expect(await ok(client().resend({ email: address, type: 'signup' }))).toEqual({
        user: null,
        session: null,
      })
    }
    expect(await mailsTo(server, email)).toEqual([])
    expect(await mailsTo(server, unknown)).toEqual([])
  })
})

describe('without any address', () => {
  async function became() {
    const client = clientOf(server)
    const { user, session } = await ok(client.signInAnonymously({ options: { data: { a: 1 } } }))
    const email = newAddress()
    await ok(client.updateUser({ email }))
    const token_hash = tokenOf(await server.nextMail(email))
    const verified = await ok(client.verifyOtp({ token_hash, type: 'email_change' }))
    return { client, anonymous: user, session, email, known: verified.user }
  }

  it('an anonymous user cannot prove who they are', async () => {
    const client = clientOf(server)
    await ok(client.signInAnonymously())
    await refused(
      client.reauthenticate(),
      'validation_failed',
      400,
      'Reauthentication requires the user to have an email or a phone number',
    )
  })

  it('one is let in anonymously', async () => {
    const client = clientOf(server)
    const { user, session } = await ok(client.signInAnonymously())
    expect(user).toMatchObject({ is_anonymous: true, email: '', identities: [], user_metadata: {} })
    const read = await ok(client.getClaims(session?.access_token))
    expect(read?.claims).toMatchObject({
      sub: user?.id,
      is_anonymous: true,
      amr: [{ method: 'anonymous' }],
    })
    await ok(client.refreshSession())
    expect((await ok(client.getUser())).user.id).toBe(user?.id)
  })

  it('an anonymous user may become a known one, by an address and then a password', async () => {
    const { client, anonymous, email, known } = await became()
    expect(anonymous?.user_metadata).toEqual({ a: 1 })
    expect(known).toMatchObject({
      id: anonymous?.id,
      email,
      is_anonymous: false,
      identities: [{ provider: 'email' }],
      user_metadata: { a: 1 },
    })
    await ok(client.updateUser({ password }))
    expect((await signIn(server, email)).id).toBe(anonymous?.id)
  })
})
