import type { Freshness, SourceTrouble } from '@bancone/contract/order-health'
import type { OrderStatistics, OrderStatus, StatusCounts } from '@bancone/contract/orders'
import type { Pagination } from '@bancone/contract/paging'

/** What is kept of a pharmacy's orders as a whole. */
export type OrderCounts = {
  total: number
  pending: number
  confirmed: number
  bookedToday: number
  bookedTomorrow: number
  cancelled: number
  lastOrderId: number | null
}

export const noOrders: OrderCounts = {
  total: 0,
  pending: 0,
  confirmed: 0,
  bookedToday: 0,
  bookedTomorrow: 0,
  cancelled: 0,
  lastOrderId: null,
}

/** The cards of the dashboard: both kinds of booking count as being worked on. */
export function statistics(counts: OrderCounts): OrderStatistics {
  return {
    total: counts.total,
    confirmed: counts.confirmed,
    pending: counts.pending,
    processing: counts.bookedToday + counts.bookedTomorrow,
    cancelled: counts.cancelled,
    lastOrderId: counts.lastOrderId,
  }
}

const countOfStatus: Record<OrderStatus, keyof Omit<OrderCounts, 'lastOrderId'>> = {
  'In attesa': 'pending',
  Confermato: 'confirmed',
  'Prenotato in Giornata': 'bookedToday',
  'Prenotato Domani': 'bookedTomorrow',
  Annullato: 'cancelled',
}

/** How many orders a list holds: all of them, or those of some states. */
export function countOf(counts: OrderCounts, statuses: readonly OrderStatus[] | undefined): number {
  if (!statuses) return counts.total
  return statuses.reduce((sum, status) => sum + counts[countOfStatus[status]], 0)
}

export function statusCounts(counts: OrderCounts): StatusCounts {
  return {
    'In attesa': counts.pending,
    Confermato: counts.confirmed,
    'Prenotato in Giornata': counts.bookedToday,
    'Prenotato Domani': counts.bookedTomorrow,
    Annullato: counts.cancelled,
  }
}

export function pagination(page: number, pageSize: number, totalRecords: number): Pagination {
  const totalPages = Math.ceil(totalRecords / pageSize)
  return { currentPage: page, totalPages, totalRecords, hasNextPage: page < totalPages }
}

/** A column that the order store left empty means a new order. */
export const STATUS_WHEN_EMPTY: OrderStatus = 'In attesa'

/** The status of an order by what the store holds of it. */
export function storedStatus(order: { status: string | null }): string {
  return order.status ?? STATUS_WHEN_EMPTY
}

/**
 * Where the next reading of the store begins: a little before the newest change seen, because the
 * store's clock and its index are not exact to the second. In the store's own time.
 */
export const OVERLAP_MS = 2 * 60_000

export function readFrom(changedUntil: string | null): string | null {
  return changedUntil && new Date(Date.parse(changedUntil) - OVERLAP_MS).toISOString()
}

/** The later of two ISO times in UTC. */
export function later(a: string | null, b: string): string {
  return a !== null && a > b ? a : b
}

/** What a reading saw of the times of changes, and when it began and ended by our own clock. */
export type Seen = {
  /** The newest change that is not in our future. */
  newest: string | null
  /** There are changes in our future: either of the clocks is wrong. */
  isAhead: boolean
  from: string
  to: string
}

/**
 * How far the store has been read. What changed while the reading went on may be on pages that were read
 * before: as long as it took is taken off again, for the clocks of the two need not agree. One `Last` in
 * the future must not hide every change until then.
 */
export function readUntil(began: string | null, { newest, isAhead, from, to }: Seen) {
  if (newest === null) return began ?? (isAhead ? from : null)
  const took = Date.parse(to) - Date.parse(from)
  return later(began, new Date(Date.parse(newest) - took).toISOString())
}

/**
 * Since when an order must have been made to be new to the pharmacy, where it is found although readings
 * have missed it: for example because it was another's by its name. Older ones are no news to anybody.
 *
 * @param readAt when the store had been read before
 */
export function newSince(readAt: string): string {
  return new Date(Date.parse(readAt) - DAY_MS).toISOString()
}

const DAY_MS = 24 * 60 * 60_000

/** A slow store is not worth a word until the copy is this old. */
export const STALE_AFTER_MS = 90_000

/**
 * How the copy fares: when the order store last answered, why it did not since, how many changes wait for
 * it, how many of its records were set aside, and how many notices nobody has read.
 */
export type CopyStatus = {
  readAt: string | null
  trouble: SourceTrouble | null
  missingColumns: string[]
  pendingChanges: number
  setAside: number
  notices: number
}

export const nothingCopied: CopyStatus = {
  readAt: null,
  trouble: null,
  missingColumns: [],
  pendingChanges: 0,
  setAside: 0,
  notices: 0,
}

/**
 * What the page says of its copy.
 *
 * @param freshened how the last look at the store went; null for a pharmacy without one
 */
export function freshness(
  freshened: 'fresh' | 'slow' | 'failed' | null,
  copy: CopyStatus,
  now: number,
): Freshness {
  const { readAt, trouble, missingColumns, pendingChanges, setAside } = copy
  if (!freshened) {
    const none = { pendingChanges: 0, trouble: null, setAside: 0, missingColumns: [] }
    return { source: 'database', stale: false, syncedAt: null, ...none }
  }
  const age = readAt === null ? Number.POSITIVE_INFINITY : now - Date.parse(readAt)
  const stale = freshened === 'failed' || (freshened === 'slow' && age > STALE_AFTER_MS)
  const known = { syncedAt: readAt, pendingChanges, trouble, setAside, missingColumns }
  return { source: 'airtable', stale, ...known }
}
