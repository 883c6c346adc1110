import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { connectDatabase, type DatabaseConnection } from '../src/database/database.ts'
import { atEnd } from './at-end.ts'

/** Connected as the owner, so that a test may do what the server may not. */
export type TestDatabase = DatabaseConnection & {
  /** The address for the role that the running server works as. */
  runtimeUrl: string
}

/** A migrated, empty database for the test file, dropped at its end. */
export async function testDatabase(): Promise<TestDatabase> {
  const template = new URL(inject('databaseUrl')).pathname.slice(1)
  // Copying the files takes half the processor time of writing them to the log.
  const { url } = await emptyDatabase(`template ${template} strategy file_copy`)
  const connection = connectDatabase(url, { max: 5 })
  atEnd(connection.close)
  const runtimeUrl = new URL(inject('runtimeUrl'))
  runtimeUrl.pathname = new URL(url).pathname
  return { ...connection, runtimeUrl: runtimeUrl.href }
}

/** A database without tables, dropped at the end of the test file. */
export async function emptyDatabase(made = ''): Promise<{ url: string }> {
  const url = new URL(inject('databaseUrl'))
  const name = `test_${randomBytes(6).toString('hex')}`
  await inPostgres(url, `create database ${name} ${made}`)
  url.pathname = `/${name}`
  atEnd(() => dropDatabase(url.href))
  return { url: url.href }
}

/** Drops a database, with its open connections. */
export async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await inPostgres(new URL(url), `drop database if exists ${name} with (force)`)
}

async function inPostgres(template: URL, statement: string): Promise<void> {
  const url = new URL(template)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
