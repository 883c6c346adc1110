import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { connectDatabase, type DatabaseConnection } from './database.ts'
import type { WatchStatement } from './prepared-client.ts'
import { reason } from './reachable.ts'
import type { DB } from './schema.gen.ts'

/** Most connections of a process to the replica. */
const MAX_CONNECTIONS = 5
/** For so long a report waits until the replica has what was committed before. */
const REPLAY_MS = 500
const REPLAY_STEP_MS = 10
/** For so long a connection, or a question to the replica, may take. */
const TIMEOUT_MS = 1_000
/** For so long a replica that is behind, or has failed, is left alone. */
const PAUSE_MS = 10_000

type Log = Record<'info' | 'warn', (details: object, message: string) => void>

type Replica = Required<Pick<DatabaseConnection, 'reports' | 'readsReplica' | 'close'>>

/** A moment of the primary: everything that was acknowledged is before it. */
type Moment = { position: string; timeline: string; system: string }

/** The identifier of the cluster, and the name of the database, of which a cluster may have several. */
const SYSTEM = "(select system_identifier from pg_control_system()) || ' ' || current_database()"

/**
 * Reads reports from a replica, and from the primary as long as the replica is behind or cannot be reached. A report has
 * everything that was committed when it began.
 *
 * @param url the replica's address
 * @param runtime the connection with the primary: the replica is read as the same account
 * @throws StartupError when the address leads to another database
 */
export async function openReplica(
  url: string,
  runtime: Pick<DatabaseConnection, 'url' | 'pool'>,
  { log, watch }: { log: Log; watch?: WatchStatement | undefined },
): Promise<Replica> {
  const address = new URL(url)
  const { username, password } = new URL(runtime.url)
  address.username = username
  address.password = password
  const options = { max: MAX_CONNECTIONS, connectionTimeoutMs: TIMEOUT_MS, watch }
  const replica = connectDatabase(address.href, options)
  try {
    await refuseOther(replica.pool, runtime.pool, log)
  } catch (error) {
    await replica.close()
    throw error
  }
  return readFrom(replica, runtime.pool, log)
}

function readFrom(replica: DatabaseConnection, primary: pg.Pool, log: Log): Replica {
  const { pool } = replica
  let pausedUntil = 0
  let isRead = true
  const isPaused = () => Date.now() < pausedUntil

  function read(isReplica: boolean, why = '') {
    if (!isReplica) pausedUntil = Date.now() + PAUSE_MS
    // Another connection may have failed since this one was begun.
    if (isReplica === isRead || (isReplica && isPaused())) return
    isRead = isReplica
    if (isRead) log.info({}, 'reports are read from the replica again')
    else log.warn({ why }, 'reports are read from the primary for now')
  }

  /** @returns undefined when the primary is to be read */
  async function connectReplica(): Promise<pg.PoolClient | undefined> {
    if (isPaused()) return undefined
    const moment = await momentOf(primary)
    // Nothing is awaited between this and the connection.
    if (pool.totalCount - pool.idleCount + pool.waitingCount >= MAX_CONNECTIONS) return undefined
    let client: pg.PoolClient | undefined
    try {
      client = await pool.connect()
      if (await has(client, moment)) {
        read(true)
        return client
      }
      client.release()
      read(false, 'it is behind, or no replica of this database any more')
    } catch (error) {
      client?.release(true)
      read(false, reason(error))
    }
    return undefined
  }

  async function connect(): Promise<pg.PoolClient> {
    return (await connectReplica()) ?? primary.connect()
  }

  const reports = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: { connect, end: async () => {} } }),
  })
  return {
    reports,
    async readsReplica() {
      const client = await connectReplica()
      client?.release()
      return client !== undefined
    },
    close: replica.close,
  }
}

async function momentOf(primary: pg.Pool): Promise<Moment> {
  const { rows } = await primary.query<Moment>(
    `select position::text, left(pg_walfile_name(position), 8) as timeline, ${SYSTEM} as system
     from pg_current_wal_flush_lsn() as position`,
  )
  const [moment] = rows
  if (!moment) throw new Error('the database has no position')
  return moment
}

/**
 * Waits until a replica has replayed up to the moment. One with another history, from before a restore or a failover, may
 * be further and never has it.
 *
 * @returns false when that takes too long, or it is no replica of the same database
 * @throws what pg throws when the replica does not answer
 */
async function has(client: pg.PoolClient, { position, timeline, system }: Moment) {
  const began = performance.now()
  for (;;) {
    const question = {
      text: `select pg_last_wal_replay_lsn() >= $1::pg_lsn as is_there,
          pg_is_in_recovery() and ${SYSTEM} = $3
          and upper(lpad(to_hex(timeline_id), 8, '0')) = $2 as is_replica
        from pg_control_checkpoint()`,
      values: [position, timeline, system],
      query_timeout: TIMEOUT_MS,
    }
    const { rows } = await client.query<{ is_there: boolean; is_replica: boolean }>(question)
    const [state] = rows
    if (!state?.is_replica || state.is_there) return state?.is_replica === true
    if (performance.now() - began >= REPLAY_MS) return false
    await new Promise((resolve) => setTimeout(resolve, REPLAY_STEP_MS))
  }
}

/** One that cannot be reached is asked again by every report. */
async function refuseOther(replica: pg.Pool, primary: pg.Pool, log: Log): Promise<void> {
  const own = await systemOf(primary)
  let other: string
  try {
    other = await systemOf(replica)
  } catch (error) {
    log.warn({ why: reason(error) }, 'the replica of DATABASE_REPLICA_URL cannot be reached')
    return
  }
  if (own === other) return
  throw new StartupError(
    'DATABASE_REPLICA_URL leads to another database than a replica of that of DATABASE_URL: reports would be of other pharmacies.',
  )
}

async function systemOf(pool: pg.Pool): Promise<string> {
  const question = { text: `select ${SYSTEM} as system`, query_timeout: TIMEOUT_MS }
  const { rows } = await pool.query<{ system: string }>(question)
  return rows[0]?.system ?? ''
}
