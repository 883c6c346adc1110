import { describe, expect, it } from 'vitest'
import { authServer } from '../auth-server.ts'
import { password } from '../server.ts'
import {
  ageSessions,
  type Client,
  canSignIn,
  clientOf,
  eventsOf,
  newAddress,
  newPerson,
  ok,
  raw,
  refusal,
  refused,
  sessionMissing,
  signIn,
} from './clients.ts'
import { mailsTo, tokenOf } from './mails.ts'

const server = await authServer()

const another = 'quite another long one'

describe('a forgotten password', () => {
  const client = () => clientOf(server)

  async function forgotten() {
    const { email, id, client: elsewhere } = await newPerson(server)
    const redirectTo = 'http://localhost:3000/reset-password?type=recovery'
    expect(await ok(client().resetPasswordForEmail(email, { redirectTo }))).toEqual({})
    return { email, id, elsewhere, mail: await server.nextMail(email) }
  }

  it('brings a mail to who is known, and the same answer to who is not', async () => {
    const unknown = newAddress()
    expect(await ok(client().resetPasswordForEmail(unknown))).toEqual({})
    const { email } = await forgotten()
    expect(await mailsTo(server, unknown)).toEqual([])
    expect(await mailsTo(server, email)).toHaveLength(1)
    const [one, other] = await Promise.all(
      [newAddress(), email].map((address) =>
        raw(server, 'POST', '/recover', { body: { email: address } }),
      ),
    )
    expect([one?.status, one?.json]).toEqual([other?.status, other?.json])
  })

  it('is replaced by the link: the old one no longer works, and other sessions end', async () => {
    const { email, id, elsewhere, mail } = await forgotten()
    expect(mail.link.href).toMatch(/^http:\/\/localhost:3000\/confirm#/)
    expect(mail.linked.get('type')).toBe('recovery')
    expect(mail.linked.get('redirect_to')).toBe('/reset-password?type=recovery')
    const browser = client()
    const events = await eventsOf(browser)
    const recovered = await ok(browser.verifyOtp({ token_hash: tokenOf(mail), type: 'recovery' }))
    expect(recovered.user?.id).toBe(id)
    expect(events).toEqual(['PASSWORD_RECOVERY'])

    const { user } = await ok(browser.updateUser({ password: another }))
    expect(user.id).toBe(id)
    expect(events).toEqual(['PASSWORD_RECOVERY', 'USER_UPDATED'])
    expect(await canSignIn(server, email, password)).toBe(false)
    expect(await canSignIn(server, email, another)).toBe(true)
    await sessionMissing(elsewhere.getUser())
    await ok(browser.getUser())
    await ok(browser.refreshSession())

    const notice = await server.nextMail(email)
    expect(notice.code).toBe('')
    expect(notice.linked.has('token_hash')).toBe(false)
    expect(await mailsTo(server, email)).toHaveLength(2)
  })

  it('has a link for one use, for one purpose', async () => {
    const { mail } = await forgotten()
    const verify = (type: 'recovery' | 'magiclink') =>
      client().verifyOtp({ token_hash: tokenOf(mail), type })
    await refused(verify('magiclink'), 'otp_expired')
    await ok(verify('recovery'))
    await refused(verify('recovery'), 'otp_expired', 403)
  })
})

describe('a new password', () => {
  it.each([
    ['short', 'too short', ['length']],
    ['one of the most used', 'qwertyuiop', ['pwned']],
  ])('must not be %s', async (_what, weak, reasons) => {
    const { email, client } = await newPerson(server)
    expect(await refusal(client.updateUser({ password: weak }))).toMatchObject({
      name: 'AuthWeakPasswordError',
      status: 422,
      code: 'weak_password',
      reasons,
    })
    expect(await canSignIn(server, email, password)).toBe(true)
  })

  it('must not be the old one', async () => {
    const { client } = await newPerson(server)
    await refused(
      client.updateUser({ password }),
      'same_password',
      422,
      'New password should be different from the old password.',
    )
  })

  it('must not be longer than can be hashed, and may be as long', async () => {
    const { email, client } = await newPerson(server)
    const longest = `${'àèòù'.repeat(8)}abcdefgh`
    await refused(client.updateUser({ password: `${longest}z` }), 'validation_failed', 400)
    await ok(client.updateUser({ password: longest }))
    expect(await canSignIn(server, email, longest)).toBe(true)
    expect(await canSignIn(server, email, `${longest}z`)).toBe(false)
  })

  it('ends the other sessions and leaves this one', async () => {
    const here = await newPerson(server)
    const there = await signIn(server, here.email)
    await ok(here.client.updateUser({ password: another }))
    await ok(here.client.getUser())
    await refused(there.client.refreshSession(), 'refresh_token_not_found')
    expect(await mailsTo(server, here.email)).toHaveLength(1)
  })
})

describe('a session that is a day old', () => {
  async function old() {
    const person = await newPerson(server)
    await ageSessions(server, person.id)
    return person
  }

  async function nonceOf(client: Client, email: string) {
    expect(await ok(client.reauthenticate())).toEqual({ user: null, session: null })
    const { code } = await server.nextMail(email)
    expect(code).toMatch(/^\d{6}$/)
    return code
  }

  it('changes the password only with the code of a mail', async () => {
    const { email, client } = await old()
    await refused(client.updateUser({ password: another }), 'reauthentication_needed', 400)
    const nonce = await nonceOf(client, email)
    await ok(client.updateUser({ password: another, nonce }))
    expect(await canSignIn(server, email, another)).toBe(true)

    const again = client.updateUser({ password: 'yet another long one', nonce })
    await refused(again, 'reauthentication_not_valid', 422)
  })

  it('does not change it with a wrong code', async () => {
    const { email, client } = await old()
    const nonce = await nonceOf(client, email)
    const wrong = (nonce.startsWith('0') ? '1' : '0') + nonce.slice(1)
    await refused(
      client.updateUser({ password: another, nonce: wrong }),
      'reauthentication_not_valid',
      422,
      'Nonce has expired or is invalid',
    )
    expect(await canSignIn(server, email, password)).toBe(true)
    await ok(client.updateUser({ password: another, nonce }))
  })

  it('does not sign in with that code', async () => {
    const { email, client } = await old()
    const token = await nonceOf(client, email)
    for (const type of ['email', 'magiclink', 'recovery'] as const) {
      await refused(clientOf(server).verifyOtp({ email, token, type }), 'otp_expired')
    }
  })

  it('changes it with the current password, too', async () => {
    const { email, client } = await old()
    const change = (current_password: string) =>
      client.updateUser({ password: another, current_password })
    await refused(change('not that one'), 'current_password_invalid', 400)
    await ok(change(password))
    expect(await canSignIn(server, email, another)).toBe(true)
  })

  it('changes everything else as it is', async () => {
    const { client } = await old()
    const { user } = await ok(client.updateUser({ data: { name: 'Ada' } }))
    expect(user.user_metadata).toEqual({ name: 'Ada' })
  })
})
