import { describe, expect, it } from 'vitest'
import { authServer } from '../auth-server.ts'
import { password } from '../server.ts'
import { administratorsToken, adminOf } from './administrators.ts'
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
import { someText, textLike } from './matchers.ts'

const server = await authServer()
const adminToken = await administratorsToken(server)

const emailExists = { status: 422, code: 'email_exists' }
const redirectTo = 'http://localhost:3000/?status=new'

describe('an administrator', () => {
  const admin = () => adminOf(server, adminToken)
  const client = () => clientOf(server)

  describe('invites', () => {
    it('a new user, who comes in by the mail and chooses a password', async () => {
      const email = newAddress()
      const options = { data: { name: 'Ada' }, redirectTo }
      const { user } = await ok(admin().inviteUserByEmail(email, options))
      expect(user).toMatchObject({
        email,
        invited_at: someText,
        user_metadata: { name: 'Ada' },
      })
      expect(user).not.toHaveProperty('email_confirmed_at')

      const mail = await server.nextMail(email)
      expect(mail.linked.get('type')).toBe('invite')
      expect(mail.linked.get('redirect_to')).toBe('/?status=new')
      const browser = client()
      const token_hash = tokenOf(mail)
      const came = await ok(browser.verifyOtp({ token_hash, type: 'invite' }))
      expect(came.user).toMatchObject({ id: user.id, email_confirmed_at: someText })
      await ok(browser.updateUser({ password }))
      expect(await canSignIn(server, email, password)).toBe(true)
      await refused(client().verifyOtp({ token_hash, type: 'invite' }), 'otp_expired', 403)
    })

    it('again who has not come yet, and the last mail counts', async () => {
      const email = newAddress()
      const { user } = await ok(admin().inviteUserByEmail(email))
      const stale = tokenOf(await server.nextMail(email))
      expect((await ok(admin().inviteUserByEmail(email))).user.id).toBe(user.id)
      const fresh = tokenOf(await server.nextMail(email))
      const verify = (token_hash: string) => client().verifyOtp({ token_hash, type: 'invite' })
      await refused(verify(stale), 'otp_expired')
      await ok(verify(fresh))
    })

    it('no user who is there already', async () => {
      const { email } = await newPerson(server)
      expect(await refusal(admin().inviteUserByEmail(email))).toMatchObject(emailExists)
      expect(await mailsTo(server, email)).toEqual([])
    })

    it('only to an address', async () => {
      await refused(admin().inviteUserByEmail('nobody'), 'validation_failed', 400)
    })
  })

  describe('makes a link', () => {
    const known = async () => (await newPerson(server)).email
    const unknown = async () => newAddress()

    it.each([
      ['signup', unknown],
      ['invite', unknown],
      ['magiclink', known],
      ['recovery', known],
    ] as const)('of the type %s, with all that is needed to send it', async (type, whose) => {
      const email = await whose()
      const options = { redirectTo, data: { name: 'Ada' } }
      const { properties, user } = await ok(
        admin().generateLink(
          type === 'signup' ? { type, email, password, options } : { type, email, options },
        ),
      )
      expect(user).toMatchObject({ email, aud: 'authenticated' })
      expect(user.user_metadata).toEqual(whose === unknown ? { name: 'Ada' } : {})
      expect(properties).toEqual({
        action_link: someText,
        email_otp: textLike(/^\d{6}$/),
        hashed_token: someText,
        redirect_to: redirectTo,
        verification_type: type,
      })
      const link = new URL(properties.action_link)
      expect(link.origin + link.pathname).toBe('http://localhost:3000/auth/v1/verify')
      expect(Object.fromEntries(link.searchParams)).toEqual({
        token: properties.hashed_token,
        type,
        redirect_to: redirectTo,
      })
      expect(await mailsTo(server, email)).toEqual([])

      const browser = client()
      const verified = await ok(browser.verifyOtp({ token_hash: properties.hashed_token, type }))
      expect(verified.user).toMatchObject({ id: user.id, email_confirmed_at: someText })
      await ok(browser.getUser())
      // The code works as well, and is consumed together with the link.
      const used = { email, token: properties.email_otp, type }
      await refused(client().verifyOtp(used), 'otp_expired')
      const next = await ok(admin().generateLink({ type: 'recovery', email }))
      expect(next.properties.redirect_to).toBe('http://localhost:3000/')
      const code = next.properties.email_otp
      expect(
        (await ok(client().verifyOtp({ email, token: code, type: 'recovery' }))).user?.id,
      ).toBe(user.id)
    })

    it('of the two types that change an address', async () => {
      const { email, id } = await newPerson(server)
      const newEmail = newAddress()
      const link = async (type: 'email_change_current' | 'email_change_new') =>
        ok(admin().generateLink({ type, email, newEmail, options: { redirectTo } }))
      const [current, next] = [await link('email_change_current'), await link('email_change_new')]
      expect(current.properties.verification_type).toBe('email_change_current')
      expect(next.properties.verification_type).toBe('email_change_new')
      expect(next.user).toMatchObject({ id, email, new_email: newEmail })
      for (const { properties } of [current, next]) {
        expect(new URL(properties.action_link).searchParams.get('type')).toBe('email_change')
      }
      expect(current.properties.hashed_token).not.toBe(next.properties.hashed_token)

      // One by its code, for the address it was sent to; the other by its link.
      const token = next.properties.email_otp
      const half = await ok(client().verifyOtp({ email: newEmail, token, type: 'email_change' }))
      expect(half.session).toBeNull()
      const token_hash = current.properties.hashed_token
      const whole = await ok(client().verifyOtp({ token_hash, type: 'email_change' }))
      expect(whole.user).toMatchObject({ id, email: newEmail })
    })

    it('that signs up an unknown user who was to sign in', async () => {
      const email = newAddress()
      const { properties, user } = await ok(admin().generateLink({ type: 'magiclink', email }))
      expect(properties.verification_type).toBe('signup')
      expect(new URL(properties.action_link).searchParams.get('type')).toBe('signup')
      const token_hash = properties.hashed_token
      const verified = await ok(client().verifyOtp({ token_hash, type: 'signup' }))
      expect(verified.user?.id).toBe(user.id)
    })

    it('with which a new user signs up with the password that was set', async () => {
      const email = newAddress()
      const { properties } = await ok(admin().generateLink({ type: 'signup', email, password }))
      const token = properties.email_otp
      await ok(client().verifyOtp({ email, token, type: 'signup' }))
      expect(await canSignIn(server, email, password)).toBe(true)
    })

    it('to recover or to change an address only for a user who exists', async () => {
      const email = newAddress()
      const newEmail = newAddress()
      for (const wanted of [
        { type: 'recovery', email },
        { type: 'email_change_current', email, newEmail },
        { type: 'email_change_new', email, newEmail },
      ] as const) {
        await refused(admin().generateLink(wanted), 'user_not_found', 404)
      }
    })

    it('to sign up only for a user who does not exist', async () => {
      const email = await known()
      const signup = admin().generateLink({ type: 'signup', email, password })
      expect(await refusal(signup)).toMatchObject(emailExists)
      const invite = admin().generateLink({ type: 'invite', email })
      expect(await refusal(invite)).toMatchObject(emailExists)
    })

    it('to no address of another user', async () => {
      const email = await known()
      const newEmail = await known()
      const change = admin().generateLink({ type: 'email_change_new', email, newEmail })
      expect(await refusal(change)).toMatchObject(emailExists)
    })

    it('to sign up with only with a good password', async () => {
      const weak = admin().generateLink({ type: 'signup', email: newAddress(), password: 'short' })
      expect(await refusal(weak)).toMatchObject({ name: 'AuthWeakPasswordError' })
      await rawRefused(
        raw(server, 'POST', '/admin/generate_link', {
          token: adminToken,
          body: { type: 'signup', email: newAddress() },
        }),
        400,
        'validation_failed',
      )
    })
  })
})
