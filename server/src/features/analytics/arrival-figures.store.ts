import type { Day } from '@bancone/contract/dates'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { beginningOf, type Days, eachDay, endOf } from './analytics-buckets.store.ts'

/** `noShows`: those of the arrivals who were not there at least once. */
export type ArrivalDay = { at: string; day: Day; arrivals: number; called: number; noShows: number }

/** Reads the folded figures of arrivals with priority access, with the changes that are not folded yet. */
export async function readArrivalFigures(db: Database, pharmacyId: string, days: Days) {
  const both = (column: string) =>
    sql`coalesce(folded.${sql.ref(column)}, 0) + coalesce(changed.${sql.ref(column)}, 0)`
  const { rows } = await sql<ArrivalDay>`
    select each.day, each.at, ${both('arrivals')} as "arrivals", ${both('called')} as "called",
      ${both('not_present')} as "noShows"
    from ${eachDay(days)} as each
    left join pharmacy_analytics_cache as folded on folded.pharmacy_id = ${pharmacyId}
      and folded.date = each.day and folded.date between ${days.from} and ${days.to}
    left join (
      select date, sum(arrivals)::integer as arrivals, sum(called)::integer as called,
        sum(not_present)::integer as not_present
      from analytics_changes where pharmacy_id = ${pharmacyId} group by date
    ) as changed on changed.date = each.day
    order by each.at`.execute(db)
  return rows
}

/** Counts the priority sessions themselves, for when their figures cannot be read: as long as they are kept. */
export async function readArrivals(db: Database, pharmacyId: string, days: Days) {
  const { rows } = await sql<ArrivalDay>`
    select each.day, each.at, coalesce(arrivals, 0) as "arrivals", coalesce(called, 0) as "called",
      coalesce(no_shows, 0) as "noShows"
    from ${eachDay(days)} as each
    left join (
      select arrival_day(session) as day, count(*)::integer as arrivals,
        count(*) filter (where arrived_at is not null and called_at is not null)::integer as called,
        count(*) filter (where status = 'no_show' or times_not_present > 0)::integer as no_shows
      from priority_access_sessions as session
      where pharmacy_id = ${pharmacyId} and (
        arrived_at >= ${beginningOf(days)} and arrived_at < ${endOf(days)}
        or arrived_at is null and times_not_present > 0
      )
      group by 1
    ) as counted on counted.day = each.day
    order by each.at`.execute(db)
  return rows
}
