import type { ExclusionReason, VisitDevice, VisitSource } from '@bancone/contract/analytics'
import {
  type AnalyticsSettings,
  initialAnalyticsSettings,
} from '@bancone/contract/analytics-settings'
import { type Day, dayOf } from '@bancone/contract/dates'
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../../database/database.ts'
import type { DatabaseTimes } from '../../platform/telemetry/database-readings.ts'

/** What the function `record_visits` takes; it says what each means. */
export type StoredVisit = { pharmacy_id: string; happened_at: string } & (
  | { kind: 'excluded'; reason: ExclusionReason; amount: number }
  | (Visitor & {
      kind: 'view'
      user_agent: string
      referrer: string | null
      source: VisitSource
      device: VisitDevice
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

/** Visits that are not in the figures yet. */
export const visitBacklog: DatabaseTimes = {
  visits: sql<string | null>`(select happened_at from visit_queue order by id limit 1)`,
}

export type VisitsStore = ReturnType<typeof createVisitsStore>

/** The only one that records visits, which the database's functions write. */
export function createVisitsStore(db: Database) {
  async function createPartitions(from: Day, to: Day): Promise<void> {
    await sql`select create_visit_partitions(${from}, ${to})`.execute(db)
  }

  const insert = (visits: readonly StoredVisit[]) =>
    sql`select record_visits(${JSON.stringify(visits)}::jsonb)`.execute(db)

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

    /** Records visits in one transaction. */
    async record(visits: readonly StoredVisit[]): Promise<void> {
      try {
        await insert(visits)
      } catch (error) {
        if (!isMissingPartition(error)) throw error
        const days = visits.map((visit) => dayOf(new Date(visit.happened_at))).toSorted()
        await createPartitions(days.at(0) ?? '', days.at(-1) ?? '')
        await insert(visits)
      }
    },

    /** Drops the partitions before these days. @returns their number @throws `55P03` while the tables are in use */
    async dropPartitions(viewsBefore: Day, visitorsBefore: Day): Promise<number> {
      const { rows } =
        await sql`select drop_visit_partitions(${viewsBefore}, ${visitorsBefore})`.execute(db)
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
