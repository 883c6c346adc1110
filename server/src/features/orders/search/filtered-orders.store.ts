import { ROME } from '@bancone/contract/dates'
import type { OrderSort } from '@bancone/contract/orders'
import { type RawBuilder, sql } from 'kysely'
import { hasOrderNumber, isOverdue } from '../../../database/conditions.ts'
import type { Database } from '../../../database/database.ts'
import type { ResolvedFilter } from './order-filter.rules.ts'

/** By what an order is sorted by customer, in a query for `pharmacy_orders`. */
const customerKey = sql<string>`(select customer_key from order_search
  where order_search.pharmacy_id = pharmacy_orders.pharmacy_id and order_id = pharmacy_orders.id)`

/** Sort orders by columns of `pharmacy_orders`, each with a tie breaker. */
export const sorting: Record<OrderSort, RawBuilder<unknown>> = {
  recenti: sql`airtable_created desc, id desc`,
  'meno-recenti': sql`airtable_created, id`,
  aggiornati: sql`airtable_last desc, id desc`,
  cliente: sql`${customerKey}, airtable_created desc, id desc`,
}

/** A query for the matching orders; the caller adds the selection. */
export function filteredOrders(db: Database, pharmacyId: string, filter: ResolvedFilter) {
  const { words, statuses } = filter
  let orders = createdInDays(db, pharmacyId, filter)
  if (statuses) orders = orders.where('status', 'in', statuses)
  if (words !== null) {
    orders = orders.where(
      sql<boolean>`id in (select order_id from orders_with_words(${pharmacyId}::uuid,
        ${words}::text, ${dayStart(filter.days.from)}, ${createdBefore(filter)}))`,
    )
  }
  return orders
}

/** Orders that may share a number and are listed first. */
const MAX_NUMBERED = 20

/** Orders with the number, in which the search finds it: one with fewer zeros than typed does not hold the word. */
const hasNumber = (number: string): RawBuilder<boolean> =>
  sql`${hasOrderNumber(number)} and (order_seq is null or order_number like ${`%${number}`})`

/** The sort order of a search: first the orders with the number that is searched for. */
export function searchSorting({ number }: ResolvedFilter, sort: OrderSort): RawBuilder<unknown> {
  if (number === null) return sorting[sort]
  return sql`(${hasNumber(number)}) is true desc, ${isSpelt(number)} desc, ${sorting[sort]}`
}

/** Of '472' and '0472' the one that was typed comes first. */
const isSpelt = (number: string) => sql<boolean>`(order_number = ${number}) is true`

/** The ids of the matching orders with the number that is searched for, as an array. */
export function numberedIds(db: Database, pharmacyId: string, filter: ResolvedFilter) {
  if (filter.number === null) return sql<string[]>`'{}'::bigint[]`
  const numbered = filteredOrders(db, pharmacyId, { ...filter, words: null })
    .select('id')
    .where(hasNumber(filter.number))
    .orderBy(sql`${isSpelt(filter.number)} desc, ${sorting.recenti}`)
    .limit(MAX_NUMBERED)
  return sql<string[]>`array(${numbered})`
}

function createdInDays(db: Database, pharmacyId: string, filter: ResolvedFilter) {
  const { days, lateBefore, isToCollect, overdueOn } = filter
  let orders = db
    .selectFrom('pharmacy_orders')
    .where('pharmacy_orders.pharmacy_id', '=', pharmacyId)
  if (isToCollect) orders = orders.where('is_to_collect', '=', true)
  if (overdueOn !== null) orders = orders.where(isOverdue(pharmacyId, overdueOn))
  if (days.from !== null) orders = orders.where('airtable_created', '>=', dayStart(days.from))
  if (days.to !== null || lateBefore !== null) {
    orders = orders.where('airtable_created', '<', createdBefore(filter))
  }
  return orders
}

/**
 * A query for the places of a list without search words, built so that an index provides the sort order: for several statuses one
 * subquery each, which PostgreSQL merges, and by customer with the stored sort keys. By other columns, a few orders are
 * sorted.
 */
export function listQuery(
  db: Database,
  pharmacyId: string,
  { filter, sort, few }: { filter: ResolvedFilter; sort: OrderSort; few: boolean },
) {
  const sorted = sorting[sort]
  const orders = createdInDays(db, pharmacyId, filter).select([
    'pharmacy_orders.id',
    'airtable_created',
    'airtable_last',
  ])
  const { statuses } = filter
  if (statuses && (sort === 'recenti' || sort === 'meno-recenti')) {
    const [first, ...others] = statuses.map((status) => orders.where('status', '=', status))
    const all = others.reduce((some, other) => some.unionAll(other), first ?? orders)
    return { orders: all.as('orders'), sorted }
  }
  if (statuses && few) {
    const chosen = orders.where('status', 'in', statuses)
    // `offset 0` is an optimization fence.
    if (sort !== 'cliente') return { orders: chosen.offset(0).as('orders'), sorted }
    // Outside of this query the key would refer to the orders of the whole statement, and be read for each of them.
    const keyed = chosen.select(customerKey.as('customer_key')).offset(0)
    return { orders: keyed.as('orders'), sorted: sql`customer_key, airtable_created desc, id desc` }
  }
  const ofStatuses = statuses ? orders.where('status', 'in', statuses) : orders
  if (sort !== 'cliente') return { orders: ofStatuses.as('orders'), sorted }
  const named = ofStatuses
    .innerJoin('order_search', (join) =>
      join
        .onRef('order_search.pharmacy_id', '=', 'pharmacy_orders.pharmacy_id')
        .onRef('order_search.order_id', '=', 'pharmacy_orders.id'),
    )
    .select(['customer_key', 'order_search.created', 'order_search.order_id'])
  return { orders: named.as('orders'), sorted: sql`customer_key, created desc, order_id desc` }
}

/** The start of a day in Rome; '-infinity' for null. */
export function dayStart(day: string | null): RawBuilder<string> {
  return sql`coalesce(${day}::date::timestamp at time zone ${ROME}::text, '-infinity')`
}

/** The end of the last day in Rome, or the time before which orders are late; 'infinity' without either. */
export function createdBefore({ days, lateBefore }: ResolvedFilter): RawBuilder<string> {
  return sql`least((${days.to}::date + 1)::timestamp at time zone ${ROME}::text,
    ${lateBefore}::timestamptz, 'infinity')`
}
