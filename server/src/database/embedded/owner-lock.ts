import { type ConnectionParams, openSession } from './session.ts'

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
