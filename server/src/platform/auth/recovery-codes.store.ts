import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

/** The only writer of `auth_recovery_codes`. */
export function createRecoveryCodesStore(db: Database) {
  const store = {
    /** `created_at`: ISO 8601; null when there are no codes. */
    count(userId: string) {
      return db
        .selectFrom('auth_recovery_codes')
        .select([
          sql<number>`count(*)::int`.as('total'),
          sql<number>`(count(*) filter (where used_at is null))::int`.as('remaining'),
          sql<string | null>`max(created_at)`.as('created_at'),
        ])
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
    },

    /** Replaces all codes. @param at ISO 8601 */
    async replace(userId: string, hashes: readonly Buffer[], at: string): Promise<void> {
      await store.deleteOfUser(userId)
      await db
        .insertInto('auth_recovery_codes')
        .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash, created_at: at })))
        .execute()
    },

    /** Marks the code as used. @returns whether it was unused: of two concurrent calls one gets true */
    async consume(userId: string, hash: Buffer, at: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('auth_recovery_codes')
        .set({ used_at: at })
        .where('user_id', '=', userId)
        .where('code_hash', '=', hash)
        .where('used_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows === 1n
    },

    async deleteOfUser(userId: string): Promise<void> {
      await db.deleteFrom('auth_recovery_codes').where('user_id', '=', userId).execute()
    },
  }
  return store
}
