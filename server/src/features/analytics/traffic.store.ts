import { ExclusionReason, NOW_MINUTES, VisitDevice, VisitSource } from '@bancone/contract/analytics'
import { MAX_FUNNEL_OFFERS, type OfferFunnel } from '@bancone/contract/analytics-traffic'
import type { Day } from '@bancone/contract/dates'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { beginningOf, type Days, endOf } from './analytics-buckets.store.ts'

type WeekHour = { weekday: number; hour: number; views: number }
type Share = { dimension: string; value: string; amount: number }

export type TrafficStore = ReturnType<typeof createTrafficStore>

/** Reads how the visits of a period are divided. */
export function createTrafficStore(db: Database) {
  return {
    /** Views by weekday, 1 for Monday, and hour in Rome, without those that have none. */
    async weekHours(pharmacyId: string, days: Days): Promise<WeekHour[]> {
      const { rows } = await sql<WeekHour>`
        select extract(isodow from at)::integer as "weekday", extract(hour from at)::integer as "hour",
          sum(page_views)::integer as "views"
        from (
          select hour at time zone 'Europe/Rome' as at, page_views from analytics_hours
          where pharmacy_id = ${pharmacyId} and hour >= ${beginningOf(days)} and hour < ${endOf(days)}
        ) as hours
        group by 1, 2`.execute(db)
      return rows
    },

    /** The sources and devices of views, and the reasons of exclusions; the most frequent first. */
    async shares(pharmacyId: string, { from, to }: Days) {
      const { rows } = await sql<Share>`
        select dimension, value, sum(amount)::integer as amount from analytics_shares
        where pharmacy_id = ${pharmacyId} and date between ${from} and ${to}
        group by 1, 2 order by 3 desc, 2`.execute(db)
      const of = <T>(dimension: string, parse: (value: string) => T) =>
        rows
          .filter((row) => row.dimension === dimension)
          .map(({ value, amount }) => ({ value: parse(value), amount }))
      return {
        sources: of('source', (value) => VisitSource.parse(value)),
        devices: of('device', (value) => VisitDevice.parse(value)),
        excluded: of('excluded', (value) => ExclusionReason.parse(value)),
      }
    },

    /** The offers that were seen most. */
    async offers(
      pharmacyId: string,
      { from, to }: Days,
      today: Day,
    ): Promise<(OfferFunnel & { ordered: number })[]> {
      const { rows } = await sql<OfferFunnel & { ordered: number }>`
        select counted.offer_id as "offerId", offer.product_name as "name", offer.image_url as "imageUrl",
          case
            when offer.id is null then 'gone'
            when not offer.is_active then 'inactive'
            when offer.start_date > ${today} then 'planned'
            when offer.end_date < ${today} then 'ended'
            else 'active'
          end as "state",
          -- A picture of ours that is not kept any more.
          offer.cloudinary_id is not null and not exists (
            select from images where public_id = offer.cloudinary_id and url is not null
          ) as "lostPicture",
          seen as "seen", opened as "opened", whatsapp_taps as "whatsappTaps", ordered as "ordered"
        from (
          select offer_id, sum(seen)::integer as seen, sum(opened)::integer as opened,
            sum(whatsapp_taps)::integer as whatsapp_taps, sum(ordered)::integer as ordered
          from analytics_offer_days
          where pharmacy_id = ${pharmacyId} and date between ${from} and ${to}
          group by offer_id
          order by 2 desc, 3 desc, 4 desc, offer_id limit ${MAX_FUNNEL_OFFERS}
        ) as counted
        left join product_offers as offer
          on offer.id = counted.offer_id and offer.pharmacy_id = ${pharmacyId}
        order by seen desc, opened desc, whatsapp_taps desc, counted.offer_id`.execute(db)
      return rows
    },

    /** Views and visitors of the last minutes before `now` (ISO 8601). */
    async present(pharmacyId: string, now: string): Promise<{ visitors: number; views: number }> {
      const { rows } = await sql<{ visitors: number; views: number }>`
        select count(distinct visitor_ip)::integer as visitors, count(*)::integer as views
        from offer_page_views
        where pharmacy_id = ${pharmacyId}
          and viewed_at > ${now}::timestamptz - make_interval(mins => ${NOW_MINUTES})`.execute(db)
      return rows[0] ?? { visitors: 0, views: 0 }
    },

    /** The first day with figures. */
    async firstDay(pharmacyId: string): Promise<Day | null> {
      const row = await db
        .selectFrom('pharmacy_analytics_cache')
        .select('date')
        .where('pharmacy_id', '=', pharmacyId)
        .orderBy('date')
        .limit(1)
        .executeTakeFirst()
      return row?.date ?? null
    },
  }
}
