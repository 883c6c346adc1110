import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { StartupError } from '../base/startup-error.ts'
import type { Log } from '../ports/log.ts'

/** In the sources beside this file, in the build beside the bundle. */
const folders = {
  /** The present schema, in files by area. */
  schema: fileURLToPath(new URL('./schema/', import.meta.url)),
  /** What changes a database that an earlier release has made. */
  migrations: fileURLToPath(new URL('./migrations/', import.meta.url)),
}

/** A file with this ending has statements that PostgreSQL does not run in a transaction. */
const CONCURRENT = '.concurrent.sql'

/** How the row of `schema_migrations` begins that names the schema files of a database. */
const SCHEMA = 'schema '

/**
 * A migration that waits for a lock makes all later readers and writers of the table wait behind it. After so many
 * milliseconds it gives way, and is tried again.
 */
const LOCK_TIMEOUT_MS = 2_000
const PAUSE_MS = 1_000
const MAX_TRIES = 100

/**
 * Makes a new database from the schema files, or applies the numbered migrations that have not been applied yet, each in
 * its own transaction (but see CONCURRENT). The caller holds the start lock: see `prepareDatabase`.
 *
 * @throws StartupError if a newer or a development version has made the database, or if a table stays locked
 */
export async function migrate(
  client: pg.Client,
  log: Pick<Log, 'info'>,
  { schema = folders.schema, migrations = folders.migrations } = {},
): Promise<void> {
  const names = await sqlFilesOf(migrations)
  const present = await readSchema(schema)
  const applied = await readApplied(client)
  if (applied === null) {
    const rows = [present.name, ...names].map((name) => `(${client.escapeLiteral(name)})`)
    await runTogether(
      client,
      `set local check_function_bodies = off;
       ${present.sql}; insert into schema_migrations (name) values ${rows.join()}`,
    )
    return
  }
  if (isOfDevelopment(applied, names, present.name)) {
    throw new StartupError(
      'The database was made by a development version of Bancone with another schema. Export it with that version ' +
        '(npm run export), and import it with this one into a new DATA_DIR or an empty database (npm run import).',
    )
  }
  const unknown = migrationsAmong(applied).find((name) => !names.includes(name))
  if (unknown) {
    throw new StartupError(
      `The database is newer than this version of Bancone (it has ${unknown}): start that version.`,
    )
  }
  await client.query(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
  for (const name of names.filter((each) => !applied.includes(each))) {
    const sql = await readFile(join(migrations, name), 'utf8')
    const record = `insert into schema_migrations (name) values (${client.escapeLiteral(name)})`
    await givingWay(name, log, async () => {
      if (name.endsWith(CONCURRENT)) await runOneByOne(client, [...statementsOf(sql), record])
      else await runTogether(client, `${sql}\n;${record}`)
    })
    log.info({ migration: name }, 'database migrated')
  }
  await client.query('reset lock_timeout')
}

/** Whether a database has the schema of this version. */
export async function isOfThisVersion(client: pg.Client): Promise<boolean> {
  const names = await sqlFilesOf(folders.migrations)
  const applied = (await readApplied(client)) ?? []
  const { name } = await readSchema(folders.schema)
  return !isOfDevelopment(applied, names, name) && migrationsAmong(applied).join() === names.join()
}

/** The migrations that were applied, or that the schema of the database has had from the beginning. */
export async function appliedMigrations(client: pg.Client): Promise<string[]> {
  return migrationsAmong((await readApplied(client)) ?? [])
}

function migrationsAmong(applied: readonly string[]): string[] {
  return applied.filter((name) => !name.startsWith(SCHEMA))
}

/** Before the first release there are no migrations: a database has exactly these schema files, or others. */
function isOfDevelopment(
  applied: readonly string[],
  names: readonly string[],
  present: string,
): boolean {
  const made = applied.find((name) => name.startsWith(SCHEMA))
  return made === undefined || (names.length === 0 && made !== present)
}

/** The names in `schema_migrations`; null in a new database. */
async function readApplied(client: pg.Client): Promise<string[] | null> {
  const { rows: found } = await client.query<{ made: boolean }>(
    "select to_regclass('public.schema_migrations') is not null as made",
  )
  if (!found[0]?.made) return null
  const { rows } = await client.query<{ name: string }>(
    'select name from schema_migrations order by name',
  )
  return rows.map(({ name }) => name)
}

/** The schema files as one, and a name made from the hash of their statements. */
async function readSchema(folder: string) {
  const files = await sqlFilesOf(folder)
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  const sql = texts.join('\n')
  const statements = sql.replace(/--.*$/gm, '').replace(/\s+/g, ' ')
  const hash = createHash('sha256').update(statements).digest('hex')
  return { sql, name: `${SCHEMA}${hash.slice(0, 16)}` }
}

async function sqlFilesOf(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
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
