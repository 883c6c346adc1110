import { type OrderRecord, OrderStatus } from '@bancone/contract/orders'
import { type OrderView, viewOrder } from '../data/order-view.ts'

type Group = { status: string; orders: OrderView[] }

/** The orders grouped by status: the five known ones first, then others. Empty groups are omitted. */
export function groupByStatus(records: readonly OrderRecord[]): Group[] {
  const groups = new Map<string, OrderView[]>(OrderStatus.options.map((status) => [status, []]))
  for (const record of records) {
    const order = viewOrder(record)
    const orders = groups.get(order.status)
    if (orders) orders.push(order)
    else groups.set(order.status, [order])
  }
  return [...groups]
    .map(([status, orders]) => ({ status, orders }))
    .filter(({ orders }) => orders.length > 0)
}

/** 'Nessun ordine', '1 ordine', '12 ordini' */
export function countText(count: number, format: (count: number) => string): string {
  if (count === 0) return 'Nessun ordine'
  return count === 1 ? '1 ordine' : `${format(count)} ordini`
}
