import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AuthServer, authServer, noLimits } from '../auth-server.ts'
import { password, type TestServer, testAuth, testServer } from '../server.ts'

/** Known pitfalls of authentication servers: what an attacker finds out by probing. */

const known = 'farmacia@example.it'
const unknown = 'nessuno@example.it'

let quiet: TestServer
beforeAll(async () => {
  // Without a job runner, so that enqueued jobs can be inspected.
  quiet = await testServer({
    limits: {
      ...noLimits,
      'login-pair': { points: 1000, seconds: 60 },
      'login-pair-hour': { points: 1000, seconds: 60 },
    },
    auth: { ...testAuth, signup: true },
  })
  await quiet.addUser(known)
})

function post(server: TestServer | AuthServer, path: string, payload: object, headers = {}) {
  return server.app.inject({ method: 'POST', url: `/auth/v1${path}`, payload, headers })
}

/** CPU time of the process in milliseconds, independent of waiting. */
async function work(what: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await what()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe('pitfall 1: time tells who has an account', () => {
  it('a wrong password costs one hash, whatever the account', async () => {
    const { pool } = quiet.database
    const [banned, noPassword] = ['banned@example.it', 'nopassword@example.it']
    await quiet.addUser(banned)
    await pool.query("update auth_users set banned_until = '2999-01-01' where email = $1", [banned])
    await pool.query('insert into auth_users (email, email_confirmed_at) values ($1, now())', [
      noPassword,
    ])
    const attempts = async (email: string) => {
      for (let n = 0; n < 2; n += 1) {
        const reply = await post(quiet, '/token?grant_type=password', {
          email,
          password: `no ${n}`,
        })
        expect(reply.statusCode).toBe(400)
      }
    }
    // The least of several: the process also does other things, which only add to it.
    const cost = async (email: string) => {
      const rounds: number[] = []
      for (let n = 0; n < 3; n += 1) rounds.push(await work(() => attempts(email)))
      return Math.min(...rounds)
    }
    const usual = await cost(known)
    for (const email of [banned, noPassword, unknown]) {
      expect(await cost(email), email).toBeGreaterThan(usual / 2)
    }
  })

  it.each([
    ['/recover', {}],
    ['/otp', {}],
    ['/resend', { type: 'signup' }],
  ])('%s leaves everything that differs to a job', async (path, more) => {
    const jobs = async () => {
      const { rows } = await quiet.database.pool.query<{ identifier: string; payload: object }>(
        `select task_identifier as identifier, payload from graphile_worker.jobs j
         join graphile_worker._private_jobs p using (id) order by id`,
      )
      return rows
    }
    await quiet.database.pool.query('delete from graphile_worker._private_jobs')
    const replies = []
    for (const email of [known, unknown]) replies.push(await post(quiet, path, { email, ...more }))
    expect(replies.map((reply) => [reply.statusCode, reply.body])).toEqual([
      [200, '{}'],
      [200, '{}'],
    ])
    const [first, second] = await jobs()
    const shape = (payload: object = {}) => Object.keys(payload).toSorted()
    expect(first?.identifier).toBe('auth.mail')
    expect(second?.identifier).toBe('auth.mail')
    expect(shape(first?.payload)).toEqual(shape(second?.payload))
    const { rows } = await quiet.database.pool.query('select from auth_one_time_tokens')
    expect(rows).toEqual([])
  })
})

describe('pitfall 2: the content of an answer tells who has an account', () => {
  it('signing up looks the same for a taken address, the second time too', async () => {
    const shapeOf = async (email: string) => {
      const reply = await post(quiet, '/signup', {
        email,
        password: 'una frase lunga',
        data: { a: 1 },
      })
      expect(reply.statusCode).toBe(200)
      const user = reply.json<Record<string, unknown>>()
      expect(user['identities']).toHaveLength(1)
      const { id } = user
      const plain = JSON.stringify(user)
        .replaceAll(String(id), 'ID')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
        .replaceAll(email, 'EMAIL')
      return { id, plain }
    }
    const taken = await shapeOf(known)
    const free = await shapeOf('nuova@example.it')
    expect(taken.plain).toBe(free.plain)
    expect((await shapeOf(known)).id).toBe(taken.id)
    expect((await shapeOf('nuova@example.it')).id).toBe(free.id)
  })

  it('a code for an unknown address is refused like a wrong one', async () => {
    const refusals = []
    for (const email of [known, unknown]) {
      const reply = await post(quiet, '/verify', { email, token: '123456', type: 'recovery' })
      refusals.push([reply.statusCode, reply.body])
    }
    expect(refusals[0]).toEqual(refusals[1])
    expect(refusals[0]?.[0]).toBe(403)
  })
})

describe('pitfall 3: a copy of the database opens accounts', () => {
  it('links, codes, refresh tokens and the codes of PKCE are kept as hashes only', async () => {
    const server = await authServer()
    await server.addUser(known)
    const session = await post(server, '/token?grant_type=password', { email: known, password })
    const { refresh_token: refresh } = session.json<{ refresh_token: string }>()
    await post(server, '/otp', { email: known })
    const mail = await server.nextMail(known)
    const token = mail.linked.get('token_hash') ?? ''
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(mail.code).toMatch(/^\d{6}$/)

    const { rows } = await server.database.pool.query<{ all: string }>(
      `select coalesce(string_agg(t::text, ''), '') || (select string_agg(r::text, '') from
         auth_refresh_tokens r) || (select coalesce(string_agg(j::text, ''), '') from
         graphile_worker._private_jobs j) as all from auth_one_time_tokens t`,
    )
    const kept = String(rows[0]?.all)
    for (const secret of [token, mail.code, refresh]) {
      expect(kept).not.toContain(secret)
      expect(kept).not.toContain(Buffer.from(secret).toString('hex'))
    }
    // Nor is a plain hash of the code stored, which would reveal six digits at once.
    for (const algorithm of ['sha224', 'sha256']) {
      for (const text of [mail.code, known + mail.code]) {
        expect(kept).not.toContain(createHash(algorithm).update(text).digest('hex'))
      }
    }
  })
})

describe('pitfall 4: passwords', () => {
  it('are hashed with argon2id at the cost OWASP asks for', async () => {
    const { rows } = await quiet.database.pool.query<{ hash: string }>(
      'select password_hash as hash from auth_users where email = $1',
      [known],
    )
    const [, memory, time] =
      /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$/.exec(rows[0]?.hash ?? '') ?? []
    expect(Number(memory)).toBeGreaterThanOrEqual(19_456)
    expect(Number(time)).toBeGreaterThanOrEqual(2)
  })
})
