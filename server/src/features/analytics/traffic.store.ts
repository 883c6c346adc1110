import {
  ExclusionReason,
  NOW_MINUTES,
  PageViewDevice,
  PageViewSource,
} from '@bancone/contract/analytics'
import { MAX_FUNNEL_OFFERS, type OfferFunnel } from '@bancone/contract/analytics-traffic'
import type { Day } from '@bancone/contract/dates'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { beginningOf, type Days, endOf } from './analytics-buckets.store.ts'

type WeekHour = { weekday: number; hour: number; views: number }
/** The first day with page views and that with orders; null where there are none. */
export type FirstDays = { pageViews: Day | null; orders: Day | null }

/** `position`: 1 for the offer that was seen most. */
export type CountedOffer = OfferFunnel & { ordered: number; position: number }

/** The most frequent first. */
export type Shares = Awaited<ReturnType<TrafficStore['shares']>>

export type TrafficStore = ReturnType<typeof createTrafficStore>

/** Reads how the page views of a period are divided. */
export function createTrafficStore(db: Database) {
  return {
    /** Views by weekday, 1 for Monday, and hour in Rome, without those that have none. */
    async weekHours(pharmacyId: string, days: Days): Promise<WeekHour[]> {
      const { rows } = await sql<WeekHour>`
        select extract(isodow from at)::integer as "weekday", extract(hour from at)::integer as "hour",
          sum(page_views)::integer as "views"
        from (
          select rome_time(hour) as at, page_views from analytics_hours
          where pharmacy_id = ${pharmacyId} and hour >= ${beginningOf(days)} and hour < ${endOf(days)}
        ) as hours
        group by 1, 2`.execute(db)
      return rows
    },

    /** The same, counted from the page views themselves. */
    async liveWeekHours(pharmacyId: string, days: Days): Promise<WeekHour[]> {
      const { rows } = await sql<WeekHour>`
        select extract(isodow from at)::integer as "weekday", extract(hour from at)::integer as "hour",
          count(*)::integer as "views"
        from (
          select rome_time(viewed_at) as at from offer_page_views
          where pharmacy_id = ${pharmacyId}
            and viewed_at >= ${beginningOf(days)} and viewed_at < ${endOf(days)}
        ) as views
        group by 1, 2`.execute(db)
      return rows
    },

    /** The sources and devices of views, and the reasons of exclusions; the most frequent first. */
    async shares(pharmacyId: string, { from, to }: Days) {
      const { rows } = await sql<{ dimension: string; value: string; amount: number }>`
        select dimension, value, sum(amount)::integer as amount from analytics_shares
        where pharmacy_id = ${pharmacyId} and date between ${from} and ${to}
        group by 1, 2 order by 3 desc, 2`.execute(db)
      const of = <T>(dimension: string, parse: (value: string) => T) =>
        rows
          .filter((row) => row.dimension === dimension)
          .map(({ value, amount }) => ({ value: parse(value), amount }))
      return {
        sources: of('source', (value) => PageViewSource.parse(value)),
        devices: of('device', (value) => PageViewDevice.parse(value)),
        excluded: of('excluded', (value) => ExclusionReason.parse(value)),
      }
    },

    /** The offers of a period, the most seen first; of the first ones, and of those that need attention later. */
    async offers(pharmacyId: string, { from, to }: Days, today: Day): Promise<CountedOffer[]> {
      const { rows } = await sql<CountedOffer>`
        with counted as (
          select offer_id, sum(seen)::integer as seen, sum(opened)::integer as opened,
            sum(whatsapp_taps)::integer as whatsapp_taps, sum(ordered)::integer as ordered
          from analytics_offer_days
          where pharmacy_id = ${pharmacyId} and date between ${from} and ${to}
          group by offer_id
        ), described as (
          select counted.*, offer.product_name, offer.image_url,
            row_number() over (order by seen desc, opened desc, whatsapp_taps desc, offer_id) as position,
            case
              when offer.id is null then 'gone'
              when not offer.is_active then 'inactive'
              when offer.start_date > ${today} then 'planned'
              when offer.end_date < ${today} then 'ended'
              else 'active'
            end as state,
            -- A picture of ours that is not kept any more.
            offer.cloudinary_id is not null and not exists (
              select from images where public_id = offer.cloudinary_id and url is not null
            ) as lost_picture
          from counted left join product_offers as offer
            on offer.id = counted.offer_id and offer.pharmacy_id = ${pharmacyId}
        )
        select offer_id as "offerId", product_name as "name", image_url as "imageUrl", state as "state",
          lost_picture as "lostPicture", seen as "seen", opened as "opened", whatsapp_taps as "whatsappTaps",
          ordered as "ordered", position::integer as "position"
        from described where position <= ${MAX_FUNNEL_OFFERS} or state = 'ended' or lost_picture
        order by position`.execute(db)
      return rows
    },

    /** Views and visitors of the last minutes before `now` (ISO 8601). */
    async present(pharmacyId: string, now: string): Promise<{ visitors: number; views: number }> {
      const { rows } = await sql<{ visitors: number; views: number }>`
        select count(distinct visitor_ip)::integer as visitors, count(*)::integer as views
        from offer_page_views
        where pharmacy_id = ${pharmacyId}
          and viewed_at > ${now}::timestamptz - make_interval(mins => ${NOW_MINUTES})
          -- Without an end the partitions of the days to come are read, too.
          and viewed_at <= ${now}`.execute(db)
      return rows[0] ?? { visitors: 0, views: 0 }
    },

    /** By the folded figures. Orders are older than the counting of page views. */
    async firstDays(pharmacyId: string): Promise<FirstDays> {
      const { rows } = await sql<FirstDays>`
        select min(date) filter (where page_views > 0) as "pageViews", min(date) filter (where total_orders > 0) as "orders"
        from pharmacy_analytics_cache where pharmacy_id = ${pharmacyId}`.execute(db)
      return rows[0] ?? { pageViews: null, orders: null }
    },

    /** By the page views and orders themselves, for when the figures cannot be read. */
    async liveFirstDays(pharmacyId: string): Promise<FirstDays> {
      const { rows } = await sql<FirstDays>`
        select (select rome_day(min(viewed_at)) from offer_page_views where pharmacy_id = ${pharmacyId}) as "pageViews",
          (select rome_day(min(airtable_created)) from pharmacy_orders where pharmacy_id = ${pharmacyId}) as "orders"`.execute(
        db,
      )
      return rows[0] ?? { pageViews: null, orders: null }
    },
  }
}
