import type { OrdersPage, OrdersQuery } from '@bancone/contract/orders'

type Arrivals = {
  /** Record ids among the rows on screen. */
  rows: string[]
  /** How many orders came in, on this page or not. */
  count: number
}

const none: Arrivals = { rows: [], count: 0 }

/**
 * Which orders came in between two readings of the same page. A row not seen before is new on the
 * first page, unless it merely moved up: there it stands below what was there already, or is older
 * than it. Elsewhere only the growth of the total tells.
 */
export function findArrivals(
  before: OrdersPage,
  after: OrdersPage,
  query: OrdersQuery,
  seen: ReadonlySet<string>,
): Arrivals {
  if (query.page !== 1) {
    return { rows: [], count: Math.max(0, after.statistics.total - before.statistics.total) }
  }
  const known = new Set(before.records.map(({ id }) => id))
  const lastKnown = after.records.findLastIndex(({ id }) => known.has(id))
  const roomBelow = lastKnown === -1 || !before.pagination.hasNextPage
  const newest = before.records.reduce(
    (max, { createdTime }) => Math.max(max, Date.parse(createdTime)),
    0,
  )
  const rows = after.records.filter(({ id, createdTime }, index) => {
    if (seen.has(id)) return false
    if (query.stato !== undefined) return Date.parse(createdTime) > newest
    return roomBelow || index < lastKnown
  })
  return rows.length === 0 ? none : { rows: rows.map(({ id }) => id), count: rows.length }
}

/** 'Hai 1 nuovo ordine', without a word on what it is. */
export function arrivalText(count: number): string {
  return count === 1 ? 'Hai 1 nuovo ordine' : `Hai ${count} nuovi ordini`
}
