import { type Access, openSession } from './session.ts'

const LOCK = 4_201_002

/** Shows to every other Bancone server that ours is alive: it is gone the moment we are. */
export type OwnerLock = {
  /** Settles when the connection that holds the lock has ended, for whatever reason. */
  lost: Promise<void>
  release(): Promise<void>
}

/** Takes the lock of a running PostgreSQL; undefined when another server holds it. */
export async function takeOwnerLock(access: Access): Promise<OwnerLock | undefined> {
  const client = await openSession(access)
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

/** True when a server holds the lock; asked without touching it. */
export async function isOwnerLockHeld(access: Access): Promise<boolean> {
  const client = await openSession(access)
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
