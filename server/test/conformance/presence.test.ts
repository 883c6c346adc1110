import type { OpenIdSandbox } from '@bancone/sandbox/openid'
import type { Provider } from '@supabase/auth-js'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AuthServer } from '../auth-server.ts'
import { createBrowser, PROVIDER, withExternal } from '../external-sign-in.ts'
import { password } from '../server.ts'
import { enrol, methodsOf, movingClock } from './authenticator.ts'
import { type Client, generations, letADayPass, newPerson, ok, refusal, signIn } from './clients.ts'

const clock = movingClock()
let server: AuthServer
let there: OpenIdSandbox

beforeAll(async () => {
  ;({ server, there } = await withExternal({ clock }))
})

const provider = PROVIDER as Provider
const asked = { status: 400, code: 'reauthentication_needed' }

/** What a session that somebody left open does not do until it is proved who has it. */
const guarded: [string, (client: Client) => ReturnType<typeof refusal>][] = [
  ['adds a first app', (client) => refusal(client.mfa.enroll({ factorType: 'totp' }))],
  [
    'leaves to link another service',
    (client) => refusal(client.linkIdentity({ provider, options: { skipBrowserRedirect: true } })),
  ],
]

describe.each(generations)('a session in which nobody proved for a day who they are, %s', (of) => {
  async function old() {
    const browser = createBrowser(server)
    const person = await newPerson(of, server, { fetch: browser.fetch })
    there.put({ email: person.email })
    await letADayPass(server, person.id)
    return person
  }

  it.each(guarded)('%s only after the password', async (_what, refused) => {
    const { client } = await old()
    expect(await refused(client)).toMatchObject(asked)
    const wrong = client.updateUser({ current_password: 'not that one' })
    expect(await refusal(wrong)).toMatchObject({ status: 400, code: 'current_password_invalid' })
    expect(await refused(client)).toMatchObject(asked)

    await ok(client.updateUser({ current_password: password }))
    await expect(refused(client)).rejects.toThrow('was not refused')
  })

  it.each(guarded)('%s after the code of a mail, too', async (_what, refused) => {
    const { client, email } = await old()
    const wrong = client.updateUser({ nonce: 'abcdef' })
    expect(await refusal(wrong)).toMatchObject({ code: 'reauthentication_not_valid' })
    await ok(client.reauthenticate())
    const { code: nonce } = await server.nextMail(email)
    await ok(client.updateUser({ nonce }))
    await expect(refused(client)).rejects.toThrow('was not refused')
  })

  it('does not link with an ID token either', async () => {
    const { client, email, session } = await old()
    const link = (token: string) =>
      fetch(`${server.url}/token?grant_type=id_token`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${session.access_token}`,
        },
        body: JSON.stringify({ provider: PROVIDER, id_token: token, link_identity: true }),
      })
    const refused = await link(there.idToken(email))
    expect([refused.status, await refused.json()]).toMatchObject([400, { error_code: asked.code }])
    await ok(client.updateUser({ current_password: password }))
    expect((await link(there.idToken(email))).status).toBe(200)
  })

  it('is itself after it, of the same level, and no other of the account is', async () => {
    const { client, email, id } = await old()
    const other = await signIn(of, server, email)
    await letADayPass(server, id)
    await ok(client.updateUser({ current_password: password }))
    await ok(client.refreshSession())
    expect(await methodsOf(client)).toEqual(['password'])
    expect((await ok(client.getClaims()))?.claims.aal).toBe('aal1')
    expect(await refusal(other.client.mfa.enroll({ factorType: 'totp' }))).toMatchObject(asked)
  })

  it('may be as old as it likes for another app, with the one there is', async () => {
    const { client, id } = await newPerson(of, server)
    await enrol(client, clock, 'Telefono')
    await letADayPass(server, id)
    await ok(client.mfa.enroll({ factorType: 'totp', friendlyName: 'Tablet' }))
  })
})
