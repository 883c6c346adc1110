import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createAuthStore } from '../src/platform/auth/auth.store.ts'
import { hashPassword } from '../src/platform/auth/passwords.ts'
import { atEnd } from './at-end.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { insertPharmacy } from './pharmacy-row.ts'
import { builtProgram, freePort, type Program, runNode } from './program.ts'
import { testFileFolder } from './temporary-folder.ts'

const password = 'correct horse battery'

const Session = z.object({ access_token: z.string(), refresh_token: z.string() })

let database: TestDatabase
/** Of both, which so have the same files. */
let dataDir: string
let here: Server
let there: Server

// Both start at the same moment.
beforeAll(async () => {
  database = await testDatabase()
  dataDir = await testFileFolder()
  ;[here, there] = await Promise.all([start(), start()])
}, 60_000)

/** A pharmacy that can sign in. @returns the mail address */
async function addPharmacy(name: string): Promise<string> {
  const email = `${name}@example.it`
  const passwordHash = await hashPassword(password)
  const user = { email, passwordHash, confirmed: true }
  const { id = '' } = (await createAuthStore(database.db).users.insert(user)) ?? {}
  await insertPharmacy(database.db, {
    id,
    pharmacyCode: name,
    name: 'Farmacia',
    email,
    phone: null,
    address: null,
    features: [],
    airtable: null,
  })
  return email
}

function run(port: number, folder: string): Program {
  const env = {
    PORT: String(port),
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    PUBLIC_URL: 'http://bancone.example.it',
    APP_SECRET: 's'.repeat(32),
  }
  return runNode([builtProgram('main')], env, atEnd)
}

async function start(): Promise<Server> {
  const port = await freePort()
  const program = run(port, dataDir)
  await program.printed('Bancone is ready')
  return client(`http://127.0.0.1:${port}`)
}

type Server = ReturnType<typeof client>

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
    logIn: (email: string) => token('password', { email, password }),
    refresh: (refresh_token: string) => token('refresh_token', { refresh_token }),
    ready: () => get('/readyz'),
    user: (access: string) => get('/auth/v1/user', access),
    pharmacy: (access: string) => get('/api/pharmacy', access),
  }
}

async function session(reply: Response | Promise<Response>) {
  const given = await reply
  expect(given.status).toBe(200)
  const { access_token: access, refresh_token: refresh } = Session.parse(await given.json())
  return { access, refresh }
}

describe('two processes on one database', () => {
  it('are ready, which they are when they hear their own events', async () => {
    for (const server of [here, there]) expect((await server.ready()).status).toBe(200)
  })

  it('end no session when many clients go on refreshing with the tokens they got', async () => {
    const email = await addPharmacy('chain')
    const at = (n: number) => (n % 2 === 0 ? here : there)
    const begun = await session(here.logIn(email))

    // Concurrent refreshes get one token; then each continues alone, alternating between the servers.
    const all = Array.from({ length: 20 }, (_, n) => n)
    const first = await Promise.all(all.map((n) => session(at(n).refresh(begun.refresh))))
    expect(new Set(first.map(({ refresh }) => refresh)).size).toBe(1)
    const ends = await Promise.all(
      first.map(async (given, n) => {
        let held = given
        for (let round = 1; round < 5; round++) {
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
  })
})

it('a third one that keeps its files elsewhere does not start', async () => {
  const third = run(await freePort(), await testFileFolder())
  expect(await third.ended).toBe(1)
  expect(third.output()).toContain('keeps its files elsewhere')
  expect((await here.ready()).status).toBe(200)
})
