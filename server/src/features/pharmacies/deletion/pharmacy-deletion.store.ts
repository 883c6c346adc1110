import { RESTORE_DAYS } from '@bancone/contract/pharmacy-deletion'
import { sql } from 'kysely'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'

export type PharmacyDeletionStore = ReturnType<typeof createPharmacyDeletionStore>

/** Deleted pharmacies: the writer of `pharmacies.deleted_at`, besides its deletion. */
export function createPharmacyDeletionStore(db: Database) {
  return {
    /** By the time of their deletion, newest first. */
    async deleted() {
      return db
        .selectFrom('pharmacies')
        .select(['id', 'pharmacy_id as code', 'name', 'email'])
        .select(sql<string>`deleted_at`.as('deletedAt'))
        .select(
          sql<number>`greatest(0, ceil(extract(epoch from
            deleted_at + make_interval(days => ${RESTORE_DAYS}) - now()) / 86400))::integer`.as(
            'daysLeft',
          ),
        )
        .where('deleted_at', 'is not', null)
        .orderBy('deleted_at', 'desc')
        .orderBy('id')
        .execute()
    },

    /**
     * The code of a pharmacy, locked until the end of the transaction.
     *
     * @throws AppError `pharmacies.not_found`
     */
    async lockCode(pharmacyId: string, tx: Database): Promise<string> {
      const row = await tx
        .selectFrom('pharmacies')
        .select('pharmacy_id')
        .where('id', '=', pharmacyId)
        .forUpdate()
        .executeTakeFirstOrThrow(() => new AppError('pharmacies.not_found'))
      return row.pharmacy_id
    },

    /** Deletes a pharmacy that a restored database still has; nothing when there is none. */
    async markDeleted(pharmacyId: string): Promise<void> {
      await db
        .updateTable('pharmacies')
        .set({ deleted_at: sql<string>`now()` })
        .where('id', '=', pharmacyId)
        .where('deleted_at', 'is', null)
        .execute()
    },

    /**
     * Makes the pharmacy as it was; `updated_at` is not changed.
     *
     * @returns false when the pharmacy is not deleted
     */
    async restore(pharmacyId: string, tx: Database): Promise<boolean> {
      const { numUpdatedRows } = await tx
        .updateTable('pharmacies')
        .set({ deleted_at: null, deleted_by: null })
        .where('id', '=', pharmacyId)
        .where('deleted_at', 'is not', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
