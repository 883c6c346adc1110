import pg from 'pg'
import { databaseName } from './first-start.ts'

/** Where PostgreSQL listens and what it asks for. */
export type Access = { port: number; password: string }

/** The address for everybody else. */
export function urlOf({ port, password }: Access): string {
  return `postgres://${databaseName}:${encodeURIComponent(password)}@127.0.0.1:${port}/${databaseName}`
}

/**
 * A connection for looking after PostgreSQL itself. It is to the database `postgres`, so that
 * nobody who copies or drops ours finds it in use.
 */
export async function openSession({ port, password }: Access): Promise<pg.Client> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: databaseName,
    password,
    database: 'postgres',
    application_name: 'bancone lifecycle',
    connectionTimeoutMillis: 5_000,
  })
  // PostgreSQL may go at any time; who waits for an answer gets the error anyway.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** PostgreSQL is there and cannot serve yet, or no longer: starting, stopping, or full. */
export function isBusy(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(57P0[123]|53300)$/.test(error.code ?? '')
}

export async function makeDatabase(access: Access): Promise<void> {
  const client = await openSession(access)
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      databaseName,
    ])
    if (rowCount === 0) await client.query(`create database ${databaseName}`)
  } finally {
    await client.end()
  }
}
