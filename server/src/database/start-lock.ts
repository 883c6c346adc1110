import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '../base/startup-error.ts'
import { withClient } from './client.ts'

const LOCK = 4_201_001
const RETRY_MS = 100

/** A connection of the account that owns the schema. */
export type OwnerConnection = pg.Client

/**
 * Runs `work` while no other process prepares the same database. It holds a session-level advisory lock, which is
 * released even if the process is killed.
 *
 * @throws StartupError when the database account lacks a privilege
 */
export async function withStartLock<T>(
  url: string,
  work: (client: OwnerConnection) => Promise<T>,
): Promise<T> {
  try {
    return await withClient(url, async (client) => {
      while (!(await tryLock(client))) await pause(RETRY_MS)
      return work(client)
    })
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42501') {
      throw new StartupError(
        `The account of DATABASE_URL may not prepare the database (${error.message}): ` +
          'let it own the database, or grant it CREATE on the database and on the schema public.',
        { cause: error },
      )
    }
    throw error
  }
}

/** A statement that waited for the lock would be waited for by an index that is built concurrently under it. */
async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    'select pg_try_advisory_lock($1) as taken',
    [LOCK],
  )
  return rows[0]?.taken === true
}
