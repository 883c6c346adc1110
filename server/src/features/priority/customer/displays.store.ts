import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'

export type DisplayLinksStore = ReturnType<typeof createDisplayLinksStore>

/** The screens in the room, as they are opened. */
export function createDisplayLinksStore(db: Database) {
  return {
    async byToken(tokenHash: Buffer): Promise<{ id: string; pharmacyId: string } | undefined> {
      const row = await db
        .selectFrom('priority_displays')
        .select(['id', 'pharmacy_id'])
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst()
      return row && { id: row.id, pharmacyId: row.pharmacy_id }
    },

    /** Notes that the displays are open, accurate to the minute. @returns those that still exist */
    async markSeen(ids: readonly string[]): Promise<ReadonlySet<string>> {
      if (ids.length === 0) return new Set()
      await db
        .updateTable('priority_displays')
        .set({ last_seen_at: sql`now()` })
        .where('id', 'in', ids)
        .where((is) =>
          is.or([
            is('last_seen_at', 'is', null),
            is('last_seen_at', '<', sql<string>`now() - interval '1 minute'`),
          ]),
        )
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
