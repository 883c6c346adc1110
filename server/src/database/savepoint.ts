import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Does work in a savepoint of a transaction, so that the transaction goes on when the work fails. */
export async function inSavepoint(tx: Database, work: () => Promise<unknown>): Promise<void> {
  await sql`savepoint work`.execute(tx)
  try {
    await work()
  } catch (error) {
    await sql`rollback to savepoint work`.execute(tx)
    throw error
  }
  await sql`release savepoint work`.execute(tx)
}
