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
