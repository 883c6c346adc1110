import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { createPharmaciesStore } from '../src/features/pharmacies/pharmacies.store.ts'
import { createAuthStore } from '../src/platform/auth/auth.store.ts'
import { hashPassword } from '../src/platform/auth/passwords.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { freePort, run } from './program.ts'

const password = 'correct horse battery'

const Session = z.object({ access_token: z.string(), refresh_token: z.string() })
const Refusal = z.object({ error_code: z.string() })
const Keys = z.object({ keys: z.array(z.object({ kid: z.string() })) })

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})

/** Someone who can sign in and has a pharmacy. @returns the address */
async function addPharmacy(name: string): Promise<string> {
  const email = `${name}@example.it`
  const passwordHash = await hashPassword(password)
  const user = await createAuthStore(database.db).users.insert({
    email,
    passwordHash,
    confirmed: true,
  })
  if (!user) throw new Error(`${email} is taken`)
  await createPharmaciesStore(database.db).insert({
    id: user.id,
    pharmacyId: name,
    name: 'Farmacia',
    email,
    phone: null,
    address: null,
    features: [],
    airtable: null,
  })
  return email
}

async function start() {
  const port = await freePort()
  const dataDir = await mkdtemp(join(tmpdir(), 'bancone two '))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const program = run('main', {
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    PUBLIC_URL: 'http://bancone.example.it',
    APP_SECRET: 's'.repeat(32),
    DEMO: '0',
    LOG_LEVEL: 'error',
  })
  await program.printed('Bancone is ready')
  return client(`http://127.0.0.1:${port}`)
}

type Server = ReturnType<typeof client>

/** Two processes of one Bancone, begun at the same moment. */
function startTwo(): Promise<[Server, Server]> {
  return Promise.all([start(), start()])
}

function client(url: string) {
  const token = (grant: string, body: object) =>
    fetch(`${url}/auth/v1/token?grant_type=${grant}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const get = (path: string, access = '') =>
    fetch(url + path, { headers: { authorization: `Bearer ${access}` } })

  return {
    logIn: (email: string, attempt = password) => token('password', { email, password: attempt }),
    refresh: (refresh_token: string) => token('refresh_token', { refresh_token }),
    user: (access: string) => get('/auth/v1/user', access),
    pharmacy: (access: string) => get('/api/pharmacy', access),
    logOut: (access: string) =>
      fetch(`${url}/auth/v1/logout`, {
        method: 'POST',
        headers: { authorization: `Bearer ${access}` },
      }),
    async keys() {
      return Keys.parse(await (await get('/auth/v1/.well-known/jwks.json')).json()).keys
    },
  }
}

async function session(reply: Response | Promise<Response>) {
  const given = await reply
  expect(given.status).toBe(200)
  const { access_token: access, refresh_token: refresh } = Session.parse(await given.json())
  return { access, refresh }
}

async function refusal(reply: Response | Promise<Response>) {
  const given = await reply
  return [given.status, Refusal.parse(await given.json()).error_code]
}

describe('two processes on one database', () => {
  it('begun at once have one key, and one knows at once who signed out at the other', async () => {
    const email = await addPharmacy('logout')
    const [here, there] = await startTwo()
    expect(await here.keys()).toHaveLength(1)
    expect(await there.keys()).toEqual(await here.keys())

    const first = await session(here.logIn(email))
    const second = await session(there.refresh(first.refresh))
    for (const server of [here, there]) {
      for (const { access } of [first, second]) {
        expect((await server.user(access)).status).toBe(200)
        expect((await server.pharmacy(access)).status).toBe(200)
      }
    }

    expect((await here.logOut(second.access)).status).toBe(204)
    for (const { access } of [second, first]) {
      expect(await refusal(there.user(access))).toEqual([403, 'session_not_found'])
      expect(await refusal(here.user(access))).toEqual([403, 'session_not_found'])
      expect((await here.pharmacy(access)).status).toBe(401)
    }
    // What the other remembers of a session it forgets by itself.
    const isOver = async () => {
      const replies = await Promise.all([first, second].map(({ access }) => there.pharmacy(access)))
      return replies.every(({ status }) => status === 401)
    }
    await vi.waitUntil(isOver, { timeout: 5_000, interval: 50 })
    expect(await refusal(there.refresh(second.refresh))).toEqual([400, 'refresh_token_not_found'])
  }, 60_000)

  it('answer refreshes of one token, all at once, with one session', async () => {
    const email = await addPharmacy('refresh')
    const servers = await startTwo()
    const [here, there] = servers
    const { refresh } = await session(here.logIn(email))
    const both = Array.from({ length: 10 }, () => servers).flat()

    const replies = await Promise.all(both.map((server) => server.refresh(refresh)))
    expect(replies.map(({ status }) => status)).toEqual(both.map(() => 200))
    const given = await Promise.all(replies.map(session))
    const [next = '', ...others] = new Set(given.map((one) => one.refresh))
    expect(others).toEqual([])
    expect(next).not.toBe(refresh)
    for (const { access } of given) {
      const users = await Promise.all([here.user(access), there.user(access)])
      expect(users.map(({ status }) => status)).toEqual([200, 200])
    }
    const last = await session(there.refresh(next))
    expect(last.refresh).not.toBe(next)
    expect((await here.pharmacy(last.access)).status).toBe(200)
  }, 60_000)

  it('sign nobody out when many go on refreshing with what they got', async () => {
    const email = await addPharmacy('chain')
    const [here, there] = await startTwo()
    const at = (n: number) => (n % 2 === 0 ? here : there)
    const begun = await session(here.logIn(email))

    // Each at its own pace, and at the other server every time.
    const ends = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        let held = begun
        for (let round = 0; round < 5; round++) {
          held = await session(at(n + round).refresh(held.refresh))
        }
        return held
      }),
    )
    for (const { access } of ends) {
      expect((await there.user(access)).status).toBe(200)
      expect((await here.pharmacy(access)).status).toBe(200)
    }
    const again = await Promise.all(ends.map((held, n) => at(n).refresh(held.refresh)))
    expect(again.map(({ status }) => status)).toEqual(ends.map(() => 200))
    const reused = "select from audit_events where action = 'refresh_token_reused'"
    expect((await database.pool.query(reused)).rowCount).toBe(0)
  }, 60_000)

  it('count failed sign-ins together', async () => {
    const email = await addPharmacy('guessed')
    const other = await addPharmacy('other')
    const [here, there] = await startTwo()
    let failures = 0
    let status = 400
    for (; status !== 429 && failures < 20; failures++) {
      const [given, code] = await refusal(here.logIn(email, 'not the password'))
      status = Number(given)
      expect(code).toBe(status === 429 ? 'over_request_rate_limit' : 'invalid_credentials')
    }
    expect(status).toBe(429)
    expect(failures).toBeGreaterThan(3)

    const refused = await there.logIn(email)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refusal(refused)).toEqual([429, 'over_request_rate_limit'])
    await session(there.logIn(other))
  }, 60_000)
})
