import type { OpenIdSandbox } from '@bancone/sandbox/openid'
import type { Provider } from '@supabase/auth-js'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AuthServer } from '../auth-server.ts'
import { createBrowser, PROVIDER, serverWithProvider } from '../external-sign-in.ts'
import { password } from '../server.ts'
import { enrol, methodsOf, movingClock } from './authenticator.ts'
import { ageSessions, type Client, newPerson, ok, raw, refused, signIn } from './clients.ts'

const clock = movingClock()
let server: AuthServer
let idp: OpenIdSandbox

beforeAll(async () => {
  ;({ server, idp } = await serverWithProvider({ clock }))
})

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

describe('a session in which nobody proved for a day who they are', () => {
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
})
