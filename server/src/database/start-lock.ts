import pg from 'pg'
import { StartupError } from '../startup-error.ts'

const LOCK = 4_201_001

/**
 * Does what prepares a database while no other process does the same (an advisory lock of a session,
 * so that a killed one lets go of it).
 *
 * @throws StartupError when the account may not do what is needed
 */
export async function withStartLock<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  // A connection that breaks fails the query that is under way.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    return await work(client)
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === '42501') {
      throw new StartupError(
        `The account of DATABASE_URL may not prepare the database (${error.message}): ` +
          'let it own the database, or grant it CREATE on the database and on the schema public.',
        { cause: error },
      )
    }
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}
