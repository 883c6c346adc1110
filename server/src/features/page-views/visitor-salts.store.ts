import { randomBytes } from 'node:crypto'
import { type Day, endOfDay } from '@bancone/contract/dates'
import type { Database } from '../../database/database.ts'
import { enqueue } from '../../platform/jobs.ts'

const SALT_BYTES = 32

/** How long the salt of a day outlives it, in milliseconds, so that a running visit goes on over midnight. */
export const SALT_REMAINS_MS = 30 * 60_000

export const PAST_SALTS_TASK = 'page-views.salts'

export type VisitorSaltsStore = ReturnType<typeof createVisitorSaltsStore>

/** The only writer of `visitor_salts`. */
export function createVisitorSaltsStore(db: Database) {
  async function find(day: Day): Promise<Buffer | null> {
    const row = await db
      .selectFrom('visitor_salts')
      .select('salt')
      .where('day', '=', day)
      .executeTakeFirst()
    return row?.salt ?? null
  }

  return {
    find,

    /** The salt of today, shared by all processes; created on first use, together with the job that removes it. */
    async ofToday(day: Day, now: number): Promise<Buffer> {
      const known = await find(day)
      if (known) return known
      await db.transaction().execute(async (tx) => {
        const { numInsertedOrUpdatedRows: added } = await tx
          .insertInto('visitor_salts')
          .values({ day, salt: randomBytes(SALT_BYTES) })
          .onConflict((conflict) => conflict.column('day').doNothing())
          .executeTakeFirst()
        if (!added) return
        // A second later, because the clocks of the job queue and of this process may differ.
        const delaySeconds = (endOfDay(day) + SALT_REMAINS_MS - now) / 1_000 + 1
        await enqueue(tx, PAST_SALTS_TASK, {}, { key: `${PAST_SALTS_TASK}:${day}`, delaySeconds })
      })
      const made = await find(day)
      if (!made) throw new Error('the salt of today is gone')
      return made
    },

    /** @returns the number of deleted salts */
    async removeBefore(day: Day): Promise<number> {
      const removed = await db.deleteFrom('visitor_salts').where('day', '<', day).executeTakeFirst()
      return Number(removed.numDeletedRows)
    },
  }
}
