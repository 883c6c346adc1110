import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { atEnd } from '../../test/at-end.ts'
import { type TestServer, testApp, testServer } from '../../test/server.ts'
import { silentLog } from '../../test/silent-log.ts'
import { killAll, type Postgres, startStandby } from '../../test/standby.ts'
import { connectDatabase, type DatabaseConnection } from './database.ts'
import { startEmbedded } from './embedded.ts'
import { openReplica } from './replica.ts'
import { removeRestored } from './restored.ts'

const fast = { fsync: 'off' }

describe('a replica', () => {
  let primary: DatabaseConnection
  let standby: Postgres
  let own: DatabaseConnection

  beforeAll(async () => {
    const root = await mkdtemp(join(tmpdir(), 'bancone-replica '))
    await chmod(root, 0o711)
    const [first, second] = [join(root, 'first'), join(root, 'second')]
    const options = { log: silentLog, onLost: () => {}, archive: false, settings: fast } as const
    const database = await startEmbedded({ dataDir: first, ...options })
    primary = connectDatabase(database.url)
    await primary.pool.query('create table counted (n integer)')
    standby = await startStandby(second, database.url, fast)
    own = connectDatabase(standby.url, { max: 1 })
    atEnd(async () => {
      await Promise.all([primary.close(), own.close()])
      killAll(standby)
      await standby.postmaster.exited
      await removeRestored(second)
      await database.stop()
      await rm(root, { recursive: true, force: true })
    })
  })

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    return () => vi.useRealTimers()
  })

  async function open(url = standby.url, pool = primary.pool) {
    const replica = await openReplica(url, { url: primary.url, pool }, { log: silentLog })
    const count = async () => {
      const { rows } = await sql<{ n: number; is_replica: boolean }>`
        select count(*)::int as n, pg_is_in_recovery() as is_replica from counted`.execute(
        replica.reports,
      )
      return { n: rows[0]?.n, from: rows[0]?.is_replica ? 'replica' : 'primary' }
    }
    return { ...replica, count }
  }

  const add = () => primary.pool.query('insert into counted values (1)')

  it('answers reports with everything that was committed before', async () => {
    await using replica = asDisposable(await open())
    for (let n = 1; n <= 40; n += 1) {
      await add()
      expect(await replica.count()).toEqual({ n, from: 'replica' })
    }
    expect(await replica.readsReplica()).toBe(true)
  })

  it('is passed over as long as it is behind', async () => {
    await primary.pool.query('truncate counted')
    await using replica = asDisposable(await open())
    expect((await replica.count()).from).toBe('replica')
    await own.pool.query('select pg_wal_replay_pause()')
    await add()
    expect(await replica.count()).toEqual({ n: 1, from: 'primary' })
    expect(await replica.readsReplica()).toBe(false)
    await own.pool.query('select pg_wal_replay_resume()')
    // It is left alone for a while.
    expect((await replica.count()).from).toBe('primary')
    vi.setSystemTime(Date.now() + 10_000)
    expect(await replica.count()).toEqual({ n: 1, from: 'replica' })
    expect(await replica.readsReplica()).toBe(true)
  })

  it('is read by as many reports as it has connections, and by the others later', async () => {
    await using replica = asDisposable(await open())
    const long = async () => {
      const { rows } = await sql<{ is_replica: boolean }>`
        select pg_is_in_recovery() as is_replica from pg_sleep(1.2)`.execute(replica.reports)
      return rows[0]?.is_replica
    }
    const places = await Promise.all(Array.from({ length: 8 }, long))
    expect(places.filter(Boolean)).toHaveLength(5)
    expect((await replica.count()).from).toBe('replica')
  })

  it('is no other database, and none that was promoted', async () => {
    const other = new URL(primary.url)
    other.pathname = '/postgres'
    await expect(open(other.href)).rejects.toThrow('leads to another database')
    await using same = asDisposable(await open(primary.url))
    expect((await same.count()).from).toBe('primary')
    expect(await same.readsReplica()).toBe(false)
  })

  it('is none with another history, though it may be further', async () => {
    const asked = async (question: string) => {
      const { rows } = await primary.pool.query<object>(question)
      return { rows: rows.map((row) => ({ ...row, timeline: '00000002' })) }
    }
    const restored = new Proxy(primary.pool, {
      get: (pool, key): unknown => (key === 'query' ? asked : Reflect.get(pool, key)),
    })
    await using replica = asDisposable(await open(standby.url, restored))
    expect((await replica.count()).from).toBe('primary')
  })

  it('is not waited for when it hangs, also on an open connection', async () => {
    await using replica = asDisposable(await open())
    expect((await replica.count()).from).toBe('replica')
    const { rows } = await own.pool.query<{ pid: number }>('select pid from pg_stat_activity')
    for (const { pid } of rows) process.kill(pid, 'SIGSTOP')
    try {
      expect((await replica.count()).from).toBe('primary')
    } finally {
      for (const { pid } of rows) process.kill(pid, 'SIGCONT')
    }
    vi.setSystemTime(Date.now() + 10_000)
    expect((await replica.count()).from).toBe('replica')
  })

  it('that is lost stops neither reports nor a start', async () => {
    await using replica = asDisposable(await open())
    expect((await replica.count()).from).toBe('replica')
    killAll(standby)
    await standby.postmaster.exited
    await expect
      .poll(async () => (await replica.count().catch(() => ({ from: 'none' }))).from)
      .toBe('primary')
    await using later = asDisposable(await open())
    expect((await later.count()).from).toBe('primary')
  })
})

