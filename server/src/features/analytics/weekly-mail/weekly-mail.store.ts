import type { Day } from '@bancone/contract/dates'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { enqueueAll } from '../../../platform/jobs.ts'

export type WeeklyMailStore = ReturnType<typeof createWeeklyMailStore>

/** The pharmacies that get a mail each week. */
export function createWeeklyMailStore(db: Database) {
  const subscribed = db
    .selectFrom('pharmacies as pharmacy')
    .innerJoin('analytics_settings as settings', 'settings.pharmacy_id', 'pharmacy.id')
    .where('settings.has_weekly_mail', '=', true)
    .where('pharmacy.is_active', '=', true)
    .where('pharmacy.deleted_at', 'is', null)

  return {
    /** Adds a job for each of them. */
    async enqueue(task: string, delaySeconds: number): Promise<void> {
      const rows = await subscribed.select('pharmacy.id').execute()
      const jobs = rows.map(({ id }) => ({
        payload: { pharmacyId: id },
        key: `${task} ${id}`,
        delaySeconds,
      }))
      await enqueueAll(db, task, jobs, { priority: 0 })
    },

    /** Undefined when the pharmacy gets none any more. `activeOffers`: those that customers see on `today`. */
    recipient(
      pharmacyId: string,
      today: Day,
    ): Promise<{ email: string; name: string; activeOffers: number } | undefined> {
      return subscribed
        .select(['pharmacy.email', 'pharmacy.name'])
        .select(
          sql<number>`(
            select count(*) from product_offers
            where pharmacy_id = pharmacy.id and is_active and start_date <= ${today}
              and coalesce(end_date >= ${today}, true)
          )::integer`.as('activeOffers'),
        )
        .where('pharmacy.id', '=', pharmacyId)
        .executeTakeFirst()
    },
  }
}
