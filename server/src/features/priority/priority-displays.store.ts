import { MAX_DISPLAYS, type PriorityDisplay } from '@bancone/contract/priority'
import { sql } from 'kysely'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { lockPharmacy, requireRoom } from '../../database/row-limit.ts'
import { createAudit } from '../../platform/audit.ts'

const columns = ['id', 'name', 'created_at as createdAt', 'last_seen_at as lastSeenAt'] as const

export type PriorityDisplaysStore = ReturnType<typeof createPriorityDisplaysStore>

/** The screens in the room: as owners administer them, and as they are opened. */
export function createPriorityDisplaysStore(db: Database) {
  const audit = createAudit(db)
  return {
    /** Newest first. */
    list(pharmacyId: string): Promise<PriorityDisplay[]> {
      return db
        .selectFrom('priority_displays')
        .select(columns)
        .where('pharmacy_id', '=', pharmacyId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute()
    },

    /** @throws AppError `priority.too_many_displays` */
    insert(pharmacyId: string, name: string, tokenHash: Buffer): Promise<PriorityDisplay> {
      return db.transaction().execute(async (tx) => {
        // Serialized by a lock, or concurrent inserts would exceed the limit.
        await lockPharmacy(tx, pharmacyId)
        await requireRoom({
          rows: tx.selectFrom('priority_displays').where('pharmacy_id', '=', pharmacyId),
          max: MAX_DISPLAYS,
          code: 'priority.too_many_displays',
        })
        const display = await tx
          .insertInto('priority_displays')
          .values({ pharmacy_id: pharmacyId, name, token_hash: tokenHash })
          .returning(columns)
          .executeTakeFirstOrThrow()
        await audit.recordChange(tx, {
          action: 'priority_display_added',
          pharmacyId,
          target: { type: 'display', id: display.id },
          after: { name },
        })
        return display
      })
    },

    /** @throws AppError `priority.display_not_found` */
    remove(pharmacyId: string, displayId: string): Promise<void> {
      return db.transaction().execute(async (tx) => {
        const row = await tx
          .deleteFrom('priority_displays')
          .where('id', '=', displayId)
          .where('pharmacy_id', '=', pharmacyId)
          .returning('name')
          .executeTakeFirstOrThrow(() => new AppError('priority.display_not_found'))
        await audit.recordChange(tx, {
          action: 'priority_display_removed',
          pharmacyId,
          target: { type: 'display', id: displayId },
          before: { name: row.name },
        })
      })
    },

    async byToken(tokenHash: Buffer): Promise<{ id: string; pharmacyId: string } | undefined> {
      return db
        .selectFrom('priority_displays')
        .select(['id', 'pharmacy_id as pharmacyId'])
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst()
    },

    /** Notes that the displays are open, accurate to the minute. @returns those that still exist */
    async markSeen(ids: readonly string[]): Promise<ReadonlySet<string>> {
      if (ids.length === 0) return new Set()
      await db
        .updateTable('priority_displays')
        .set({ last_seen_at: sql`now()` })
        .where('id', 'in', ids)
        .where(sql<boolean>`coalesce(last_seen_at, '-infinity') < now() - interval '1 minute'`)
        .execute()
      const rows = await db
        .selectFrom('priority_displays')
        .select('id')
        .where('id', 'in', ids)
        .execute()
      return new Set(rows.map(({ id }) => id))
    },
  }
}
