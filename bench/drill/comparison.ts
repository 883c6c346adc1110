import type pg from 'pg'
import type { WrittenOrder } from './writers.ts'

type Query = <Row extends pg.QueryResultRow>(text: string) => Promise<Row[]>

type Row = { customer: string; id: string; status: string; events: string[] }

/**
 * Compares what was acknowledged until a moment with a database. An order has to be there once, with every change of
 * its status in its history; what was sent after the moment must not be there.
 *
 * @returns how many changes were compared, and what is lost, made twice or too new
 */
export async function compare(
  query: Query,
  orders: readonly WrittenOrder[],
  moment = Number.POSITIVE_INFINITY,
): Promise<{ compared: number; wrong: string[] }> {
  const rows = await query<Row>(
    `select customer_name as customer, airtable_order_id as id, status,
       coalesce((
         select array_agg(event.to_status order by event.id) from order_events event
         where event.pharmacy_id = orders.pharmacy_id and event.record_id = orders.airtable_order_id
           and event.kind = 'status'
       ), '{}') as events
     from pharmacy_orders orders where starts_with(customer_name, 'Cliente ')`,
  )
  const byCustomer = new Map<string, Row[]>()
  for (const row of rows) {
    byCustomer.set(row.customer, [...(byCustomer.get(row.customer) ?? []), row])
  }
  const wrong: string[] = []
  let compared = 0
  const isDue = ({ acknowledgedAt }: { acknowledgedAt?: number }) =>
    acknowledgedAt !== undefined && acknowledgedAt <= moment
  for (const order of orders) {
    const [row, ...more] = byCustomer.get(order.customer) ?? []
    if (more.length > 0) wrong.push(`${order.customer} was made ${more.length + 1} times`)
    if (isDue(order)) compared += 1
    if (!row) {
      if (isDue(order)) wrong.push(`${order.customer} is lost`)
      continue
    }
    if (order.firstSentAt > moment) wrong.push(`${order.customer} is too new`)
    const known = [...row.events]
    for (const change of order.statuses) {
      // The changes of an order follow each other, so that its history has them in that order.
      const isThere = known[0] === change.status
      if (isThere) known.shift()
      if (isDue(change)) {
        compared += 1
        if (!isThere) wrong.push(`${order.customer} lost ${change.status} of ${row.events.join()}`)
      }
      if (isThere && change.firstSentAt > moment) {
        wrong.push(`${order.customer} has ${change.status}, which is too new`)
      }
    }
    const last = row.events.at(-1) ?? 'In attesa'
    if (row.status !== last)
      wrong.push(`${order.customer} is ${row.status} and its history ${last}`)
    if (known.length > 0)
      wrong.push(`${order.customer} has changes that were not made: ${known.join()}`)
  }
  return { compared, wrong }
}
