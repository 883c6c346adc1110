import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { createSingleFlight } from '../../platform/cache.ts'

/** Rows of each queue that are folded by one statement. */
const BATCH = 5_000

/** So that a fold ends although visits keep coming. */
const MAX_BATCHES = 20

/** Adds what is queued to the figures. Concurrent callers share a fold that has not begun. */
export function createFold(db: Database): () => Promise<void> {
  const flights = createSingleFlight<void>()
  const fold = async () => {
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const { rows } = await sql<{ rows: number }>`
        select fold_analytics(${BATCH}) as rows`.execute(db)
      if ((rows[0]?.rows ?? 0) < BATCH) return
    }
  }
  return () => flights.run('fold', fold)
}
