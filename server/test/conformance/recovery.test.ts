import { beforeAll, describe, expect, it } from 'vitest'
import { type AuthServer, authServer } from '../auth-server.ts'
import { password } from '../server.ts'
import {
  type Client,
  canSignIn,
  clientOf,
  eventsOf,
  generations,
  letADayPass,
  newAddress,
  newPerson,
  ok,
  raw,
  refusal,
  signIn,
} from './clients.ts'
import { mailsTo, tokenOf } from './mails.ts'

let server: AuthServer

beforeAll(async () => {
  server = await authServer()
})

const another = 'quite another long one'

describe.each(generations)('a forgotten password, auth-js %s', (generation) => {
  const client = () => clientOf(generation, server)

  async function forgotten() {
    const { email, id, client: elsewhere } = await newPerson(generation, server)
    expect(await ok(client().resetPasswordForEmail(email))).toEqual({})
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
    const browser = client()
    const events = await eventsOf(browser)
    const recovered = await ok(browser.verifyOtp({ token_hash: tokenOf(mail), type: 'recovery' }))
    expect(recovered.user?.id).toBe(id)
    expect(events).toEqual(['PASSWORD_RECOVERY'])

    const { user } = await ok(browser.updateUser({ password: another }))
    expect(user.id).toBe(id)
    expect(events).toEqual(['PASSWORD_RECOVERY', 'USER_UPDATED'])
    expect(await canSignIn(generation, server, email, password)).toBe(false)
    expect(await canSignIn(generation, server, email, another)).toBe(true)
    expect(await refusal(elsewhere.getUser())).toMatchObject({ name: 'AuthSessionMissingError' })
    await ok(browser.getUser())
    await ok(browser.refreshSession())

    const notice = await server.nextMail(email)
    expect(notice.code).toBe('')
    expect(notice.linked.has('token_hash')).toBe(false)
    expect(await mailsTo(server, email)).toHaveLength(2)
  })

  it('leaves no other way in that was sent before', async () => {
    const { email, mail } = await forgotten()
    await ok(client().signInWithOtp({ email }))
    const way = await server.nextMail(email)
    const browser = client()
    await ok(browser.verifyOtp({ token_hash: tokenOf(mail), type: 'recovery' }))
    await ok(browser.updateUser({ password: another }))
    const later = client().verifyOtp({ token_hash: tokenOf(way), type: 'magiclink' })
    expect(await refusal(later)).toMatchObject({ status: 403, code: 'otp_expired' })
  })

  it('has a link for one use, for one purpose', async () => {
    const { mail } = await forgotten()
    const verify = (type: 'recovery' | 'magiclink') =>
      client().verifyOtp({ token_hash: tokenOf(mail), type })
    expect(await refusal(verify('magiclink'))).toMatchObject({ code: 'otp_expired' })
    await ok(verify('recovery'))
    expect(await refusal(verify('recovery'))).toMatchObject({ status: 403, code: 'otp_expired' })
  })

  it('leads to where the client wished', async () => {
    const { email } = await newPerson(generation, server)
    const redirectTo = 'http://localhost:3000/reset-password?type=recovery'
    await ok(client().resetPasswordForEmail(email, { redirectTo }))
    const { linked } = await server.nextMail(email)
    expect(linked.get('redirect_to')).toBe('/reset-password?type=recovery')
  })

  it('is not looked up for what is no address', async () => {
    expect(await refusal(client().resetPasswordForEmail('nobody'))).toMatchObject({
      status: 400,
      code: 'validation_failed',
    })
  })
})