function asDisposable<T extends { close(): Promise<void> }>(value: T) {
  return { ...value, [Symbol.asyncDispose]: () => value.close() }
}

describe('a replica is read', () => {
  let server: TestServer
  let app: Awaited<ReturnType<typeof testApp>>['app']
  const read: string[] = []

  beforeAll(async () => {
    server = await testServer()
    const connection = connectDatabase(server.database.runtimeUrl, { max: 5 })
    // A standby refuses to write, and to lock rows.
    const address = new URL(server.database.runtimeUrl)
    address.searchParams.set('options', '-c default_transaction_read_only=on')
    const standby = connectDatabase(address.href, { max: 2 })
    const reports: DatabaseConnection['reports'] = new Kysely({
      dialect: new PostgresDialect({ pool: standby.pool }),
      log: ({ query }) => void read.push(query.sql),
    })
    const tested = await testApp({ ...connection, reports }, {}, silentLog)
    app = tested.app
    atEnd(async () => {
      await app.close()
      await tested.wired.close()
      await Promise.all([connection.close(), standby.close()])
    })
    await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-1', features: ['analytics'] })
    await server.addAdministrator({ email: 'admin@example.it' })
  })

  it.each([
    ['for figures', 'own@example.it', '/api/analytics?dal=2026-01-01&al=2026-01-31', true],
    ['for traffic', 'own@example.it', '/api/analytics/traffic?dal=2026-01-01&al=2026-01-31', true],
    ['for the overview', 'admin@example.it', '/api/admin/pharmacies/overview', true],
    ['for the audit log', 'admin@example.it', '/api/admin/audit', true],
    ['never for orders', 'own@example.it', '/api/airtable-orders', false],
  ])('%s', async (_name, email, url, isReport) => {
    const headers = await server.signIn(email)
    read.length = 0
    const reply = await app.inject({ url, headers })
    expect(reply.statusCode, reply.body).toBe(200)
    expect(read.length > 0).toBe(isReport)
  })

  it('for exports', async () => {
    const headers = await server.signIn('own@example.it')
    read.length = 0
    const payload = { format: 'csv' }
    const url = '/api/orders/exports'
    const reply = await app.inject({ method: 'POST', url, headers, payload })
    expect(reply.statusCode, reply.body).toBe(200)
    expect(read.length).toBeGreaterThan(0)
  })
})
