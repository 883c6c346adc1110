import { type AnalyticsNote, MAX_NOTES } from '@bancone/contract/analytics-notes'
import type { Day } from '@bancone/contract/dates'
import { sql } from 'kysely'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { lockPharmacy, requireRoom } from '../../database/row-limit.ts'
import { createAudit } from '../../platform/audit.ts'
import type { Days } from './analytics-buckets.store.ts'

/** What happened to offers on a day. `name`: that of one of them, null where it is gone. */
export type OfferChanges = {
  day: Day
  kind: 'published' | 'price'
  offers: number
  name: string | null
}

type NoteInput = { day: Day; text: string }

export type NotesStore = ReturnType<typeof createNotesStore>

/** The only writer of `analytics_notes`. */
export function createNotesStore(db: Database) {
  const audit = createAudit(db)

  return {
    /** The notes of the pharmacy, by day. */
    async list(pharmacyId: string, { from, to }: Days): Promise<AnalyticsNote[]> {
      const rows = await db
        .selectFrom('analytics_notes')
        .select(['id', 'date as day', 'text'])
        .where('pharmacy_id', '=', pharmacyId)
        .where('date', '>=', from)
        .where('date', '<=', to)
        .orderBy('date')
        .orderBy('created_at')
        .execute()
      return rows.map((row) => ({ ...row, kind: 'own' }))
    },

    /**
     * The days on which offers were published for the first time, and on which the price of one changed that had been
     * published before. Offers that are gone count, too: their terms are kept.
     */
    async offerChanges(pharmacyId: string, { from, to }: Days): Promise<OfferChanges[]> {
      const { rows } = await sql<OfferChanges>`
        with term as (
          select offer_id, offer_price, greatest(start_date, rome_day(from_at)) as day, from_at,
            lag(offer_price) over (partition by offer_id order by from_at) as before
          from offer_price_terms
          where pharmacy_id = ${pharmacyId} and is_active
            -- The terms were in force on a day on which the offer is shown.
            and greatest(start_date, rome_day(from_at)) <=
              least(coalesce(end_date, 'infinity'), coalesce(rome_day(to_at), 'infinity'))
        ), change as (
          select offer_id, min(day) as day, 'published' as kind from term group by offer_id
          union
          select offer_id, day, 'price' from term where offer_price <> before
        )
        select change.day, change.kind, count(*)::integer as offers, min(offer.product_name) as name
        from change left join product_offers as offer on offer.id = change.offer_id
        where change.day between ${from} and ${to}
        group by change.day, change.kind order by change.day, change.kind desc`.execute(db)
      return rows
    },

    /** @throws AppError `analytics.too_many_notes` */
    add(pharmacyId: string, { day, text }: NoteInput): Promise<AnalyticsNote> {
      return db.transaction().execute(async (tx) => {
        // Serialized, so that concurrent requests respect the limit.
        await lockPharmacy(tx, pharmacyId)
        await requireRoom({
          rows: tx.selectFrom('analytics_notes').where('pharmacy_id', '=', pharmacyId),
          max: MAX_NOTES,
          code: 'analytics.too_many_notes',
        })
        const row = await tx
          .insertInto('analytics_notes')
          .values({ pharmacy_id: pharmacyId, date: day, text })
          .returning(['id', 'date as day', 'text'])
          .executeTakeFirstOrThrow()
        await record(tx, 'analytics_note_added', pharmacyId, row.id)
        return { ...row, kind: 'own' }
      })
    },

    /** @throws AppError `analytics.note_not_found` */
    change(pharmacyId: string, id: string, { day, text }: NoteInput): Promise<AnalyticsNote> {
      return db.transaction().execute(async (tx) => {
        const row = await tx
          .updateTable('analytics_notes')
          .set({ date: day, text })
          .where('id', '=', id)
          .where('pharmacy_id', '=', pharmacyId)
          .returning(['id', 'date as day', 'text'])
          .executeTakeFirstOrThrow(() => new AppError('analytics.note_not_found'))
        await record(tx, 'analytics_note_changed', pharmacyId, id)
        return { ...row, kind: 'own' }
      })
    },

    /** @throws AppError `analytics.note_not_found` */
    remove(pharmacyId: string, id: string): Promise<void> {
      return db.transaction().execute(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('analytics_notes')
          .where('id', '=', id)
          .where('pharmacy_id', '=', pharmacyId)
          .executeTakeFirst()
        if (numDeletedRows === 0n) throw new AppError('analytics.note_not_found')
        await record(tx, 'analytics_note_removed', pharmacyId, id)
      })
    },
  }

  /** Without the text, which may be about anything. */
  function record(
    tx: Database,
    action: 'analytics_note_added' | 'analytics_note_changed' | 'analytics_note_removed',
    pharmacyId: string,
    id: string,
  ) {
    return audit.recordChange(tx, { action, pharmacyId, target: { type: 'note', id } })
  }
}
