import pg from 'pg'
import { databaseName } from './cluster.ts'

/** The port and the password of PostgreSQL. */
type ConnectionParams = { port: number; password: string }

/** The URL of the application's database. */
export function urlOf({ port, password }: ConnectionParams): string {
  return `postgres://${databaseName}:${encodeURIComponent(password)}@127.0.0.1:${port}/${databaseName}`
}

/**
 * Opens a connection for the supervision of PostgreSQL. It uses the database `postgres`, so that it does not block
 * copying or dropping the application's database.
 */
export async function openSession({ port, password }: ConnectionParams): Promise<pg.Client> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: databaseName,
    password,
    database: 'postgres',
    application_name: 'bancone lifecycle',
    connectionTimeoutMillis: 5_000,
  })
  // PostgreSQL may stop at any time; pending queries get the error anyway.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}

/** Whether PostgreSQL runs but does not accept connections: it is starting, stopping, or has no free connection. */
export function isBusy(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(57P0[123]|53300)$/.test(error.code ?? '')
}

/** Creates the application's database if it does not exist. */
export async function createDatabase(connection: ConnectionParams): Promise<void> {
  const client = await openSession(connection)
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [
      databaseName,
    ])
    if (rowCount === 0) await client.query(`create database ${databaseName}`)
  } finally {
    await client.end()
  }
}

const LOCK = 4_201_002

/** An advisory lock that shows other Bancone servers that this one is alive. It is released when this process ends. */
export type OwnerLock = {
  /** Resolves when the connection that holds the lock has ended, for any reason. */
  lost: Promise<void>
  release(): Promise<void>
}

/** Takes the lock of a running PostgreSQL; undefined when another server holds it. */
export async function takeOwnerLock(connection: ConnectionParams): Promise<OwnerLock | undefined> {
  const client = await openSession(connection)
  const lost = new Promise<void>((resolve) => {
    client.once('end', () => resolve())
    client.once('error', () => resolve())
  })
  const { rows } = await client
    .query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK])
    .catch(async (error: unknown) => {
      await client.end().catch(() => {})
      throw error
    })
  const release = () => client.end().catch(() => {})
  if (rows[0]?.taken) return { lost, release }
  await release()
  return undefined
}

/** Whether a server holds the lock. Does not take the lock. */
export async function isOwnerLockHeld(connection: ConnectionParams): Promise<boolean> {
  const client = await openSession(connection)
  try {
    const { rowCount } = await client.query(
      `select from pg_locks
       where locktype = 'advisory' and classid = 0 and objid = $1 and objsubid = 1 and granted`,
      [LOCK],
    )
    return rowCount === 1
  } finally {
    await client.end().catch(() => {})
  }
}
