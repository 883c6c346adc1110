import type { Day } from '@bancone/contract/dates'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import {
  beginningOf,
  bucketOf,
  type Days,
  eachDay,
  eachHour,
  endOf,
  figuresReader,
  type ReadFigures,
  type Unit,
} from './analytics-buckets.store.ts'

export type PageViewCounts = {
  views: number
  /** Those of the day; of an hour those whose first view of the day was in it. */
  uniqueVisitors: number
  visits: number
  offersOpened: number
  whatsappTaps: number
  callTaps: number
}
export type PageViewHour = PageViewCounts & { at: string }
export type PageViewDay = PageViewHour & { day: Day; excluded: number; codedOrders: number }

/** Reads the folded figures of page views. */
export const readPageViewFigures = (db: Database): ReadFigures<PageViewDay, PageViewHour> =>
  figuresReader(db, { days, hours, lastDayUntil })

/**
 * Counts the page views themselves, for when their figures cannot be read: as far back as page views are kept, without
 * those that were excluded. A visit over midnight counts on both days.
 */
export const readPageViews = (db: Database): ReadFigures<PageViewDay, PageViewHour> =>
  figuresReader(db, {
    days: (tx, pharmacyId, span) => count<PageViewDay>(tx, pharmacyId, span, 'day'),
    hours: (tx, pharmacyId, day) => count<PageViewHour>(tx, pharmacyId, day, 'hour'),
    async lastDayUntil(tx, pharmacyId, { to }, until) {
      const [day] = await count<PageViewDay>(tx, pharmacyId, { from: to, to }, 'day', until)
      return day ?? {}
    },
  })

/** The figures of a day or an hour, as they are folded. */
const folded = sql`coalesce(page_views, 0) as "views", coalesce(unique_visitors, 0) as "uniqueVisitors",
  coalesce(visits, 0) as "visits", coalesce(offers_opened, 0) as "offersOpened",
  coalesce(whatsapp_taps, 0) as "whatsappTaps", coalesce(call_taps, 0) as "callTaps"`

async function days(tx: Database, pharmacyId: string, span: Days): Promise<PageViewDay[]> {
  const { rows } = await sql<PageViewDay>`
    select each.day, each.at, ${folded},
      coalesce(excluded, 0) as "excluded", coalesce(coded_orders, 0) as "codedOrders"
    from ${eachDay(span)} as each
    left join pharmacy_analytics_cache as figures on figures.pharmacy_id = ${pharmacyId}
      and figures.date = each.day and figures.date between ${span.from} and ${span.to}
    order by each.at`.execute(tx)
  return rows
}

async function hours(tx: Database, pharmacyId: string, span: Days): Promise<PageViewHour[]> {
  const { rows } = await sql<PageViewHour>`
    select each.at, ${folded}
    from ${eachHour(span)} as each
    left join analytics_hours as figures
      on figures.pharmacy_id = ${pharmacyId} and figures.hour = each.at
    order by each.at`.execute(tx)
  return rows
}

/** The last day until a time. Of the hour of that time the share counts that has passed. */
async function lastDayUntil(tx: Database, pharmacyId: string, { to }: Days, until: string) {
  const sum = (column: string) => sql`coalesce(sum(round(${sql.ref(column)} * passed)), 0)::integer`
  const { rows } = await sql<PageViewCounts>`
    select ${sum('page_views')} as "views", ${sum('unique_visitors')} as "uniqueVisitors",
      ${sum('visits')} as "visits", ${sum('offers_opened')} as "offersOpened",
      ${sum('whatsapp_taps')} as "whatsappTaps", ${sum('call_taps')} as "callTaps"
    from analytics_hours
    cross join lateral (
      select least(1, extract(epoch from ${until}::timestamptz - hour) / 3600) as passed
    ) as share
    where pharmacy_id = ${pharmacyId}
      and hour >= ${beginningOf({ from: to, to })} and hour < ${until}::timestamptz`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('an aggregate has one row')
  return row
}

async function count<Row>(
  tx: Database,
  pharmacyId: string,
  span: Days,
  unit: Unit,
  until?: string,
): Promise<Row[]> {
  const series = unit === 'day' ? eachDay(span) : eachHour(span)
  const end = until === undefined ? endOf(span) : sql`${until}::timestamptz`
  const within = (time: string) => sql`pharmacy_id = ${pharmacyId}
    and ${sql.ref(time)} >= ${beginningOf(span)} and ${sql.ref(time)} < ${end}`
  const { rows } = await sql<Row>`
    select each.*, coalesce(views, 0) as "views", coalesce(visitors, 0) as "uniqueVisitors",
      coalesce(visits, 0) as "visits", coalesce(opened, 0) as "offersOpened",
      coalesce(whatsapp, 0) as "whatsappTaps", coalesce(call, 0) as "callTaps",
      0 as "excluded", 0 as "codedOrders"
    from ${series} as each
    left join (
      select ${bucketOf[unit](sql`viewed_at`)} as at, count(*)::integer as views,
        count(distinct visitor_ip)::integer as visitors, count(distinct session_id)::integer as visits
      from offer_page_views where ${within('viewed_at')} group by 1
    ) as viewed on viewed.at = each.at
    left join (
      select ${bucketOf[unit](sql`happened_at`)} as at,
        count(*) filter (where kind = 'offer_opened')::integer as opened,
        count(*) filter (where kind = 'whatsapp_tapped')::integer as whatsapp,
        count(*) filter (where kind = 'call_tapped')::integer as call
      -- A message about several offers is a row for each of them.
      from (select distinct kind, session_id, happened_at from offer_events where ${within('happened_at')}) as event
      group by 1
    ) as tapped on tapped.at = each.at
    order by each.at`.execute(tx)
  return rows
}
