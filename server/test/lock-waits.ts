import type pg from 'pg'
import { vi } from 'vitest'

/** Resolves when that many statements of the database wait for a lock of another one. */
export async function untilBlocked(pool: pg.Pool, statements = 1): Promise<void> {
  const isBlocked = async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database()`,
    )
    return Number(rowCount) >= statements
  }
  await vi.waitUntil(isBlocked, { timeout: 20_000, interval: 20 })
}
