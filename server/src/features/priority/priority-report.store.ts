import type { Day } from '@bancone/contract/dates'
import type { PriorityReport } from '@bancone/contract/priority-report'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

type Figures = Omit<PriorityReport, 'hours'>
/** The wait of a session in seconds; null without a call. */
const wait = sql`extract(epoch from called_at - arrived_at)`

const percentile = (share: number) =>
  sql<
    number | null
  >`round(percentile_cont(${sql.lit(share)}) within group (order by ${wait}))::integer`

/** Midnight in Rome at the beginning of a day. */
const startOf = (day: Day, add = 0) => sql<string>`rome_midnight(${day}::date + ${sql.lit(add)})`

/**
 * The arrivals and waits of the days from `from` to `to`, both included. Days and hours are those of Rome: of a day of
 * 25 hours the two hours from 2 to 3 are counted together.
 */
export async function reportArrivals(db: Database, pharmacyId: string, from: Day, to: Day) {
  // A session that was sent back has no arrival any more: its history has the last one.
  const arrivals = sql`
    from (
      select arrived_at, called_at, status = 'no_show' or times_not_present > 0 as was_absent
      from priority_access_sessions
      where pharmacy_id = ${pharmacyId} and arrived_at is not null
      union all
      select (
        select max(at) from priority_events
        where pharmacy_id = session.pharmacy_id and session_id = session.id and to_status = 'user_arrived'
      ), null, true
      from priority_access_sessions as session
      where pharmacy_id = ${pharmacyId} and arrived_at is null and times_not_present > 0
    ) as arrival
    where arrived_at >= ${startOf(from)} and arrived_at < ${startOf(to, 1)}`
  const { rows } = await sql<Figures>`
    select count(*)::integer as "arrivals", count(called_at)::integer as "called",
      count(*) filter (where was_absent)::integer as "noShows",
      ${percentile(0.5)} as "medianWait", ${percentile(0.9)} as "p90Wait"
    ${arrivals}`.execute(db)
  const { rows: busy } = await sql<PriorityReport['hours'][number]>`
    select extract(hour from rome_time(arrived_at))::integer as "hour",
      count(*)::integer as "arrivals", ${percentile(0.5)} as "medianWait"
    ${arrivals} group by 1`.execute(db)
  const [figures] = rows
  if (!figures) throw new Error('an aggregate has one row')
  const hours = Array.from(
    { length: 24 },
    (_, hour) => busy.find((each) => each.hour === hour) ?? { hour, arrivals: 0, medianWait: null },
  )
  return { ...figures, hours }
}
