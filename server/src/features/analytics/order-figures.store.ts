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
  isSingleDay,
  type ReadFigures,
  type Unit,
} from './analytics-buckets.store.ts'

/** Orders by their present status; `processing` are among `completed`. */
export type OrderCounts = {
  total: number
  completed: number
  cancelled: number
  processing: number
}
type ArrivalCounts = { arrivals: number; called: number; notPresent: number }
export type OrderHour = OrderCounts & { at: string }
export type OrderDay = OrderHour & ArrivalCounts & { day: Day }

const sumOf = (column: string) => sql`coalesce(sum(${sql.ref(column)}), 0)::integer`

/** Counts the orders of a time in `pharmacy_orders`. */
const counts = sql`count(*)::integer as "total", ${sumOf('completed')} as "completed",
  ${sumOf('cancelled')} as "cancelled", ${sumOf('processing')} as "processing"`

const ordersOf = (pharmacyId: string, from: unknown, to: unknown) => sql`
  from pharmacy_orders cross join lateral order_figures(status)
  where pharmacy_id = ${pharmacyId} and airtable_created >= ${from} and airtable_created < ${to}`

const hours = (tx: Database, pharmacyId: string, day: Days) =>
  countOrders(tx, pharmacyId, day, 'hour')

/**
 * Reads the folded figures of orders and arrivals, with the changes that are not folded yet. The orders of a single day are
 * counted, as those of its hours are.
 */
export const readOrderFigures = (db: Database): ReadFigures<OrderDay, OrderHour> =>
  figuresReader(db, {
    async days(tx, pharmacyId, span) {
      const days = await foldedDays(tx, pharmacyId, span)
      if (!isSingleDay(span)) return days
      const [counted] = await countOrders(tx, pharmacyId, span, 'day')
      return days.map((day) => ({ ...day, ...counted }))
    },
    hours,
    lastDayUntil,
  })

/** Counts orders and arrivals themselves, for when their figures cannot be read. */
export const readOrders = (db: Database): ReadFigures<OrderDay, OrderHour> =>
  figuresReader(db, { days: countedDays, hours, lastDayUntil })

async function foldedDays(tx: Database, pharmacyId: string, span: Days): Promise<OrderDay[]> {
  const both = (column: string) =>
    sql`coalesce(folded.${sql.ref(column)}, 0) + coalesce(changed.${sql.ref(column)}, 0)`
  const { rows } = await sql<OrderDay>`
    select each.day, each.at,
      ${both('total_orders')} as "total", ${both('completed_orders')} as "completed",
      ${both('cancelled_orders')} as "cancelled", ${both('processing_orders')} as "processing",
      ${both('arrivals')} as "arrivals", ${both('called')} as "called",
      ${both('not_present')} as "notPresent"
    from ${eachDay(span)} as each
    left join pharmacy_analytics_cache as folded on folded.pharmacy_id = ${pharmacyId}
      and folded.date = each.day and folded.date between ${span.from} and ${span.to}
    left join (
      select date, ${sumOf('total_orders')} as total_orders, ${sumOf('completed_orders')} as completed_orders,
        ${sumOf('cancelled_orders')} as cancelled_orders, ${sumOf('processing_orders')} as processing_orders,
        ${sumOf('arrivals')} as arrivals, ${sumOf('called')} as called, ${sumOf('not_present')} as not_present
      from analytics_changes where pharmacy_id = ${pharmacyId} group by date
    ) as changed on changed.date = each.day
    order by each.at`.execute(tx)
  return rows
}

async function countedDays(tx: Database, pharmacyId: string, span: Days): Promise<OrderDay[]> {
  const orders = await countOrders(tx, pharmacyId, span, 'day')
  const { rows } = await sql<ArrivalCounts & { day: Day }>`
    select each.day, ${arrivalCounts}
    from ${eachDay(span)} as each
    left join priority_access_sessions as visit on visit.pharmacy_id = ${pharmacyId}
      and visit.arrived_at >= each.at and visit.arrived_at < rome_midnight(each.day + 1)
    group by each.day order by each.day`.execute(tx)
  return rows.flatMap((arrived, n) => (orders[n] ? [{ ...orders[n], ...arrived }] : []))
}

const arrivalCounts = sql`count(arrived_at)::integer as "arrivals", count(called_at)::integer as "called",
  count(*) filter (where status = 'no_show')::integer as "notPresent"`

async function countOrders(
  tx: Database,
  pharmacyId: string,
  span: Days,
  unit: Unit,
): Promise<OrderHour[]> {
  const series = unit === 'day' ? eachDay(span) : eachHour(span)
  const { rows } = await sql<OrderHour>`
    select each.at, coalesce(total, 0) as "total", coalesce(completed, 0) as "completed",
      coalesce(cancelled, 0) as "cancelled", coalesce(processing, 0) as "processing"
    from ${series} as each
    left join (
      select ${bucketOf[unit](sql`airtable_created`)} as at, ${counts}
      ${ordersOf(pharmacyId, beginningOf(span), endOf(span))}
      group by 1
    ) as ordered on ordered.at = each.at
    order by each.at`.execute(tx)
  return rows
}

async function lastDayUntil(
  tx: Database,
  pharmacyId: string,
  { to }: Days,
  until: string,
): Promise<OrderCounts & ArrivalCounts> {
  const from = beginningOf({ from: to, to })
  const end = sql`${until}::timestamptz`
  const { rows: ordered } = await sql<OrderCounts>`
    select ${counts} ${ordersOf(pharmacyId, from, end)}`.execute(tx)
  const { rows: arrived } = await sql<ArrivalCounts>`
    select ${arrivalCounts} from priority_access_sessions
    where pharmacy_id = ${pharmacyId} and arrived_at >= ${from} and arrived_at < ${end}`.execute(tx)
  if (!ordered[0] || !arrived[0]) throw new Error('an aggregate has one row')
  return { ...ordered[0], ...arrived[0] }
}
