import { ROME } from '@bancone/contract/dates'
import type { OrderSort } from '@bancone/contract/orders'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { recordColumns } from '../order-rows.ts'
import type { Sought } from './orders-sought.rules.ts'

/** The order of a list, by the columns of `pharmacy_orders`. Equals are in the same order each time. */
export const sorting: Record<OrderSort, RawBuilder<unknown>> = {
  recenti: sql`airtable_created desc, id desc`,
  'meno-recenti': sql`airtable_created, id`,
  aggiornati: sql`airtable_last desc, id desc`,
  cliente: sql`(select customer_key from order_search where order_id = id),
    airtable_created desc, id desc`,
}

/** Those orders of the pharmacy, of which what is selected is up to the caller. */
export function soughtOrders(db: Database, pharmacyId: string, sought: Sought) {
  const { words, statuses } = sought
  let orders = madeInDays(db, pharmacyId, sought)
  if (statuses) orders = orders.where('status', 'in', statuses)
  if (words !== null) {
    orders = orders.where(
      sql<boolean>`id in (select order_id from orders_with_words(${pharmacyId}::uuid,
        ${words}::text, ${beginOf(sought.days.from)}, ${endOf(sought.days.to)}))`,
    )
  }
  return orders
}

function madeInDays(db: Database, pharmacyId: string, { days }: Sought) {
  let orders = db
    .selectFrom('pharmacy_orders')
    .where('pharmacy_orders.pharmacy_id', '=', pharmacyId)
  if (days.from !== null) orders = orders.where('airtable_created', '>=', beginOf(days.from))
  if (days.to !== null) orders = orders.where('airtable_created', '<', endOf(days.to))
  return orders
}

/**
 * The same without words, made so that an index has the order of the list: of several states a list each,
 * which PostgreSQL merges, and by name the names that are kept. Few orders are sorted.
 */
export function listed(
  db: Database,
  pharmacyId: string,
  { sought, sort, few }: { sought: Sought; sort: OrderSort; few: boolean },
) {
  const sorted = sorting[sort]
  const orders = madeInDays(db, pharmacyId, sought).select(recordColumns)
  const { statuses } = sought
  if (statuses && few) {
    // The offset is for PostgreSQL: what is inside it does by itself.
    return { orders: orders.where('status', 'in', statuses).offset(0).as('orders'), sorted }
  }
  if (statuses && (sort === 'recenti' || sort === 'meno-recenti')) {
    const [first, ...others] = statuses.map((status) => orders.where('status', '=', status))
    const all = others.reduce((some, other) => some.unionAll(other), first ?? orders)
    return { orders: all.as('orders'), sorted }
  }
  const ofStatuses = statuses ? orders.where('status', 'in', statuses) : orders
  if (sort !== 'cliente') return { orders: ofStatuses.as('orders'), sorted }
  const named = ofStatuses
    .innerJoin('order_search', 'order_search.order_id', 'pharmacy_orders.id')
    .where('order_search.pharmacy_id', '=', pharmacyId)
    .select(['customer_key', 'order_search.created', 'order_search.order_id'])
  return { orders: named.as('orders'), sorted: sql`customer_key, created desc, order_id desc` }
}

/** When a day of Rome begins; before everything for null. */
export function beginOf(day: string | null): RawBuilder<string> {
  return sql`coalesce(${day}::date::timestamp at time zone ${ROME}::text, '-infinity')`
}

/** When it is over; after everything for null. */
export function endOf(day: string | null): RawBuilder<string> {
  return sql`coalesce((${day}::date + 1)::timestamp at time zone ${ROME}::text, 'infinity')`
}
