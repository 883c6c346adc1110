import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { databaseTypes } from '../scripts/database-types.ts'
import { migrate } from '../src/database/migrate.ts'
import { testDatabase } from './database.ts'
import { silentLog } from './silent-log.ts'

const sources = fileURLToPath(new URL('../src/', import.meta.url))

/** The one file that may write each table. */
const owners: Record<string, string> = {
  admin_users: 'features/pharmacies/pharmacies.store.ts',
  auth_refresh_tokens: 'platform/auth/auth.store.ts',
  auth_sessions: 'platform/auth/auth.store.ts',
  auth_signing_keys: 'platform/auth/signing-keys.ts',
  auth_users: 'platform/auth/auth.store.ts',
  order_changes: 'features/orders/',
  order_copies: 'features/orders/',
  order_source_leases: 'features/orders/',
  pharmacies: 'features/pharmacies/pharmacies.store.ts',
  // By trigger alone.
  pharmacy_order_counts: 'nobody',
  pharmacy_orders: 'features/orders/',
  schema_migrations: 'database/migrate.ts',
}

describe('the database', () => {
  it('is the same after migrating twice', async () => {
    const { pool, url } = await testDatabase()
    const applied = () => pool.query('select name, applied_at from schema_migrations order by name')
    const before = (await applied()).rows
    await migrate(url, silentLog)
    expect(before.length).toBeGreaterThanOrEqual(3)
    expect((await applied()).rows).toEqual(before)
  })

  it('is migrated once by several processes that start together', async () => {
    const { pool, url } = await testDatabase()
    await pool.query('drop schema public cascade; create schema public')
    await Promise.all(Array.from({ length: 4 }, () => migrate(url, silentLog)))
    const { rows } = await pool.query<{ done: number }>(
      'select count(*)::int as done from schema_migrations',
    )
    expect(rows[0]?.done).toBe((await readdir(`${sources}database/migrations`)).length)
  })

  it('refuses to go on with a database of a newer version', async () => {
    const { pool, url } = await testDatabase()
    await pool.query("insert into schema_migrations (name) values ('9999_future.sql')")
    await expect(migrate(url, silentLog)).rejects.toThrow('newer than this version')
  })

  it('has the tables that its types say', async () => {
    const { url } = await testDatabase()
    const kept = await readFile(`${sources}database/schema.gen.ts`, 'utf8')
    expect(await databaseTypes(url)).toBe(kept)
  })

  it('has one owner for every table', async () => {
    const { pool } = await testDatabase()
    const { rows } = await pool.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
    )
    expect(rows.map((row) => row.name)).toEqual(Object.keys(owners))
  })

  it('is written by the owner of each table alone', async () => {
    const files = (await readdir(sources, { recursive: true })).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    )
    const strangers: string[] = []
    let writes = 0
    for (const file of files) {
      const text = await readFile(`${sources}${file}`, 'utf8')
      const written = text.matchAll(/(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'(\w+)/g)
      for (const [, table = ''] of written) {
        writes += 1
        if (!file.startsWith(owners[table] ?? 'nobody')) strangers.push(`${file} writes ${table}`)
      }
    }
    expect(writes).toBeGreaterThanOrEqual(15)
    expect(strangers).toEqual([])
  })
})
