import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { databaseTypes } from '../scripts/database-types.ts'
import { connectDatabase } from '../src/database/database.ts'
import { isDatabaseUnavailable } from '../src/database/errors.ts'
import { migrate } from '../src/database/migrate.ts'
import { withStartLock } from '../src/database/start-lock.ts'
import { tables } from '../src/features/pharmacies/deletion/tables.store.ts'
import { prepareDatabase } from '../src/start/prepare-database.ts'
import { breakableConnection } from './breakable-connection.ts'
import { emptyDatabase, testDatabase } from './database.ts'
import { silentLog } from './silent-log.ts'

const sources = fileURLToPath(new URL('../src/', import.meta.url))

const owners = new Map(Object.entries(tables).map(([name, { owner }]) => [name, owner]))

describe('the database', () => {
  it('is migrated once by several processes that start together', async () => {
    const { url } = await emptyDatabase()
    const { pool, close } = connectDatabase(url, { max: 1 })
    onTestFinished(close)
    await Promise.all(
      Array.from({ length: 4 }, () => prepareDatabase(url, silentLog, async () => {})),
    )
    const { rows } = await pool.query<{ name: string }>(
      'select name from schema_migrations order by name desc',
    )
    expect(rows[0]?.name).toMatch(/^schema [0-9a-f]{16}$/)
  })

  it('refuses to go on with a database of a newer version', async () => {
    const { pool, url } = await testDatabase()
    await pool.query("insert into schema_migrations (name) values ('9999_future.sql')")
    const migrating = withStartLock(url, (client) => migrate(client, silentLog))
    await expect(migrating).rejects.toThrow('newer than this version')
  })

  it.each([
    ['an earlier schema', "update schema_migrations set name = 'schema 0' where name ~ '^schema '"],
    [
      'migrations alone',
      "update schema_migrations set name = '0001_accounts.sql' where name ~ '^schema '",
    ],
  ])('refuses one of a development version, with %s', async (_, change) => {
    const { pool, url } = await testDatabase()
    await pool.query(change)
    const migrating = withStartLock(url, (client) => migrate(client, silentLog))
    await expect(migrating).rejects.toThrow('Export it with that version (npm run export)')
  })

  it('has the tables that its types say', async () => {
    const { url } = await testDatabase()
    const kept = await readFile(`${sources}database/schema.gen.ts`, 'utf8')
    expect(await databaseTypes(url)).toBe(kept)
  })

  it('is written by the owner of each table alone', async () => {
    const files = (await readdir(sources, { recursive: true })).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    )
    const strangers = new Set<string>()
    let writes = 0
    for (const file of files) {
      const text = await readFile(`${sources}${file}`, 'utf8')
      const written = text.matchAll(
        /(?:(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'|(?:insert into|delete from|`\s*update)\s+)(\w+)/g,
      )
      for (const [, table = ''] of written) {
        writes += 1
        if (!file.startsWith(owners.get(table) ?? 'unknown'))
          strangers.add(`${file} writes ${table}`)
      }
    }
    expect(writes).toBeGreaterThanOrEqual(200)
    const named = new Set([
      // Accounts end with their pharmacy.
      'features/pharmacies/deletion/pharmacy-purge.store.ts writes auth_users',
      // A temporary table.
      'features/medicines/medicines.store.ts writes read_medicines',
      // Colleagues' accounts end with that of their pharmacy.
      'features/colleagues/colleagues.store.ts writes auth_users',
      // A pharmacy without a plan, as they were before there were plans.
      'demo/demo.ts writes pharmacies',
    ])
    const others = [...strangers].filter(
      (each) => !named.has(each) && !each.includes('demo-figures'),
    )
    expect(others).toEqual([])
  })
})

describe('a connection', () => {
  it('that breaks fails its query and nothing else', async () => {
    const { url } = await emptyDatabase()
    const line = await breakableConnection(url)
    const { pool, db, close } = connectDatabase(line.url, { max: 2 })
    onTestFinished(close)
    await pool.query('select 1')
    const failed = sql`select pg_sleep(20)`.execute(db).catch((error: unknown) => error)
    await vi.waitUntil(async () => {
      const { rowCount } = await pool.query(
        `select from pg_stat_activity where datname = current_database()
         and query like '%pg_sleep%' and pid <> pg_backend_pid()`,
      )
      return rowCount === 1
    })
    line.cut()
    expect(isDatabaseUnavailable(await failed)).toBe(true)
    await vi.waitUntil(() => pool.query('select 1').catch(() => false))
  })

  it('speaks UTC whatever options its address has', async () => {
    const { url } = await emptyDatabase()
    const address = new URL(url)
    address.searchParams.set('options', '-c work_mem=1MB -c TimeZone=Asia/Tokyo')
    const { pool, close } = connectDatabase(address.href, { max: 1 })
    onTestFinished(close)
    const { rows } = await pool.query<{ zone: string; memory: string; time: string }>(
      `select current_setting('TimeZone') as zone, current_setting('work_mem') as memory,
        '2026-11-21 10:00:00+01'::timestamptz as time`,
    )
    expect(rows[0]).toEqual({ zone: 'UTC', memory: '1MB', time: '2026-11-21T09:00:00.000Z' })
  })

  it.each([
    ['a name that is not known yet', Object.assign(new Error('x'), { code: 'ENOTFOUND' }), true],
    ['a machine out of reach', Object.assign(new Error('x'), { code: 'EHOSTUNREACH' }), true],
    [
      'one that broke before',
      new Error('Client has encountered a connection error and is not queryable'),
      true,
    ],
    ['a mistake of ours', new TypeError('x is not a function'), false],
    [
      'a socket that is not there yet',
      Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'connect' }),
      true,
    ],
    [
      'a file of another kind that is missing',
      Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'open' }),
      false,
    ],
    ['a file that is in the way', Object.assign(new Error('x'), { code: 'EEXIST' }), false],
  ])('that fails with %s', (_what, error, passes) => {
    expect(isDatabaseUnavailable(error)).toBe(passes)
  })
})
