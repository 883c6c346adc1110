import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createAdministratorsStore } from '../../src/features/administrators/administrators.store.ts'
import { codeHash } from '../../src/platform/auth/one-time-tokens.ts'
import { isUsableHash } from '../../src/platform/auth/passwords.ts'
import { createSecrets } from '../../src/platform/secrets.ts'
import { type AuthServer, authServer, noLimits } from '../auth-server.ts'
import { password, type TestServer, testAuth, testServer } from '../server.ts'
import { expectRefused } from './replies.ts'

/** What must not break an account, and must not count against its owner. */

let server: AuthServer
let admin: { authorization: string }
let busy: Awaited<ReturnType<typeof refreshWhileBusy>>

beforeAll(async () => {
  server = await authServer()
  admin = await administratorOf(server)
  busy = await refreshWhileBusy()
})

async function administratorOf(of: AuthServer | TestServer) {
  const id = await of.addUser('admin@example.it')
  await createAdministratorsStore(of.database.db).insert(id)
  return of.signIn('admin@example.it')
}

const salt = 'c29tZXNhbHRzb21lc2FsdA'
const digest = 'A'.repeat(43)

const refresh = (refresh_token: string) =>
  call('POST', '/token?grant_type=refresh_token', { refresh_token })

/** A refresh that waits for a locked session. It takes seconds, during which other tests run. */
async function refreshWhileBusy() {
  const email = 'attesa@example.it'
  const id = await server.addUser(email)
  const { refresh_token: token } = (await login(email, password)).json<{ refresh_token: string }>()
  const holder = await server.database.pool.connect()
  await holder.query('begin')
  await holder.query('select from auth_sessions where user_id = $1 for update', [id])
  const end = async () => {
    await holder.query('rollback')
    holder.release()
  }
  return { token, end, reply: Promise.resolve(refresh(token)) }
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type More = { headers?: { authorization: string }; at?: AuthServer | TestServer; from?: string }

function call(method: Method, path: string, payload?: object, more: More = {}) {
  const { headers = {}, at = server, from = '127.0.0.1' } = more
  const url = `/auth/v1${path}`
  return at.app.inject({
    method,
    url,
    headers,
    remoteAddress: from,
    ...(payload && { payload }),
  })
}

const login = (email: string, text: string, more: More = {}) =>
  call('POST', '/token?grant_type=password', { email, password: text }, more)

async function user(email: string, at: AuthServer | TestServer = server) {
  const id = await at.addUser(email)
  return { id, headers: await at.signIn(email) }
}

const query = async <Row extends object>(
  text: string,
  values: unknown[] = [],
  at: AuthServer | TestServer = server,
) => (await at.database.pool.query<Row>(text, values)).rows

describe('what is counted against whom', () => {
  it('a place an account was opened from is a network of IPv6, not one of its addresses', async () => {
    const limits = { ...noLimits, 'login-account': { points: 3, seconds: 3600 } }
    const at = await testServer({ limits })
    const email = 'sei@example.it'
    await at.addUser(email)
    const own = { at, from: '2001:db8:1:2::aaaa' }
    expect((await login(email, password, own)).statusCode).toBe(200)
    const statuses = []
    for (let n = 0; n < 5; n += 1) {
      const from = `2001:db8:${n + 50}:9::1`
      statuses.push((await login(email, 'wrong', { at, from })).statusCode)
    }
    expect(statuses).toEqual([400, 400, 400, 429, 429])
    const next = { at, from: '2001:db8:1:2:bbbb:1:2:3' }
    expect((await login(email, password, next)).statusCode).toBe(200)
    const neighbour = { at, from: '2001:db8:1:3::aaaa' }
    expect((await login(email, password, neighbour)).statusCode).toBe(429)
  })

  it('the queue of hashes has an end, and who finds it full is not counted as wrong', async () => {
    const few = { points: 3, seconds: 3600 }
    const at = await testServer({
      limits: {
        ...noLimits,
        'login-pair': few,
        'login-pair-hour': few,
        'login-address': few,
        'login-account': few,
      },
    })
    const email = 'coda@example.it'
    await at.addUser(email)
    // Enough cheap requests to keep the queue full during a sign-in.
    const cheap = `$argon2id$v=19$m=1024,t=1,p=1$${salt}$${digest}`
    const crowd = await Promise.allSettled(Array.from({ length: 300 }, () => isUsableHash(cheap)))
    const served = crowd.filter(({ status }) => status === 'fulfilled').length
    expect(served).toBeGreaterThanOrEqual(200)
    expect(served).toBeLessThan(300)
    let isCrowded = true
    const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
    const keepBusy = async (): Promise<void> => {
      if (!isCrowded) return
      await isUsableHash(cheap).catch(nextTurn)
      return keepBusy()
    }
    const others = Array.from({ length: 250 }, keepBusy)
    const statuses = []
    for (let n = 0; n < 9; n += 1) statuses.push((await login(email, password, { at })).statusCode)
    isCrowded = false
    await Promise.all(others)
    expect(statuses).toContain(503)
    expect(statuses.filter((status) => status !== 503 && status !== 200)).toEqual([])
    for (let n = 0; n < 3; n += 1) {
      const from = `192.0.2.${n}`
      expect((await login(email, password, { at, from })).statusCode).toBe(200)
    }
  })

  it('five guesses of the current password by a session are enough, and on record', async () => {
    const { id, headers } = await user('indovina@example.it')
    const change = (current_password: string) =>
      call('PUT', '/user', { password: 'una frase tutta nuova', current_password }, { headers })
    for (let n = 0; n < 5; n += 1) {
      const reply = await change(`guess ${n}`)
      expect(reply.json()).toMatchObject({ error_code: 'current_password_invalid' })
    }
    const right = await change(password)
    expectRefused(right, 429, 'over_request_rate_limit')
    const trail = await query(
      "select from audit_events where user_id = $1 and action = 'current_password_failed'",
      [id],
    )
    expect(trail).toHaveLength(5)
  })
})

describe('an address of another account', () => {
  it('uses up no mail, and is not found out one after the other', async () => {
    const at = await testServer()
    await at.addUser('presa@example.it')
    const { headers } = await user('cambia@example.it', at)
    const want = async (email: string) => {
      const reply = await call('PUT', '/user', { email }, { headers, at })
      return reply.statusCode === 200 ? 'asked' : reply.json<{ error_code: string }>().error_code
    }
    expect(await want('presa@example.it')).toBe('email_exists')
    expect(await want('libera@example.it')).toBe('asked')
    for (let n = 0; n < 9; n += 1) expect(await want('presa@example.it')).toBe('email_exists')
    // From now on the two cases are indistinguishable.
    expect(await want('presa@example.it')).toBe('over_request_rate_limit')
    expect(await want('altra@example.it')).toBe('over_request_rate_limit')
  })
})

describe('codes', () => {
  const key = createSecrets('a secret of the tests, long enough for them').key('one-time codes')
  type Kept = { link_hash: Buffer; code_hash: Buffer }
  /**
   * Whether a code of six digits has that hash. The key of the tests is known, and the database tries all
   * codes.
   */
  const isGuessable = async (
    { link_hash: link, code_hash: hash }: Kept,
    from = 0,
    to = 999_999,
  ) => {
    const padded = Buffer.concat([key], 64)
    const [inner, outer] = [0x36, 0x5c].map((pad) => padded.map((byte) => byte ^ pad))
    if (!inner || !outer) throw new Error('there are two')
    const found = await query(
      `select from generate_series($4::int, $5::int) n
       where sha256($1 || sha256($2 || lpad(n::text, 6, '0')::bytea)) = $3`,
      [outer, Buffer.concat([inner, link]), hash, from, to],
    )
    return found.length > 0
  }
  const kept = (email: string, kind: string) =>
    query<Kept>(
      `select link_hash, code_hash from auth_one_time_tokens t join auth_users u on u.id = t.user_id
       where u.email = $1 and t.kind = $2`,
      [email, kind],
    )

  it('work for what was sent with one: a link to sign in, a link of an administrator', async () => {
    const email = 'codice@example.it'
    await server.addUser(email)
    await call('POST', '/otp', { email })
    const { code } = await server.nextMail(email)
    const [row] = await kept(email, 'magiclink')
    if (!row) throw new Error('there is no link')
    expect(row.code_hash).toEqual(codeHash(key, row.link_hash, code))
    expect(await isGuessable(row, Number(code) - 9, Number(code) + 9)).toBe(true)
    const used = await call('POST', '/verify', { email, token: code, type: 'email' })
    expect(used.statusCode).toBe(200)

    const wanted = { type: 'recovery', email }
    const made = await call('POST', '/admin/generate_link', wanted, { headers: admin })
    const { email_otp: token } = made.json<{ email_otp: string }>()
    expect(token).toMatch(/^\d{6}$/)
    const typed = await call('POST', '/verify', { email, token, type: 'recovery' })
    expect(typed.statusCode).toBe(200)
  })

  it('do not exist for a mail that shows none', async () => {
    const email = 'senza@example.it'
    await server.addUser(email)
    await call('POST', '/recover', { email })
    expect((await server.nextMail(email)).code).toBe('')
    const [row] = await kept(email, 'recovery')
    if (!row) throw new Error('there is no link')
    expect(await isGuessable(row)).toBe(false)
  })

  it('are shown by no invitation, whose link works after a guess', async () => {
    const email = 'invito@example.it'
    await call('POST', '/invite', { email }, { headers: admin })
    const invitation = await server.nextMail(email)
    expect(invitation.code).toBe('')
    const guess = await call('POST', '/verify', { email, token: '000000', type: 'invite' })
    expect(guess.json()).toMatchObject({ error_code: 'otp_expired' })
    const token_hash = invitation.linked.get('token_hash')
    const used = await call('POST', '/verify', { token_hash, type: 'invite' })
    expect(used.statusCode).toBe(200)
  })
})

describe('what users write about themselves', () => {
  it('has an end, so that their token still fits into a request', async () => {
    const email = 'grande@example.it'
    const { headers } = await user(email)
    const change = (data: object) => call('PUT', '/user', { data }, { headers })
    expect((await change({ a: 'x'.repeat(3000) })).statusCode).toBe(200)
    for (const data of [{ b: 'x'.repeat(3000) }, { a: 'x'.repeat(5000) }]) {
      const reply = await change(data)
      expectRefused(reply, 400, 'validation_failed')
    }
    expect((await change({ a: 'x'.repeat(3500) })).statusCode).toBe(200)
    const { access_token } = (await login(email, password)).json<{ access_token: string }>()
    const authorization = `Bearer ${access_token}`
    // Over the network, because injected requests have no limit of headers.
    expect((await fetch(`${server.url}/user`, { headers: { authorization } })).status).toBe(200)
  })

  it('survives another change made at the same time', async () => {
    const { id, headers } = await user('insieme@example.it')
    const changes = {
      own: (data: object) => call('PUT', '/user', { data }, { headers }),
      'of an administrator': (user_metadata: object) =>
        call('PUT', `/admin/users/${id}`, { user_metadata }, { headers: admin }),
    }
    for (const [name, change] of Object.entries(changes)) {
      const holder = await server.database.pool.connect()
      await holder.query('begin')
      await holder.query('select from auth_users where id = $1 for update', [id])
      const both = Promise.all([change({ [`${name} 1`]: 1 }), change({ [`${name} 2`]: 2 })])
      const waiting = `select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query not like '%auth_sessions%'`
      // Not by the holder: within a transaction the statistics stay those of the first reading.
      const { pool } = server.database
      await vi.waitUntil(async () => (await pool.query(waiting)).rowCount === 2, {
        timeout: 15_000,
        interval: 20,
      })
      await holder.query('commit')
      holder.release()
      expect((await both).map((reply) => reply.statusCode)).toEqual([200, 200])
    }
    const [row] = await query('select user_metadata from auth_users where id = $1', [id])
    expect(row).toEqual({
      user_metadata: {
        'own 1': 1,
        'own 2': 2,
        'of an administrator 1': 1,
        'of an administrator 2': 2,
      },
    })
  })
})

describe('characters that PostgreSQL keeps nowhere', () => {
  let quiet: TestServer
  let own: { authorization: string }
  let asAdmin: { authorization: string }
  beforeAll(async () => {
    // Without a job runner, so that an enqueued job stays.
    quiet = await testServer({
      limits: noLimits,
      auth: { ...testAuth, signup: true, anonymous: true },
    })
    own = (await user('nul@example.it', quiet)).headers
    asAdmin = await administratorOf(quiet)
  })

  const long = 'una frase tutta nuova'
  it.each([
    ['NUL', 'a\u0000b'],
    ['half a surrogate pair', 'a\ud800b'],
    ['the other half', 'a\udc00b'],
  ])('%s is refused, and leaves no job', async (_name, bad) => {
    const email = `${bad}@example.it`
    const good = 'x@example.it'
    const calls = [
      ['POST', '/token?grant_type=password', { email, password }],
      ['POST', '/signup', { email, password: long }],
      ['POST', '/recover', { email }],
      ['POST', '/otp', { email }],
      ['POST', '/resend', { email, type: 'signup' }],
      ['POST', '/verify', { email, token: '123456', type: 'email' }],
      ['PUT', '/user', { email }],
      ['POST', '/admin/users', { email }],
      ['POST', '/invite', { email }],
    ] as const
    const written = [{ a: bad }, { [bad]: 1 }, { a: [{ b: bad }] }].flatMap(
      (data) =>
        [
          ['PUT', '/user', { data }],
          ['POST', '/signup', { email: good, password: long, data }],
          ['POST', '/signup', { data }],
          ['POST', '/otp', { email: good, data }],
          ['POST', '/invite', { email: good, data }],
          ['POST', '/admin/users', { email: good, user_metadata: data }],
          ['POST', '/admin/users', { email: good, app_metadata: data }],
        ] as const,
    )
    const refusals = []
    for (const [method, path, payload] of [...calls, ...written]) {
      const headers = /admin|invite/.test(path) ? asAdmin : own
      const { statusCode } = await call(method, path, payload, { at: quiet, headers })
      if (statusCode !== 400) refusals.push([statusCode, method, path, payload])
    }
    expect(refusals).toEqual([])
    expect(await query('select from graphile_worker._private_jobs', [], quiet)).toEqual([])
  })
})

describe('administrators', () => {
  const broken = [
    '$argon2id$nonsense',
    '$argon2id$v=19$m=19456,t=2,p=1',
    `$argon2id$v=19$m=19456,t=2,p=1$${salt}`,
    `$argon2id$v=19$m=19456,t=2,p=1$${salt}$`,
    `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${digest}$more`,
    `$argon2id$v=19$m=19456,t=2,p=1$not base64$${digest}`,
    `$argon2id$v=19$m=19456,t=2,p=1$${'c'.repeat(17)}$${digest}`,
    `$argon2id$v=19$m=19456,t=2,p=1$c29t_XNhbHRzb21lc2FsdA$${digest}`,
    `$argon2id$v=19$m=4194304,t=2,p=1$${salt}$${digest}`,
    `$argon2id$v=19$m=19456,t=100000,p=1$${salt}$${digest}`,
    `$argon2id$v=19$m=19456,t=2,p=16777215$${salt}$${digest}`,
    `$argon2id$v=19$m=0,t=0,p=0$${salt}$${digest}`,
    `$argon2id$v=19$m=19456,t=2,p=1$${salt}$${digest}\u0000`,
  ]
  it.each(broken)('cannot set a password by the broken hash %s', async (password_hash) => {
    const payload = { email: 'impronta@example.it', password_hash }
    const reply = await call('POST', '/admin/users', payload, { headers: admin })
    expectRefused(reply, 400, 'validation_failed')
  })

  it('cannot bring back who was deleted softly', async () => {
    const email = 'andato@example.it'
    const { id } = await user(email)
    const soft = { should_soft_delete: true }
    await call('DELETE', `/admin/users/${id}`, soft, { headers: admin })
    const back = { email, password: 'una frase tutta nuova', email_confirm: true }
    for (const payload of [back, { user_metadata: { a: 1 } }, { ban_duration: 'none' }]) {
      const reply = await call('PUT', `/admin/users/${id}`, payload, { headers: admin })
      expectRefused(reply, 404, 'user_not_found')
    }
    expect((await login(email, back.password)).statusCode).toBe(400)
  })
})

it('a refresh waits for a busy database with 503, which no client takes for a sign-out', async () => {
  const reply = await busy.reply
  // The next test locks the whole table.
  await busy.end()
  expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '2'])
  expect((await refresh(busy.token)).statusCode).toBe(200)
})

describe('a link', () => {
  it('is not used up when the session it should open cannot be', async () => {
    const email = 'riprova@example.it'
    await server.addUser(email)
    await call('POST', '/recover', { email })
    const token_hash = (await server.nextMail(email)).linked.get('token_hash')
    const use = () => call('POST', '/verify', { token_hash, type: 'recovery' })
    await query('alter table auth_sessions add constraint none check (false) not valid')
    const failed = await use()
    await query('alter table auth_sessions drop constraint none')
    expect(failed.statusCode).toBe(500)
    expect((await use()).json()).toMatchObject({ user: { email } })
    expect((await use()).json()).toMatchObject({ error_code: 'otp_expired' })
  })
})
