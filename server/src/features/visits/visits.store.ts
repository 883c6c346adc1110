import { resolveFeatures } from '@bancone/contract/access'
import { VIEW_DEDUPLICATION_SECONDS, type VisitKind } from '@bancone/contract/visits'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

type Visitor = { sessionId: string; visitor: string }
type View = Visitor & { userAgent: string; referrer: string | null }
type Event = Visitor & { kind: Exclude<VisitKind, 'view'> }

export type VisitsStore = ReturnType<typeof createVisitsStore>

/** The only writer of `offer_page_views` and `offer_events`. */
export function createVisitsStore(db: Database) {
  return {
    /** The pharmacy that publishes its offers under the code, regardless of case. */
    async pharmacyOf(code: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('pharmacies')
        .select(['id', 'features_enabled'])
        .where(sql`upper(pharmacy_id)`, '=', sql`upper(${code})`)
        .where('is_active', '=', true)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return row && resolveFeatures(row.features_enabled).includes('offers') ? row.id : undefined
    },

    /** Counts the view unless the same session has viewed the page just now; concurrent views are serialized. */
    addView(pharmacyId: string, view: View): Promise<void> {
      const { sessionId, visitor, userAgent, referrer } = view
      return db.transaction().execute(async (tx) => {
        const lock = `visit ${pharmacyId} ${sessionId}`
        await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(tx)
        // Uses the current time: that of the transaction is from before the wait.
        const just = sql<string>`clock_timestamp() - make_interval(secs => ${VIEW_DEDUPLICATION_SECONDS})`
        const seen = await tx
          .selectFrom('offer_page_views')
          .select('id')
          .where('pharmacy_id', '=', pharmacyId)
          .where('session_id', '=', sessionId)
          .where('viewed_at', '>', just)
          .limit(1)
          .executeTakeFirst()
        if (seen) return
        await tx
          .insertInto('offer_page_views')
          .values({
            pharmacy_id: pharmacyId,
            session_id: sessionId,
            visitor_ip: visitor,
            user_agent: userAgent,
            referrer,
          })
          .execute()
      })
    },

    /** An event that concerns no offer. */
    async addEvent(pharmacyId: string, { kind, sessionId, visitor }: Event): Promise<void> {
      await db
        .insertInto('offer_events')
        .values({ pharmacy_id: pharmacyId, kind, session_id: sessionId, visitor_ip: visitor })
        .execute()
    },

    /** An event for each of the offers that belongs to the pharmacy. */
    async addOfferEvents(
      pharmacyId: string,
      { kind, sessionId, visitor }: Event,
      offerIds: readonly string[],
    ): Promise<void> {
      await db
        .insertInto('offer_events')
        .columns(['pharmacy_id', 'offer_id', 'kind', 'session_id', 'visitor_ip'])
        .expression((of) =>
          of
            .selectFrom('product_offers')
            .select(['pharmacy_id', 'id'])
            .select([
              sql<string>`${kind}::text`.as('kind'),
              sql<string>`${sessionId}::text`.as('session_id'),
              sql<string>`${visitor}::text`.as('visitor_ip'),
            ])
            .where('pharmacy_id', '=', pharmacyId)
            .where('id', 'in', offerIds),
        )
        .execute()
    },
  }
}
