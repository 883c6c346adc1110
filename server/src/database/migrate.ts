import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { StartupError } from '../startup-error.ts'

/** In the sources beside this file, in the build beside the bundle. */
export const migrationsFolder = fileURLToPath(new URL('./migrations/', import.meta.url))

type Log = { info(details: object, message: string): void }

/**
 * Applies the numbered SQL files that have not been applied yet, each in its own transaction. The caller holds the start
 * lock: see `prepareDatabase`.
 *
 * @throws StartupError if a newer version has migrated the database
 */
export async function migrate(
  client: pg.Client,
  log: Log,
  folder = migrationsFolder,
): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
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
  for (const name of files.filter((file) => !done.has(file))) {
    const sql = await readFile(`${folder}/${name}`, 'utf8')
    await client.query(
      `begin;\n${sql}\n;insert into schema_migrations (name) values (${client.escapeLiteral(name)}); commit`,
    )
    log.info({ migration: name }, 'database migrated')
  }
}