describe.each(generations)('a new password, auth-js %s', (generation) => {
  it.each([
    ['short', 'too short', ['length']],
    ['one of the most used', 'qwertyuiop', ['pwned']],
    ['of few characters', 'aaaaaaaaaaaa', ['characters']],
  ])('must not be %s', async (_what, weak, reasons) => {
    const { email, client } = await newPerson(generation, server)
    expect(await refusal(client.updateUser({ password: weak }))).toMatchObject({
      name: 'AuthWeakPasswordError',
      status: 422,
      code: 'weak_password',
      reasons,
    })
    expect(await canSignIn(generation, server, email, password)).toBe(true)
  })

  it('must not be the address', async () => {
    const { email, client } = await newPerson(generation, server)
    expect(await refusal(client.updateUser({ password: email.toUpperCase() }))).toMatchObject({
      name: 'AuthWeakPasswordError',
      reasons: ['characters'],
    })
  })

  it('must not be the old one', async () => {
    const { client } = await newPerson(generation, server)
    expect(await refusal(client.updateUser({ password }))).toMatchObject({
      status: 422,
      code: 'same_password',
      message: 'New password should be different from the old password.',
    })
  })

  it('must not be longer than can be hashed, and may be as long', async () => {
    const { email, client } = await newPerson(generation, server)
    const longest = `${'àèòù'.repeat(8)}abcdefgh`
    expect(await refusal(client.updateUser({ password: `${longest}z` }))).toMatchObject({
      name: 'AuthApiError',
      status: 400,
      code: 'validation_failed',
    })
    await ok(client.updateUser({ password: longest }))
    expect(await canSignIn(generation, server, email, longest)).toBe(true)
    expect(await canSignIn(generation, server, email, `${longest}z`)).toBe(false)
  })

  it('ends the other sessions and leaves this one', async () => {
    const here = await newPerson(generation, server)
    const there = await signIn(generation, server, here.email)
    await ok(here.client.updateUser({ password: another }))
    await ok(here.client.getUser())
    expect(await refusal(there.client.refreshSession())).toMatchObject({
      code: 'refresh_token_not_found',
    })
    expect(await mailsTo(server, here.email)).toHaveLength(1)
  })

  it('needs a session', async () => {
    const client = clientOf(generation, server)
    expect(await refusal(client.updateUser({ password: another }))).toMatchObject({
      name: 'AuthSessionMissingError',
    })
  })
})

describe.each(generations)('a session that is a day old, auth-js %s', (generation) => {
  async function old() {
    const person = await newPerson(generation, server)
    await letADayPass(server, person.id)
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
    expect(await refusal(client.updateUser({ password: another }))).toMatchObject({
      status: 400,
      code: 'reauthentication_needed',
    })
    const nonce = await nonceOf(client, email)
    await ok(client.updateUser({ password: another, nonce }))
    expect(await canSignIn(generation, server, email, another)).toBe(true)

    const again = client.updateUser({ password: 'yet another long one', nonce })
    expect(await refusal(again)).toMatchObject({ status: 422, code: 'reauthentication_not_valid' })
  })

  it('does not change it with a wrong code', async () => {
    const { email, client } = await old()
    const nonce = await nonceOf(client, email)
    const wrong = (nonce.startsWith('0') ? '1' : '0') + nonce.slice(1)
    expect(await refusal(client.updateUser({ password: another, nonce: wrong }))).toMatchObject({
      status: 422,
      code: 'reauthentication_not_valid',
      message: 'Nonce has expired or is invalid',
    })
    expect(await canSignIn(generation, server, email, password)).toBe(true)
    await ok(client.updateUser({ password: another, nonce }))
  })

  it('does not sign in with that code', async () => {
    const { email, client } = await old()
    const token = await nonceOf(client, email)
    for (const type of ['email', 'magiclink', 'recovery'] as const) {
      const error = await refusal(clientOf(generation, server).verifyOtp({ email, token, type }))
      expect(error).toMatchObject({ code: 'otp_expired' })
    }
  })

  it('changes it with the current password, too', async () => {
    const { email, client } = await old()
    const change = (current_password: string) =>
      client.updateUser({ password: another, current_password })
    expect(await refusal(change('not that one'))).toMatchObject({
      status: 400,
      code: 'current_password_invalid',
    })
    await ok(change(password))
    expect(await canSignIn(generation, server, email, another)).toBe(true)
  })

  it('changes everything else as it is', async () => {
    const { client } = await old()
    const { user } = await ok(client.updateUser({ data: { name: 'Ada' } }))
    expect(user.user_metadata).toEqual({ name: 'Ada' })
  })

  it('must be a session to ask for the code', async () => {
    const client = clientOf(generation, server)
    expect(await refusal(client.reauthenticate())).toMatchObject({
      name: 'AuthSessionMissingError',
    })
    const { status, json } = await raw(server, 'GET', '/reauthenticate')
    expect([status, json]).toMatchObject([401, { error_code: 'no_authorization' }])
  })
})
