import type { ExclusionReason, PageViewDevice, PageViewSource } from '@bancone/contract/analytics'
import {
  type AnalyticsSettings,
  initialAnalyticsSettings,
} from '@bancone/contract/analytics-settings'
import { type Day, dayOf } from '@bancone/contract/dates'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../../database/database.ts'
import type { DatabaseTimes } from '../../platform/telemetry/database-readings.ts'

/** What the function `record_page_events` takes; it says what each means. */
export type PageEvent = { pharmacy_id: string; happened_at: string } & (
  | { kind: 'excluded'; reason: ExclusionReason; amount: number }
  | (Visitor & {
      kind: 'view'
      user_agent: string
      referrer: string | null
      source: PageViewSource
      device: PageViewDevice
    })
  | (Visitor & {
      kind: 'offer_seen' | 'offer_opened' | 'whatsapp_tapped' | 'call_tapped'
      offer_ids: readonly string[]
      code: string | null
    })
)

type Visitor = { visitor: string; visitor_before: string | null; session_id: string }

/** The settings of what is counted. */
export type Counting = Pick<AnalyticsSettings, 'isCounting' | 'hasOrderCodes'>

/** Page views that are not in the figures yet. */
export const pageViewBacklog: DatabaseTimes = {
  page_views: sql<string | null>`(select happened_at from page_event_queue order by id limit 1)`,
}

export type PageViewsStore = ReturnType<typeof createPageViewsStore>

/** The only one that records page views, which the database's functions write. */
export function createPageViewsStore(db: Database) {
  async function createPartitions(from: Day, to: Day): Promise<void> {
    await sql`select create_page_view_partitions(${from}, ${to})`.execute(db)
  }

  const insert = (events: readonly PageEvent[]) =>
    sql`select record_page_events(${JSON.stringify(events)}::jsonb)`.execute(db)

  return {
    createPartitions,

    async countingOf(pharmacyId: string): Promise<Counting> {
      const row = await db
        .selectFrom('analytics_settings')
        .select(['is_counting as isCounting', 'has_order_codes as hasOrderCodes'])
        .where('pharmacy_id', '=', pharmacyId)
        .executeTakeFirst()
      const { isCounting, hasOrderCodes } = initialAnalyticsSettings
      return row ?? { isCounting, hasOrderCodes }
    },

    /** Records page views in one transaction. */
    async record(events: readonly PageEvent[]): Promise<void> {
      try {
        await insert(events)
      } catch (error) {
        if (!isMissingPartition(error)) throw error
        const days = events.map((event) => dayOf(new Date(event.happened_at))).toSorted()
        await createPartitions(days.at(0) ?? '', days.at(-1) ?? '')
        await insert(events)
      }
    },

    /** Drops the partitions before these days. @returns their number @throws `55P03` while the tables are in use */
    async dropPartitions(viewsBefore: Day, visitorsBefore: Day): Promise<number> {
      const { rows } =
        await sql`select drop_page_view_partitions(${viewsBefore}, ${visitorsBefore})`.execute(db)
      return rows.length
    },

    /** @returns the number of deleted order codes */
    async removeCodesBefore(day: Day): Promise<number> {
      const removed = await db
        .deleteFrom('offer_order_codes')
        .where('day', '<', day)
        .executeTakeFirst()
      return Number(removed.numDeletedRows)
    },

    /** Adds what is not in the figures yet, at most so many rows. @returns their number */
    async fold(most: number): Promise<number> {
      const { rows } = await sql<{
        folded: number
      }>`select fold_analytics(${most}) as folded`.execute(db)
      return rows[0]?.folded ?? 0
    },
  }
}

/** PostgreSQL reports it as the violation of a constraint without a name. */
function isMissingPartition(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === '23514' && error.constraint === undefined
  )
}
