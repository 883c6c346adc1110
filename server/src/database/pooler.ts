import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { StartupError } from '../base/startup-error.ts'
import { withClient } from './client.ts'
import { reason } from './errors.ts'

/** The address of a pooler, with the account that the running server works as. */
export type Pooler = { url: string; keepsStatements: boolean }

/**
 * @param poolUrl the pooler's address
 * @param runtimeUrl the address without the pooler: the pooler is called as the same account
 * @throws StartupError when the pooler cannot be used
 */
export async function openPooler(poolUrl: string, runtimeUrl: string): Promise<Pooler> {
  const address = new URL(poolUrl)
  const { username, password } = new URL(runtimeUrl)
  address.username = username
  address.password = password
  // Poolers refuse options of the connection. The account has them.
  address.searchParams.delete('options')
  try {
    await checkTimeZone(address.href)
    const { keepsStatements } = await probeLine(address.href)
    return { url: address.href, keepsStatements }
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(
      `The pooler of DATABASE_POOL_URL cannot be used: ${reason(error)}. ` +
        `It must let the account ${username} in (in PgBouncer, by auth_query).`,
      { cause: error },
    )
  }
}

/** @throws StartupError when the address leads to a pooler that hands out connections by transaction */
export async function refusePooler(databaseUrl: string): Promise<void> {
  if ((await probeLine(databaseUrl)).keepsConnection) return
  throw new StartupError(
    'DATABASE_URL leads to a pooler that hands out connections by transaction. Notifications, jobs, and the lock ' +
      'for migrations need connections of their own: set DATABASE_URL to the address of PostgreSQL itself, and ' +
      'DATABASE_POOL_URL to that of the pooler.',
  )
}

/** Times are read as text in UTC. */
async function checkTimeZone(url: string): Promise<void> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ zone: string }>("select current_setting('TimeZone') as zone"),
  )
  const zone = rows[0]?.zone
  if (zone === 'UTC') return
  throw new StartupError(
    `Behind DATABASE_POOL_URL times are those of ${zone}: run "alter role … set timezone to 'UTC'" for its account.`,
  )
}

/** What an address of the database is like. */
type Line = {
  /** A client keeps its connection to PostgreSQL; false behind a pooler that hands them out by transaction. */
  keepsConnection: boolean
  /** A prepared statement can be executed in a later transaction. */
  keepsStatements: boolean
}

/** So many transactions are opened beside the one that is watched. */
const OTHERS = 5
const TIMEOUT_MS = 5_000

/**
 * Finds out whether an address leads to PostgreSQL itself or to a pooler that hands out connections by transaction: while
 * other transactions take the connections that are free, a client of such a pooler gets another one, without what it
 * prepared. PgBouncer prepares statements there again from version 1.21.
 *
 * @throws what pg throws when the database cannot be reached
 */
export async function probeLine(url: string): Promise<Line> {
  const clients: pg.Client[] = []
  async function connected(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    })
    client.on('error', () => {})
    clients.push(client)
    await client.connect()
    return client
  }
  try {
    const watched = await connected()
    const statement = { name: randomUUID(), text: 'select pg_backend_pid() as pid' }
    const first = await pidOf(watched, statement)
    while (clients.length <= OTHERS) {
      const other = await connected()
      await other.query('begin')
      await other.query('select 1')
      const pid = await pidOf(watched, statement)
      if (pid === null) return { keepsConnection: false, keepsStatements: false }
      if (pid !== first) return { keepsConnection: false, keepsStatements: true }
    }
    return { keepsConnection: true, keepsStatements: true }
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})))
  }
}

/** @returns null when the prepared statement is not known any more */
async function pidOf(client: pg.Client, statement: pg.QueryConfig): Promise<number | null> {
  try {
    const { rows } = await client.query<{ pid: number }>(statement)
    return rows[0]?.pid ?? null
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '26000') return null
    throw error
  }
}
