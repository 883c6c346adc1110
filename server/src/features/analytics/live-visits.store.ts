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
import type { VisitDay, VisitHour } from './visit-figures.store.ts'

/**
 * Counts the visits themselves, for when their figures cannot be read: as far back as visits are kept, without those that
 * were excluded. A visit over midnight counts on both days.
 */
export const readVisits = (db: Database): ReadFigures<VisitDay, VisitHour> =>
  figuresReader(db, {
    days: (tx, pharmacyId, span) => count<VisitDay>(tx, pharmacyId, span, 'day'),
    hours: (tx, pharmacyId, day) => count<VisitHour>(tx, pharmacyId, day, 'hour'),
    async lastDayUntil(tx, pharmacyId, { to }, until) {
      const [day] = await count<VisitDay>(tx, pharmacyId, { from: to, to }, 'day', until)
      return day ?? {}
    },
  })

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
