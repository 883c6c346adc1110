import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { connectDatabase, type DatabaseConnection } from './database.ts'
import { reason } from './reachable.ts'
import type { DB } from './schema.gen.ts'

/** Most connections of a process to the replica. */
const MAX_CONNECTIONS = 5
/** For so long a report waits until the replica has what was committed before. */
const REPLAY_MS = 500
const REPLAY_STEP_MS = 10
/** For so long a replica that is behind, or has failed, is left alone. */
const PAUSE_MS = 10_000

type Log = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

type Replica = Required<Pick<DatabaseConnection, 'reports' | 'isReplicaUsed' | 'close'>>

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
  log: Log,
): Promise<Replica> {
  const address = new URL(url)
  const { username, password } = new URL(runtime.url)
  address.username = username
  address.password = password
  const replica = connectDatabase(address.href, { max: MAX_CONNECTIONS })
  try {
    await refuseOther(replica.pool, runtime.pool, log)
  } catch (error) {
    await replica.close()
    throw error
  }
  return readFrom(replica, runtime.pool, log)
}

function readFrom(replica: DatabaseConnection, primary: pg.Pool, log: Log): Replica {
  let pausedUntil = 0
  let isUsed = true

  function use(isReplica: boolean, why = '') {
    if (!isReplica) pausedUntil = Date.now() + PAUSE_MS
    if (isReplica === isUsed) return
    isUsed = isReplica
    if (isUsed) log.info({}, 'reports are read from the replica again')
    else log.warn({ why }, 'reports are read from the primary for now')
  }

  async function connect(): Promise<pg.PoolClient> {
    if (Date.now() < pausedUntil) return primary.connect()
    const position = await flushedPosition(primary)
    let client: pg.PoolClient | undefined
    try {
      client = await replica.pool.connect()
      if (await replays(client, position)) {
        use(true)
        return client
      }
      client.release()
      use(false, 'the replica is behind, or is none any more')
    } catch (error) {
      client?.release(true)
      use(false, reason(error))
    }
    return primary.connect()
  }

  const reports = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: { connect, end: async () => {} } }),
  })
  return { reports, isReplicaUsed: () => isUsed, close: replica.close }
}

/** Everything that was acknowledged is before it. */
async function flushedPosition(primary: pg.Pool): Promise<string> {
  const { rows } = await primary.query<{ position: string }>(
    'select pg_current_wal_flush_lsn()::text as position',
  )
  return rows[0]?.position ?? ''
}

/** Waits until a replica has replayed up to the position. @returns false when that takes too long, or it is no replica */
async function replays(client: pg.PoolClient, position: string): Promise<boolean> {
  for (let waited = 0; ; waited += REPLAY_STEP_MS) {
    const { rows } = await client.query<{ has: boolean | null }>(
      'select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() >= $1::pg_lsn end as has',
      [position],
    )
    const has = rows[0]?.has ?? null
    if (has !== false) return has === true
    if (waited >= REPLAY_MS) return false
    await new Promise((resolve) => setTimeout(resolve, REPLAY_STEP_MS))
  }
}

/** A replica has the same identifier as its primary. One that cannot be reached is looked for again later. */
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

/** With the name of the database, of which a cluster may have several. */
async function systemOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ system: string }>(
    "select system_identifier || ' ' || current_database() as system from pg_control_system()",
  )
  return rows[0]?.system ?? ''
}
