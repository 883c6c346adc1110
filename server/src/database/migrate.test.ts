import { writeFile } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { silentLog } from '../../test/silent-log.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { migrate } from './migrate.ts'
import { withStartLock } from './start-lock.ts'

/** A database with the table `kept`, and a migration. */
async function databaseBefore(name: string, sql: string) {
  const { pool, url } = await testDatabase()
  await pool.query('create table kept (name text)')
  const migrations = await temporaryFolder()
  await writeFile(`${migrations}/${name}`, sql)
  return {
    pool,
    run: (log: Parameters<typeof migrate>[1] = silentLog) =>
      withStartLock(url, (client) => migrate(client, log, { migrations })),
  }
}

it('gives way to the readers of a table that a migration waits for', async () => {
  const { pool, run } = await databaseBefore('0001_x.sql', 'alter table kept add column x text;\n')
  const reader = await pool.connect()
  await reader.query('begin; select from kept')
  const logged: object[] = []
  const migrating = run({ info: (details) => logged.push(details) })
  await vi.waitFor(() => expect(logged).toEqual([{ migration: '0001_x.sql', tries: 1 }]), 10_000)
  // While the migration waits for a lock, this would wait behind it.
  await pool.query('select from kept')
  await reader.query('commit')
  reader.release()
  await migrating
  await pool.query('select x from kept')
})

it('builds an index anew that was left half built', async () => {
  const index = 'create unique index concurrently kept__name on kept (name)'
  const { pool, run } = await databaseBefore('0001_x.concurrent.sql', `${index};\nselect 1;\n`)
  await pool.query("insert into kept values ('same'), ('same')")
  await expect(run()).rejects.toThrow('could not create unique index')
  await pool.query('delete from kept')
  await run()
  const { rows } = await pool.query(
    "select indisvalid as valid from pg_index where indexrelid = 'kept__name'::regclass",
  )
  expect(rows).toEqual([{ valid: true }])
})
