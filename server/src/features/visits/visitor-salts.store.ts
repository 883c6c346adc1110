import { randomBytes } from 'node:crypto'
import type { Database } from '../../database/database.ts'

const SALT_BYTES = 32

export type VisitorSaltsStore = ReturnType<typeof createVisitorSaltsStore>

/** The only writer of `visitor_salts`. */
export function createVisitorSaltsStore(db: Database) {
  return {
    /** The salt of a day, shared by all processes; created on first use. */
    async of(day: string): Promise<Buffer> {
      await db
        .insertInto('visitor_salts')
        .values({ day, salt: randomBytes(SALT_BYTES) })
        .onConflict((conflict) => conflict.column('day').doNothing())
        .execute()
      const { salt } = await db
        .selectFrom('visitor_salts')
        .select('salt')
        .where('day', '=', day)
        .executeTakeFirstOrThrow()
      return salt
    },

    /** @returns the number of deleted salts */
    async removeBefore(day: string): Promise<number> {
      const removed = await db.deleteFrom('visitor_salts').where('day', '<', day).executeTakeFirst()
      return Number(removed.numDeletedRows)
    },
  }
}
