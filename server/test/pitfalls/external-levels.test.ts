import { createHash } from 'node:crypto'
import type { OpenIdSandbox } from '@bancone/sandbox/openid'
import { decodeJwt } from 'jose'
import { beforeAll, expect, it } from 'vitest'
import type { AuthServer } from '../auth-server.ts'
import { appOf, movingClock } from '../conformance/authenticator.ts'
import { createBrowser, PROVIDER, serverWithProvider } from '../external-sign-in.ts'
import { addFactor, elevateSession } from '../second-factor.ts'
import { withFactors } from './enrolled.ts'

/** An external sign-in does not replace the second factor. */

let server: AuthServer
let idp: OpenIdSandbox

beforeAll(async () => {
  ;({ server, idp } = await serverWithProvider())
})

const authorize = `http://localhost:3000/auth/v1/authorize?provider=${PROVIDER}`
const linking = authorize.replace('/authorize?', '/user/identities/authorize?')

type Headers = { authorization: string }

async function enrolled(email: string): Promise<{ id: string; headers: Headers }> {
  idp.put({ email })
  const id = await server.addPharmacy({ email, code: email })
  const headers = await server.signIn(email)
  await addFactor(server.database, id)
  return { id, headers }
}

const identities = async (id: string) =>
  (await server.database.pool.query('select id from auth_identities where user_id = $1', [id]))
    .rows as { id: string }[]

it('a user with a second factor is still asked for it', async () => {
  await enrolled('due@example.it')
  const { fragment } = await createBrowser(server).signIn(authorize, 'due@example.it')
  const token = fragment.get('access_token') ?? ''
  expect(decodeJwt(token)['aal']).toBe('aal1')
  const headers = { authorization: `Bearer ${token}` }
  const reply = await server.app.inject({ url: '/api/api-keys', headers })
  expect([reply.statusCode, reply.json()]).toMatchObject([
    403,
    { code: 'session.second_factor_needed' },
  ])
})

it('linking and unlinking ask for it too, and leave the level as it is', async () => {
  const { id, headers } = await enrolled('lega@example.it')
  const browser = createBrowser(server)
  const refused = { error_code: 'insufficient_aal' }
  expect((await browser.open(linking, headers)).json()).toMatchObject(refused)
  const id_token = idp.idToken('lega@example.it')
  const payload = { provider: PROVIDER, id_token, link_identity: true }
  const url = '/auth/v1/token?grant_type=id_token'
  const byToken = await server.app.inject({ method: 'POST', url, headers, payload })
  expect(byToken.json()).toMatchObject(refused)
  expect(await identities(id)).toEqual([])

  await elevateSession(server.database, headers)
  const asked = (await browser.open(linking, headers)).json<{ url: string }>()
  const { fragment } = await browser.link(asked.url, 'lega@example.it')
  const token = fragment.get('access_token') ?? ''
  const { aal, session_id: session } = decodeJwt(token)
  expect(aal).toBe('aal2')
  expect(session).toBe(decodeJwt(headers.authorization.slice(7))['session_id'])

  const [identity] = await identities(id)
  const unlink = (by: Headers) =>
    server.app.inject({
      method: 'DELETE',
      url: `/auth/v1/user/identities/${identity?.id}`,
      headers: by,
    })
  const lower = await server.signIn('lega@example.it')
  expect((await unlink(lower)).json()).toMatchObject(refused)
  expect(await identities(id)).toHaveLength(1)
  expect((await unlink({ authorization: `Bearer ${token}` })).statusCode).toBe(200)
  expect(await identities(id)).toEqual([])
})

it('who asked before the second factor was shown does not get the session as it is now', async () => {
  const email = 'prima@example.it'
  idp.put({ email })
  const id = await server.addPharmacy({ email, code: email })
  const headers = await server.signIn(email)
  const stolen = { ...headers }
  const browser = createBrowser(server)
  const { url } = (await browser.open(linking, stolen)).json<{ url: string }>()
  await addFactor(server.database, id)
  await elevateSession(server.database, headers)
  expect(await browser.link(url, email)).toMatchObject({ error: 'insufficient_aal' })
  const id_token = idp.idToken(email)
  const reply = await server.app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=id_token',
    headers: stolen,
    payload: { provider: PROVIDER, id_token, link_identity: true },
  })
  expect(reply.json()).toMatchObject({ error_code: 'insufficient_aal' })
  expect(await identities(id)).toEqual([])
})

it('a code from before the second factor was shown opens nothing', async () => {
  const email = 'codice@example.it'
  idp.put({ email })
  await server.addPharmacy({ email, code: email })
  const headers = await server.signIn(email)
  const verifier = 'v'.repeat(50)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const browser = createBrowser(server)
  const asking = `${linking}&code_challenge=${challenge}&code_challenge_method=s256`
  const { url } = (await browser.open(asking, headers)).json<{ url: string }>()
  const back = await browser.link(url, email)
  const auth_code = back.url.searchParams.get('code') ?? ''
  expect(auth_code).not.toBe('')

  const clock = movingClock()
  const { begin, verify } = withFactors(server, clock)
  const { id, totp } = await begin(headers)
  const shown = await verify(headers, id, appOf(totp.secret, clock).codeIn(0))
  expect(shown.statusCode).toBe(200)
  const exchange = await server.app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=pkce',
    payload: { auth_code, code_verifier: verifier },
  })
  expect(exchange.json()).toMatchObject({ error_code: 'flow_state_not_found' })
})

it('nothing is linked when the level is lost on the way', async () => {
  const { id, headers } = await enrolled('perde@example.it')
  await elevateSession(server.database, headers)
  const browser = createBrowser(server)
  const { url } = (await browser.open(linking, headers)).json<{ url: string }>()
  await server.database.pool.query("update auth_sessions set aal = 'aal1' where user_id = $1", [id])
  expect((await browser.link(url, 'perde@example.it')).error).toBe('insufficient_aal')
  expect(await identities(id)).toEqual([])
})
