import type { OrderPickups, PickupFigures } from '@bancone/contract/analytics'
import type { Day } from '@bancone/contract/dates'
import { sql } from 'kysely'
import { isOverdue } from '../../database/conditions.ts'
import type { Database } from '../../database/database.ts'
import { beginningOf, type Days, endOf, type Span } from './analytics-buckets.store.ts'

/** Times in seconds: the median and the 90th percentile, null without any. */
type Row = {
  weekday: number | null
  ready: number
  collected: number
  notCollected: number
  toReady: [number, number] | null
  toCollected: [number, number] | null
}

const secondsOf = (time: string) => sql`extract(epoch from ${sql.raw(time)})::float8`

/** @returns of each weekday with ready orders, and of all of them, whose weekday is null */
async function readRows(db: Database, pharmacyId: string, days: Span, today: Day): Promise<Row[]> {
  const until = days.until === null ? endOf(days) : sql`${days.until}::timestamptz`
  const { rows } = await sql<Row>`
    select weekday, count(*)::integer as "ready", count(to_collected)::integer as "collected",
      count(*) filter (where is_not_collected)::integer as "notCollected",
      percentile_cont(array[0.5, 0.9]) within group (order by to_ready) as "toReady",
      percentile_cont(array[0.5, 0.9]) within group (order by to_collected) as "toCollected"
    from (
      select extract(isodow from rome_time(ready_at))::integer as weekday,
        greatest(0, ${secondsOf('ready_at - airtable_created')}) as to_ready,
        ${secondsOf('collected_at - ready_at')} as to_collected,
        collected_at is null and (put_back_at is not null or ${isOverdue(pharmacyId, today)}) as is_not_collected
      from pharmacy_orders
      where pharmacy_id = ${pharmacyId} and ready_at >= ${beginningOf(days)} and ready_at < ${until}
        and (is_to_collect or collected_at is not null or put_back_at is not null)
    ) as ready
    group by grouping sets ((), (weekday))`.execute(db)
  return rows
}

const minutesOf = (seconds: number | undefined) =>
  seconds === undefined ? null : Math.round(seconds / 60)

function figuresOf(row: Row | undefined): PickupFigures {
  const { ready = 0, collected = 0, notCollected = 0, toReady, toCollected } = row ?? {}
  return {
    ready,
    readyMedian: minutesOf(toReady?.[0]),
    readyP90: minutesOf(toReady?.[1]),
    collected,
    collectedMedian: minutesOf(toCollected?.[0]),
    collectedP90: minutesOf(toCollected?.[1]),
    notCollected,
  }
}

/** How soon the orders that became ready in a period were ready and collected. Weekdays are those of Rome. */
export async function readPickups(
  db: Database,
  pharmacyId: string,
  { days, compared, today }: { days: Days; compared: Span; today: Day },
): Promise<OrderPickups> {
  const { rows } = await sql<{ day: Day | null }>`
    select rome_day(min(ready_at)) as day from pharmacy_orders where pharmacy_id = ${pharmacyId}`.execute(
    db,
  )
  const first = rows[0]?.day ?? null
  const isCompared = first !== null && first <= compared.from
  const counted = await readRows(db, pharmacyId, { ...days, until: null }, today)
  const before = isCompared ? await readRows(db, pharmacyId, compared, today) : null
  const of = (found: Row[], weekday: number | null) =>
    figuresOf(found.find((row) => row.weekday === weekday))
  return {
    ...of(counted, null),
    weekdays: Array.from({ length: 7 }, (_, n) => of(counted, n + 1)),
    previous: before && of(before, null),
    hasBegun: first !== null,
  }
}
