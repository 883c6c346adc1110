import type { Provider } from '@supabase/auth-js'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AuthServer, authServer } from '../auth-server.ts'
import { createBrowser, PROVIDER, serverWithProvider } from '../external-sign-in.ts'
import { password, testAuth } from '../server.ts'
import { adminOf } from './administrators.ts'
import { enrol, methodsOf, movingClock } from './authenticator.ts'
import {
  ageSessions,
  type Client,
  canSignIn,
  clientOf,
  newAddress,
  newPerson,
  ok,
  raw,
  refused,
  signIn,
} from './clients.ts'

const clock = movingClock()

const { server, idp } = await serverWithProvider({ clock })

const provider = PROVIDER as Provider
const code = 'reauthentication_needed'

/** Expects that these calls require reauthentication. */
async function expectGuarded({ mfa, linkIdentity }: ReturnType<typeof callsOf>) {
  await refused(mfa(), code, 400)
  await refused(linkIdentity(), code, 400)
}

const callsOf = (client: Client) => ({
  mfa: () => client.mfa.enroll({ factorType: 'totp' }),
  linkIdentity: () => client.linkIdentity({ provider, options: { skipBrowserRedirect: true } }),
})

describe('a session without a proof of identity for a day', () => {
  async function old() {
    const browser = createBrowser(server)
    const person = await newPerson(server, { fetch: browser.fetch })
    idp.put({ email: person.email })
    await ageSessions(server, person.id)
    return { ...person, ...callsOf(person.client) }
  }

  it('adds an app or links another service only after the password', async () => {
    const one = await old()
    await expectGuarded(one)
    const wrong = one.client.updateUser({ current_password: 'not that one' })
    await refused(wrong, 'current_password_invalid', 400)
    await expectGuarded(one)

    await ok(one.client.updateUser({ current_password: password }))
    await ok(one.mfa())
    await ok(one.linkIdentity())
  })

  it('adds an app or links another service after the code of a mail, too', async () => {
    const one = await old()
    await refused(one.client.updateUser({ nonce: 'abcdef' }), 'reauthentication_not_valid')
    await ok(one.client.reauthenticate())
    const { code: nonce } = await server.nextMail(one.email)
    await ok(one.client.updateUser({ nonce }))
    await ok(one.mfa())
    await ok(one.linkIdentity())
  })

  it('does not link with an ID token either', async () => {
    const { client, email, session } = await old()
    const link = () =>
      raw(server, 'POST', '/token?grant_type=id_token', {
        token: session.access_token,
        body: { provider: PROVIDER, id_token: idp.idToken(email), link_identity: true },
      })
    const first = await link()
    expect([first.status, first.json]).toMatchObject([400, { error_code: code }])
    await ok(client.updateUser({ current_password: password }))
    expect((await link()).status).toBe(200)
  })

  it('is itself after it, of the same level, and no other of the account is', async () => {
    const { client, email, id } = await old()
    const other = await signIn(server, email)
    await ageSessions(server, id)
    await ok(client.updateUser({ current_password: password }))
    await ok(client.refreshSession())
    expect(await methodsOf(client)).toEqual(['password'])
    expect((await ok(client.getClaims()))?.claims.aal).toBe('aal1')
    await refused(other.client.mfa.enroll({ factorType: 'totp' }), code)
  })

  it('may be as old as it likes for another app, with the one there is', async () => {
    const { client, id } = await newPerson(server)
    await enrol(client, clock, 'Telefono')
    await ageSessions(server, id)
    await ok(client.mfa.enroll({ factorType: 'totp', friendlyName: 'Tablet' }))
  })

  it('does not turn the second factor off, not even after it was shown, but after the password', async () => {
    const { client, id } = await newPerson(server)
    const { factorId } = await enrol(client, clock, 'Telefono')
    await ageSessions(server, id)
    await refused(client.mfa.unenroll({ factorId }), code, 400)
    await ok(client.updateUser({ current_password: password }))
    await ok(client.mfa.unenroll({ factorId }))
  })

  it('does not administer a user: neither their password nor a link for them', async () => {
    const email = newAddress()
    await server.addAdministrator({ email })
    const { client, id, session } = await signIn(server, email)
    const user = await newPerson(server)
    const admin = adminOf(server, session.access_token)
    const calls = [
      () => admin.updateUserById(user.id, { password: 'una frase tutta nuova' }),
      () => admin.generateLink({ type: 'recovery', email: user.email }),
    ]
    await ageSessions(server, id)
    for (const call of calls) await refused(call(), code, 400)
    await ok(admin.listUsers())
    await ok(client.updateUser({ current_password: password }))
    for (const call of calls) await ok(call())
  })
})

describe('where a new password requires the current one', () => {
  let strict: AuthServer
  beforeAll(async () => {
    strict = await authServer({ auth: { ...testAuth, currentPassword: 'required' } })
  })
  const next = 'una frase tutta nuova'

  it('a session that has just begun does not set one without it', async () => {
    const { client, email } = await newPerson(strict)
    await refused(client.updateUser({ password: next }), 'current_password_required', 400)
    const wrong = client.updateUser({ password: next, current_password: 'not that one' })
    await refused(wrong, 'current_password_invalid', 400)
    await ok(client.updateUser({ password: next, current_password: password }))
    expect(await canSignIn(strict, email, next)).toBe(true)
  })

  it('who has forgotten it sets one by a code or a link from a mail', async () => {
    const { client, email } = await newPerson(strict)
    await ok(client.reauthenticate())
    const { code: nonce } = await strict.nextMail(email)
    await ok(client.updateUser({ password: next, nonce }))
    // The notice of the new password.
    await strict.nextMail(email)
    const other = clientOf(strict)
    await ok(other.resetPasswordForEmail(email))
    const token_hash = (await strict.nextMail(email)).linked.get('token_hash') ?? ''
    await ok(other.verifyOtp({ token_hash, type: 'recovery' }))
    await ok(other.updateUser({ password: `${next} di nuovo` }))
    expect(await canSignIn(strict, email, `${next} di nuovo`)).toBe(true)
  })
})
