import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Log } from '../ports/log.ts'
import { StartupError } from '../startup-error.ts'

/** In the sources beside this file, in the build beside the bundle. */
export const migrationsFolder = fileURLToPath(new URL('./migrations/', import.meta.url))

/** A file with this ending has statements that PostgreSQL does not run in a transaction. */
const CONCURRENT = '.concurrent.sql'

/**
 * A migration that waits for a lock makes all later readers and writers of the table wait behind it. After so many
 * milliseconds it gives way, and is tried again.
 */
const LOCK_TIMEOUT_MS = 2_000
const PAUSE_MS = 1_000
const MAX_TRIES = 100

/** The names of all migrations, in their order. */
export async function migrationNames(folder = migrationsFolder): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
}

/**
 * Applies the numbered SQL files that have not been applied yet, each in its own transaction (but see CONCURRENT). The
 * caller holds the start lock: see `prepareDatabase`.
 *
 * @param only the names of those to apply; all of them without it
 * @throws StartupError if a newer version has migrated the database, or if a table stays locked
 */
export async function migrate(
  client: pg.Client,
  log: Pick<Log, 'info'>,
  { folder = migrationsFolder, only }: { folder?: string; only?: readonly string[] } = {},
): Promise<void> {
  const files = await migrationNames(folder)
  await client.query(`create table if not exists schema_migrations (
    name text primary key,
    applied_at timestamptz not null default now()
  )`)
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
  const done = new Set(rows.map((row) => row.name))
  const unknown = [...done].find((name) => !files.includes(name))
  if (unknown) {
    throw new StartupError(
      `The database is newer than this version of Bancone (it has ${unknown}): start that version.`,
    )
  }
  await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
  const isWanted = (name: string) => !done.has(name) && (only?.includes(name) ?? true)
  for (const name of files.filter(isWanted)) {
    const sql = await readFile(`${folder}/${name}`, 'utf8')
    const record = `insert into schema_migrations (name) values (${client.escapeLiteral(name)})`
    await givingWay(name, log, async () => {
      if (name.endsWith(CONCURRENT)) await runOneByOne(client, [...statementsOf(sql), record])
      else await runTogether(client, `${sql}\n;${record}`)
    })
    log.info({ migration: name }, 'database migrated')
  }
  await client.query('reset lock_timeout')
}

/** Tries again after a lock was not to be had in time, or was waited for in a circle. */
async function givingWay(
  name: string,
  log: Pick<Log, 'info'>,
  apply: () => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await apply()
    } catch (error) {
      const isWait = error instanceof pg.DatabaseError && /^(55P03|40P01)$/.test(error.code ?? '')
      if (!isWait) throw error
      if (tries === MAX_TRIES) {
        throw new StartupError(
          `A table of the database stayed locked, so that ${name} could not be applied: end the transaction that ` +
            'holds the lock (see pg_stat_activity), and start again.',
          { cause: error },
        )
      }
      log.info({ migration: name, tries }, 'a table is locked, the migration is tried again')
      await pause(PAUSE_MS * (0.5 + Math.random()))
    }
  }
}

async function runTogether(client: pg.Client, sql: string): Promise<void> {
  try {
    await client.query(`begin;\n${sql}; commit`)
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/** An index whose building was interrupted stays as an invalid one, under its name. */
async function runOneByOne(client: pg.Client, statements: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select indexrelid::regclass::text as name from pg_index where not indisvalid',
  )
  for (const { name } of rows) await client.query(`drop index concurrently ${name}`)
  for (const statement of statements) await client.query(statement)
}

/** @param sql statements that end with a semicolon at the end of a line */
function statementsOf(sql: string): string[] {
  return sql
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}
