import type { OrderWaits } from '@bancone/contract/analytics'
import { type Day, dayOf } from '@bancone/contract/dates'
import { sql } from 'kysely'
import type { z } from 'zod'
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
export type OrderHour = OrderCounts & { at: string }
export type OrderDay = OrderHour & { day: Day }

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
 * Reads the folded figures of orders, with the changes that are not folded yet. The orders of a single day are
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

/** Counts the orders themselves, for when their figures cannot be read. */
export const readOrders = (db: Database): ReadFigures<OrderDay, OrderHour> =>
  figuresReader(db, { days: countedDays, hours, lastDayUntil })

async function foldedDays(tx: Database, pharmacyId: string, span: Days): Promise<OrderDay[]> {
  const both = (column: string) =>
    sql`coalesce(folded.${sql.ref(column)}, 0) + coalesce(changed.${sql.ref(column)}, 0)`
  const { rows } = await sql<OrderDay>`
    select each.day, each.at,
      ${both('total_orders')} as "total", ${both('completed_orders')} as "completed",
      ${both('cancelled_orders')} as "cancelled", ${both('processing_orders')} as "processing"
    from ${eachDay(span)} as each
    left join pharmacy_analytics_cache as folded on folded.pharmacy_id = ${pharmacyId}
      and folded.date = each.day and folded.date between ${span.from} and ${span.to}
    left join (
      select date, ${sumOf('total_orders')} as total_orders, ${sumOf('completed_orders')} as completed_orders,
        ${sumOf('cancelled_orders')} as cancelled_orders, ${sumOf('processing_orders')} as processing_orders
      from analytics_changes where pharmacy_id = ${pharmacyId} group by date
    ) as changed on changed.date = each.day
    order by each.at`.execute(tx)
  return rows
}

async function countedDays(tx: Database, pharmacyId: string, span: Days): Promise<OrderDay[]> {
  const rows = await countOrders(tx, pharmacyId, span, 'day')
  return rows.map((row) => ({ ...row, day: dayOf(Date.parse(row.at)) }))
}

async function countOrders(tx: Database, pharmacyId: string, span: Days, unit: Unit) {
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

async function lastDayUntil(tx: Database, pharmacyId: string, { to }: Days, until: string) {
  const from = beginningOf({ from: to, to })
  const end = sql`${until}::timestamptz`
  const { rows } = await sql<OrderCounts>`
    select ${counts} ${ordersOf(pharmacyId, from, end)}`.execute(tx)
  if (!rows[0]) throw new Error('an aggregate has one row')
  return rows[0]
}

type Waits = z.infer<typeof OrderWaits>
const percentile = (share: number) =>
  sql`round(percentile_cont(${sql.lit(share)}) within group (order by minutes))::integer`

/** How long the orders of a period waited until they were confirmed. Hours are those of Rome. */
export async function readOrderWaits(db: Database, pharmacyId: string, days: Days): Promise<Waits> {
  const confirmed = sql`from order_confirmations
    where pharmacy_id = ${pharmacyId} and ordered_at >= ${beginningOf(days)} and ordered_at < ${endOf(days)}`
  const { rows } = await sql<Omit<Waits, 'hours'>>`
    select count(*)::integer as "confirmed", ${percentile(0.5)} as "medianMinutes",
      ${percentile(0.9)} as "p90Minutes" ${confirmed}`.execute(db)
  const { rows: busy } = await sql<Waits['hours'][number]>`
    select extract(hour from rome_time(ordered_at))::integer as "hour",
      count(*)::integer as "confirmed", ${percentile(0.5)} as "medianMinutes"
    ${confirmed} group by 1`.execute(db)
  const [all] = rows
  if (!all) throw new Error('an aggregate has one row')
  const unconfirmed = { confirmed: 0, medianMinutes: null }
  return {
    ...all,
    hours: Array.from(
      { length: 24 },
      (_, hour) => busy.find((each) => each.hour === hour) ?? { hour, ...unconfirmed },
    ),
  }
}
