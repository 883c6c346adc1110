import { type OpenIdSandbox, visitOpenId } from '@bancone/sandbox/openid'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AuthServer } from '../auth-server.ts'
import {
  type Browser,
  createBrowser,
  PROVIDER,
  type RedirectResult,
  serverWithProvider,
} from '../external-sign-in.ts'
import { password } from '../server.ts'
import { expectRefused } from './replies.ts'

/** Attacks on external sign-in. */

let server: AuthServer
let idp: OpenIdSandbox
let browser: Browser

beforeAll(async () => {
  ;({ server, idp } = await serverWithProvider())
})
beforeEach(() => {
  browser = createBrowser(server)
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Headers = Record<string, string>

function call(method: Method, path: string, payload?: object, headers: Headers = {}) {
  const url = `/auth/v1${path}`
  const host = 'localhost:3000'
  const all = { host, ...headers }
  return server.app.inject({ method, url, headers: all, ...(payload && { payload }) })
}

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.pool.query<Row>(text, values)).rows

let addresses = 0

/** A user who has an account at the provider under the same address. */
async function both(): Promise<{ id: string; email: string; sub: string }> {
  addresses += 1
  const email = `esterno${addresses}@example.it`
  const { sub } = idp.put({ email })
  return { email, sub, id: await server.addUser(email) }
}

/** The authorization URL of the application's page. */
function address(more: Record<string, string> = {}): string {
  const given = { provider: PROVIDER, redirect_to: 'http://localhost:3000/in', ...more }
  return `http://localhost:3000/auth/v1/authorize?${new URLSearchParams(given).toString()}`
}

/** The user of the session in a redirect. */
async function userOf({ fragment }: RedirectResult): Promise<string | undefined> {
  const token = fragment.get('access_token') ?? ''
  const reply = await call('GET', '/user', undefined, { authorization: `Bearer ${token}` })
  return reply.statusCode === 200 ? reply.json<{ id: string }>().id : undefined
}

/** The authorization URL for a signed-in user who links an identity. */
async function linking(headers: Headers, by: Browser = browser): Promise<string> {
  const reply = await by.open(
    address().replace('/authorize?', '/user/identities/authorize?'),
    headers,
  )
  expect(reply.statusCode).toBe(200)
  return reply.json<{ url: string }>().url
}

const linkedTo = (id: string) =>
  query<{ subject: string }>('select subject from auth_identities where user_id = $1', [id])

/** Expects a redirect to the sign-in page with that error, because the target is unknown. */
function expectLogin({ url, error }: RedirectResult, code: string) {
  expect([url.origin + url.pathname, error]).toEqual(['http://localhost:3000/login', code])
}

describe('a browser that comes back', () => {
  it('must be the browser that left: a link signs no other browser in', async () => {
    const thief = await both()
    const back = await visitOpenId(await browser.openProvider(address()), thief.email)
    const victim = createBrowser(server)
    expectLogin(await victim.handleCallback(back), 'bad_oauth_state')
    await victim.openProvider(address())
    expectLogin(await victim.handleCallback(back), 'bad_oauth_state')
    for (const name of browser.cookies.keys()) victim.cookies.set(name, 'x'.repeat(43))
    expectLogin(await victim.handleCallback(back), 'bad_oauth_state')
    // The flow remains usable for its own browser.
    expect(await userOf(await browser.handleCallback(back))).toBe(thief.id)
  })

  it('must be the browser that asked to link: no foreign account is linked to another', async () => {
    const victim = await both()
    const thief = await both()
    const url = await linking(await server.signIn(thief.email))
    const led = createBrowser(server)
    expectLogin(await led.link(url, victim.email), 'bad_oauth_state')
    expect(await linkedTo(thief.id)).toEqual([])
  })

  it('comes back once', async () => {
    const { email, id } = await both()
    const back = await visitOpenId(await browser.openProvider(address()), email)
    const kept = new Map(browser.cookies)
    expect(await userOf(await browser.handleCallback(back))).toBe(id)
    expect(browser.cookies.size).toBe(0)
    for (const [name, value] of kept) browser.cookies.set(name, value)
    expectLogin(await browser.handleCallback(back), 'bad_oauth_state')
    expect(await query('select from auth_sessions where user_id = $1', [id])).toHaveLength(1)
  })

  it('brings a state that is one', async () => {
    for (const search of ['', '?code=x', '?state=x&code=x', '?state=&code=x', '?state=a&state=b']) {
      const back = `http://localhost:3000/auth/v1/callback${search}`
      expectLogin(await browser.handleCallback(back), 'bad_oauth_state')
    }
  })

  it.each([
    ['no code', (url: URL) => url.searchParams.delete('code'), 'bad_oauth_callback'],
    ['another code', (url: URL) => url.searchParams.set('code', 'x'), 'bad_oauth_callback'],
    ['two codes', (url: URL) => url.searchParams.append('code', 'x'), 'bad_oauth_callback'],
    [
      'another issuer',
      (url: URL) => url.searchParams.set('iss', 'https://x.it'),
      'bad_oauth_callback',
    ],
    [
      'an error',
      (url: URL) => url.searchParams.set('error', 'invalid_scope'),
      'bad_oauth_callback',
    ],
    [
      'its error',
      (url: URL) => url.searchParams.set('error', 'server_error'),
      'unexpected_failure',
    ],
  ])('with %s is not let in', async (_what, change, code) => {
    const { email, id } = await both()
    const back = await visitOpenId(await browser.openProvider(address()), email)
    change(back)
    back.searchParams.set('error_description', '<script>alert(1)</script>')
    const led = await browser.handleCallback(back)
    expect(led.url.pathname).toBe('/in')
    expect(led.error).toBe(code)
    expect(led.url.href).not.toContain('alert')
    expect(await linkedTo(id)).toEqual([])
  })

  it('too late is told so', async () => {
    const { email, id } = await both()
    const back = await visitOpenId(await browser.openProvider(address()), email)
    await query("update auth_external_flows set expires_at = now() - interval '1 second'")
    const led = await browser.handleCallback(back)
    expect([led.url.pathname, led.error]).toEqual(['/in', 'flow_state_expired'])
    expect(await linkedTo(id)).toEqual([])
    expectLogin(await browser.handleCallback(back), 'bad_oauth_state')
  })

  it('in one of two tabs does not disturb the other', async () => {
    const { email, id } = await both()
    const [one, two] = [
      await browser.openProvider(address()),
      await browser.openProvider(address()),
    ]
    const backs = [await visitOpenId(two, email), await visitOpenId(one, email)]
    for (const back of backs) expect(await userOf(await browser.handleCallback(back))).toBe(id)
  })

  it('twice at once links one identity, and both are in', async () => {
    const { email, id, sub } = await both()
    const leaving = [await browser.openProvider(address()), await browser.openProvider(address())]
    const backs = await Promise.all(leaving.map((url) => visitOpenId(url, email)))
    const led = await Promise.all(backs.map((back) => browser.handleCallback(back)))
    expect(await Promise.all(led.map(userOf))).toEqual([id, id])
    expect(await linkedTo(id)).toEqual([{ subject: sub }])
  })
})

describe('a browser that leaves', () => {
  it.each(['https://evil.example/in', '//evil.example'])(
    'does not come back to %s',
    async (redirect_to) => {
      const { email } = await both()
      const { url } = await browser.signIn(address({ redirect_to }), email)
      expect(url.origin + url.pathname).toBe('http://localhost:3000/')
      idp.fail({ mode: 'status', path: '/token', times: 1 })
      const failed = await browser.signIn(address({ redirect_to }), email)
      expect(failed.url.origin + failed.url.pathname).toBe('http://localhost:3000/')
    },
  )

  it('holds a cookie that no page reads, for the callback alone', async () => {
    const reply = await browser.open(address())
    expect(reply.statusCode).toBe(302)
    expect(reply.headers['cache-control']).toBe('no-store')
    expect(reply.headers['referrer-policy']).toBe('no-referrer')
    expect(reply.headers['set-cookie']).toMatch(
      /^bancone-external-[0-9a-f]{16}=[\w-]{43}; Path=\/auth\/v1\/callback; Max-Age=3600; HttpOnly; SameSite=Lax$/,
    )
    const secure = await serverWithProvider({ publicUrl: 'https://bancone.example' })
    const overTls = await secure.server.app.inject(`/auth/v1/authorize?provider=${PROVIDER}`)
    expect(overTls.headers['set-cookie']).toMatch(/; HttpOnly; SameSite=Lax; Secure$/)
  })

  it('leaves under the name it comes back to, among those of one machine', async () => {
    const here = await browser.open(address(), { host: '127.0.0.1:3000' })
    expect(here.statusCode).toBe(302)
    expect(here.headers['set-cookie']).toBeUndefined()
    const next = here.headers.location ?? ''
    expect(next).toBe(`${address()}&here=1`)
    // A proxy may use another host name.
    const again = await browser.open(next, { host: '127.0.0.1:3000' })
    expect(again.headers['set-cookie']).toBeDefined()
    const foreign = await browser.open(address(), { host: 'evil.example' })
    expect(foreign.headers['set-cookie']).toBeDefined()
    expect(foreign.headers.location).not.toContain('evil.example')
  })

  it('leaves nothing in the database that opens anything', async () => {
    const url = await browser.openProvider(address())
    const [row] = await query('select * from auth_external_flows')
    const shown = JSON.stringify(row, (_key, value: unknown) =>
      isBytes(value) ? Buffer.from(value.data).toString('latin1') : value,
    )
    const secrets = [...browser.cookies.values(), ...url.searchParams.values()]
    for (const secret of secrets.filter((text) => text.length > 40)) {
      expect(shown).not.toContain(secret)
    }
    expect(secrets.length).toBeGreaterThan(4)
    await query('delete from auth_external_flows')
  })

  it.each([
    { scopes: 'a"b' },
    { scopes: 'è' },
    { scopes: 'x'.repeat(1001) },
    { login_hint: 'x'.repeat(255) },
    { login_hint: 'a\u0000' },
    { code_challenge: 'short', code_challenge_method: 's256' },
    { provider: '' },
    { provider: 'email' },
  ])('with %o leaves for nowhere', async (more) => {
    const reply = await browser.open(address(more))
    expectRefused(reply, 400, 'validation_failed')
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  it('leaves so often and no more', async () => {
    const few = { points: 2, seconds: 300 }
    const { server: busy } = await serverWithProvider({
      limits: { 'external-leave': few, 'external-return': few },
    })
    const impatient = createBrowser(busy)
    const answers = []
    for (let times = 0; times < 3; times += 1)
      answers.push(await impatient.handleCallback(address()))
    expect(answers.map(({ error }) => error)).toEqual([null, null, 'over_request_rate_limit'])
    expect(answers[2]?.url.pathname).toBe('/in')
    const payload = { provider: PROVIDER, id_token: 'a.b.c' }
    const url = '/auth/v1/token?grant_type=id_token'
    const codes = []
    for (let times = 0; times < 3; times += 1) {
      codes.push((await busy.app.inject({ method: 'POST', url, payload })).statusCode)
    }
    expect(codes).toEqual([400, 400, 429])
  })
})

function isBytes(value: unknown): value is { data: number[] } {
  return typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data)
}

describe('an address', () => {
  it.each([
    ['the text "true"', { email_verified: 'true' }],
    ['the text "false"', { email_verified: 'false' }],
    ['a number', { email_verified: 1 }],
    ['no', { email_verified: false }],
    ['null', { email_verified: null }],
  ])('that is said to be verified with %s opens no account', async (_what, said) => {
    const { email, sub, id } = await both()
    idp.put({ sub, email, ...said })
    const known = await browser.signIn(address(), email)
    expect(known.error).toBe('provider_email_needs_verification')
    expect(await linkedTo(id)).toEqual([])
    // The error does not reveal whether the address has an account.
    idp.put({ email: `nessuno-${email}`, ...said })
    const unknown = await browser.signIn(address(), `nessuno-${email}`)
    expect(unknown.fragment.toString()).toBe(known.fragment.toString())
  })

  it('opens its account in whatever case it is written', async () => {
    const { email, sub, id } = await both()
    idp.put({ sub, email: email.toUpperCase() })
    expect(await userOf(await browser.signIn(address(), email.toUpperCase()))).toBe(id)
  })

  it('that only looks like another is another', async () => {
    const { email, sub, id } = await both()
    for (const other of [`${email}.evil.example`, `x+${email}`, email.replace('i', 'ı')]) {
      idp.put({ sub: `${sub}|${other}`, email: other })
      const led = await browser.signIn(address(), other)
      expect(led.error).not.toBeNull()
    }
    expect(await linkedTo(id)).toEqual([])
  })

  it('that was never confirmed here is not taken for its owner’s', async () => {
    const { email, id } = await both()
    await query('update auth_users set email_confirmed_at = null where id = $1', [id])
    expect((await browser.signIn(address(), email)).error).toBe('email_not_confirmed')
    await query('update auth_users set invited_at = now(), password_hash = null where id = $1', [
      id,
    ])
    expect((await browser.signIn(address(), email)).error).toBe('email_not_confirmed')
    expect(await linkedTo(id)).toEqual([])
  })

  it('that has passed to another user there does not pass the account on', async () => {
    const { email, sub, id } = await both()
    expect(await userOf(await browser.signIn(address(), email))).toBe(id)
    idp.put({ sub, email: `vecchio-${email}` })
    idp.put({ sub: `${sub}|new`, email })
    expect((await browser.signIn(address(), email)).error).toBe('identity_already_exists')
    expect(await linkedTo(id)).toEqual([{ subject: sub }])
  })

  it('that another user takes there opens no account: the subject there decides', async () => {
    const [thief, victim] = [await both(), await both()]
    expect(await userOf(await browser.signIn(address(), thief.email))).toBe(thief.id)
    idp.put({ sub: victim.sub, email: `altro-${victim.email}` })
    idp.put({ sub: thief.sub, email: victim.email })
    expect(await userOf(await browser.signIn(address(), victim.email))).toBe(thief.id)
    expect(await linkedTo(victim.id)).toEqual([])
  })
})

describe('an account', () => {
  it('that is shut out, or gone, is not opened, linked or not', async () => {
    const { email, id, sub } = await both()
    const ban = "update auth_users set banned_until = now() + interval '1 day' where id = $1"
    await query(ban, [id])
    expect((await browser.signIn(address(), email)).error).toBe('user_banned')
    expect(await linkedTo(id)).toEqual([])
    await query('update auth_users set banned_until = null where id = $1', [id])
    expect(await userOf(await browser.signIn(address(), email))).toBe(id)
    await query(ban, [id])
    expect((await browser.signIn(address(), email)).error).toBe('user_banned')

    await server.auth.users.delete(id, true, { actorId: null, address: '::', agent: null })
    expect((await browser.signIn(address(), email)).error).toBe('signup_disabled')
    // A later account with the same address gets the identity linked.
    const again = await server.addUser(email)
    expect(await userOf(await browser.signIn(address(), email))).toBe(again)
    expect(await linkedTo(again)).toEqual([{ subject: sub }])
  })

  it('is linked to nothing when its session ends meanwhile', async () => {
    const { email, id } = await both()
    const headers = await server.signIn(email)
    const url = await linking(headers)
    expect((await call('POST', '/logout?scope=local', {}, headers)).statusCode).toBe(204)
    expectLogin(await browser.link(url, email), 'bad_oauth_state')
    expect(await linkedTo(id)).toEqual([])
  })

  it('is linked to nothing when its password is changed elsewhere meanwhile', async () => {
    const { email, id } = await both()
    const thief = await server.signIn(email)
    const url = await linking(thief)
    const owner = await server.signIn(email)
    const changed = await call('PUT', '/user', { password: 'una frase tutta nuova' }, owner)
    expect(changed.statusCode).toBe(200)
    expectLogin(await browser.link(url, email), 'bad_oauth_state')
    expect(await linkedTo(id)).toEqual([])
  })

  it('is not opened with a code once its session has ended', async () => {
    const { email } = await both()
    const headers = await server.signIn(email)
    const challenge = { code_challenge: 'c'.repeat(43), code_challenge_method: 's256' }
    const asked = address(challenge).replace('/authorize?', '/user/identities/authorize?')
    const { url } = (await browser.open(asked, headers)).json<{ url: string }>()
    const led = await browser.link(url, email)
    const code = led.url.searchParams.get('code')
    expect(code).toBeTruthy()
    await call('POST', '/logout?scope=local', {}, headers)
    const body = { auth_code: code, code_verifier: 'v'.repeat(43) }
    const reply = await call('POST', '/token?grant_type=pkce', body)
    expect(reply.json()).toMatchObject({ error_code: 'flow_state_not_found' })
  })

  it('without an address is linked to nothing', async () => {
    const { email, id } = await both()
    const headers = await server.signIn(email)
    await query('update auth_users set email = null, is_anonymous = true where id = $1', [id])
    const path = `/user/identities/authorize?provider=${PROVIDER}`
    const reply = await call('GET', path, undefined, headers)
    expectRefused(reply, 404, 'manual_linking_disabled')
  })

  it('is not opened by whom another service of the same name calls so too', async () => {
    const { email, id, sub } = await both()
    const linked = await browser.signIn(address(), email)
    expect(await userOf(linked)).toBe(id)
    // As if the identity came from another provider, configured before under the same name.
    await query(
      `update auth_identities set identity_data = identity_data || '{"iss": "https://old.example.it"}'
       where subject = $1`,
      [sub],
    )
    idp.put({ sub, email: `altro-${email}` })
    const stranger = await browser.signIn(address(), `altro-${email}`)
    expect([await userOf(stranger), stranger.error]).toEqual([undefined, 'signup_disabled'])
    idp.put({ sub, email })
    expect((await browser.signIn(address(), email)).error).toBe('identity_already_exists')
  })

  it('opens still when its issuer is written with a slash at the end', async () => {
    const { email, id, sub } = await both()
    await browser.signIn(address(), email)
    await query(
      `update auth_identities set
         identity_data = jsonb_set(identity_data, '{iss}', to_jsonb(identity_data ->> 'iss' || '/'))
       where subject = $1`,
      [sub],
    )
    expect(await userOf(await browser.signIn(address(), email))).toBe(id)
  })

  it('keeps its ways in when its address is another', async () => {
    const { email, id } = await both()
    await browser.signIn(address(), email)
    const actor = { actorId: null, address: '::', agent: null }
    await server.auth.users.change(id, { email: `nuovo-${email}` }, actor)
    const [user] = await query<{ providers: string[] }>(
      "select app_metadata -> 'providers' as providers from auth_users where id = $1",
      [id],
    )
    expect(user?.providers).toEqual(['email', PROVIDER])
  })

  it('keeps its last way in', async () => {
    const { email, id } = await both()
    const headers = await server.signIn(email)
    await browser.link(await linking(headers), email)
    await query('update auth_users set email = null, is_anonymous = true where id = $1', [id])
    const [identity] = await query<{ id: string }>(
      'select id from auth_identities where user_id = $1',
      [id],
    )
    const path = `/user/identities/${identity?.id}`
    const reply = await call('DELETE', path, undefined, headers)
    expectRefused(reply, 422, 'single_identity_not_deletable')
    expect(await linkedTo(id)).toHaveLength(1)
  })
})

it('a password opens no session of the other service, and the other way round', async () => {
  const { email, id } = await both()
  await query('update auth_users set password_hash = null where id = $1', [id])
  expect((await call('POST', '/token?grant_type=password', { email, password })).statusCode).toBe(
    400,
  )
  expect(await userOf(await browser.signIn(address(), email))).toBe(id)
})
