import { spawnSync } from 'node:child_process'
import { chown, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findAccount, runsAsRoot } from '../src/database/embedded/account.ts'
import { probeLine } from '../src/database/pooler.ts'
import { createAuthStore } from '../src/platform/auth/auth.store.ts'
import { hashPassword } from '../src/platform/auth/passwords.ts'
import { atEnd } from './at-end.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { insertPharmacy } from './pharmacy-row.ts'
import { builtProgram, freePort, refusal, run, runCommand, runNode } from './program.ts'
import { testFileFolder } from './temporary-folder.ts'

const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0
const password = 'correct horse battery'
const Token = z.object({ access_token: z.string() })

let database: TestDatabase
/** The database through PgBouncer, which hands out two connections by transaction. */
let pooled: string

async function startPgBouncer(): Promise<string> {
  const folder = await testFileFolder()
  const { hostname, port, username, password: secret, pathname } = new URL(database.url)
  const name = pathname.slice(1)
  const listening = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  await writeFile(users, `"${username}" "${decodeURIComponent(secret)}"\n`)
  await writeFile(
    file,
    `[databases]
${name} = host=${hostname} port=${port} dbname=${name} auth_user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listening}
unix_socket_dir =
pool_mode = transaction
default_pool_size = 2
auth_type = scram-sha-256
auth_file = ${users}
auth_query = select usename, passwd from pg_shadow where usename = $1
admin_users = ${username}
`,
  )
  const command = ['pgbouncer', file]
  if (runsAsRoot) {
    const { uid, gid } = await findAccount()
    for (const path of [folder, file, users]) await chown(path, uid, gid)
    command.unshift('setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups')
  }
  const [program = '', ...args] = command
  await runCommand(program, args, {}, 'SIGINT', atEnd).printed('process up')
  const address = new URL(database.url)
  address.port = String(listening)
  return address.href
}

describe.runIf(hasPgBouncer)('behind PgBouncer', () => {
  beforeAll(async () => {
    database = await testDatabase()
    pooled = await startPgBouncer()
  })

  it('is found to hand out connections by transaction', async () => {
    expect(await probeLine(database.url)).toEqual({ keepsConnection: true, keepsStatements: true })
    expect(await probeLine(pooled)).toMatchObject({ keepsConnection: false })
  })

  it('a server does not start with nothing else', async () => {
    const program = run('main', { DATA_DIR: await testFileFolder(), DATABASE_URL: pooled })
    expect(await refusal(program)).toMatch(/^DATABASE_URL leads to a pooler/)
  })

  it('a server with both addresses works, also on more requests than there are connections', async () => {
    const email = 'pooled@example.it'
    const user = { email, passwordHash: await hashPassword(password), confirmed: true }
    const { id = '' } = (await createAuthStore(database.db).users.insert(user)) ?? {}
    await insertPharmacy(database.db, {
      id,
      pharmacyCode: 'POOL-1',
      name: 'Farmacia',
      email,
      phone: null,
      address: null,
      features: [],
      airtable: null,
    })
    const port = await freePort()
    const program = runNode([builtProgram('main')], {
      PORT: String(port),
      DATA_DIR: await testFileFolder(),
      DATABASE_URL: database.url,
      DATABASE_POOL_URL: pooled,
      PUBLIC_URL: 'http://bancone.example.it',
      APP_SECRET: 's'.repeat(32),
    })
    await program.printed('Bancone is ready')
    const before = await transactions()
    const url = `http://127.0.0.1:${port}`
    const signedIn = await fetch(`${url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    const { access_token } = Token.parse(await signedIn.json())
    const headers = { authorization: `Bearer ${access_token}` }
    const paths = ['/api/pharmacy', '/api/airtable-orders', '/api/orders/views']
    const all = Array.from({ length: 40 }, (_, n) => paths[n % paths.length] ?? '')
    const replies = await Promise.all(all.map((path) => fetch(url + path, { headers })))
    expect([...new Set(replies.map(({ status }) => status))]).toEqual([200])
    expect(await transactions()).toBeGreaterThan(before + 40)
    expect(program.output()).not.toContain('"level":50')
  })
})

/** That PgBouncer has passed on. */
async function transactions(): Promise<number> {
  const address = new URL(pooled)
  const name = address.pathname.slice(1)
  address.pathname = '/pgbouncer'
  const client = new pg.Client({ connectionString: address.href })
  await client.connect()
  try {
    const { rows } = await client.query<{ database: string; xact_count: string }>(
      'show stats_totals',
    )
    return Number(rows.find((row) => row.database === name)?.xact_count ?? 0)
  } finally {
    await client.end()
  }
}
