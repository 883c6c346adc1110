import { DAY_MS } from '@bancone/contract/dates'
import type { Freshness, SourceFailure } from '@bancone/contract/order-health'
import type { OrderStatistics, OrderStatus, StatusCounts } from '@bancone/contract/orders'

/** Totals of a pharmacy's orders. */
export type OrderCounts = {
  total: number
  byStatus: StatusCounts
  toCollect: number
  lastOrderId: number | null
}

/** The numbers on the dashboard's cards. Both kinds of booking count as processing. */
export function statistics(counts: OrderCounts, late: number, overdue: number): OrderStatistics {
  const { total, byStatus, toCollect, lastOrderId } = counts
  return {
    total,
    confirmed: byStatus.Confermato,
    pending: byStatus['In attesa'],
    processing: byStatus['Prenotato in Giornata'] + byStatus['Prenotato Domani'],
    cancelled: byStatus.Annullato,
    late,
    toCollect,
    overdue,
    lastOrderId,
  }
}

/** The number of orders with one of the statuses; undefined counts all. */
export function countOf(counts: OrderCounts, statuses: readonly OrderStatus[] | undefined): number {
  if (!statuses) return counts.total
  return statuses.reduce((sum, status) => sum + counts.byStatus[status], 0)
}

/** The status of an order without one in the source. */
export const STATUS_WHEN_EMPTY: OrderStatus = 'In attesa'

/** The status of an order in the source. */
export function storedStatus(order: { status: string | null }): string {
  return order.status ?? STATUS_WHEN_EMPTY
}

/**
 * The next reading starts a little before the newest change seen, because the source's clock and index are not exact.
 * In the source's time.
 */
export const OVERLAP_MS = 2 * 60_000

export function readFrom(changedUntil: string | null): string | null {
  return changedUntil && new Date(Date.parse(changedUntil) - OVERLAP_MS).toISOString()
}

/** The later of two ISO times in UTC. */
export function laterOf(a: string | null, b: string): string {
  return a !== null && a > b ? a : b
}

/** The times of changes seen by a reading, and its start and end by our clock. */
export type ReadObservations = {
  /** The newest change that is not in the future. */
  newest: string | null
  /** Some changes are in the future: one of the clocks is wrong. */
  isAhead: boolean
  from: string
  to: string
}

/**
 * The cursor after a reading. Records that changed during the reading may have been on pages already read, so its
 * duration is subtracted; the two clocks need not agree. A `Last` in the future must not hide later changes.
 */
export function readUntil(
  startedFrom: string | null,
  { newest, isAhead, from, to }: ReadObservations,
) {
  if (newest === null) return startedFrom ?? (isAhead ? from : null)
  const took = Date.parse(to) - Date.parse(from)
  return laterOf(startedFrom, new Date(Date.parse(newest) - took).toISOString())
}

/**
 * The earliest creation time of an order that counts as new when earlier readings have missed it, for example because
 * it belonged to another pharmacy.
 *
 * @param readAt time of the previous reading
 */
export function newSince(readAt: string): string {
  return new Date(Date.parse(readAt) - DAY_MS).toISOString()
}

/** A slow source is not reported until the copy is this old. */
export const STALE_AFTER_MS = 90_000

/**
 * The state of a copy: last response and failure of the source, pending changes, quarantined records, and unread
 * notices.
 */
export type CopyStatus = {
  readAt: string | null
  trouble: SourceFailure | null
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
 * The freshness as reported to a page.
 *
 * @param lastRefresh outcome of the last reading; null for a pharmacy without an order source
 */
export function freshness(
  lastRefresh: 'fresh' | 'slow' | 'failed' | null,
  copy: CopyStatus,
  now: number,
): Freshness {
  const { readAt, trouble, missingColumns, pendingChanges, setAside } = copy
  if (!lastRefresh) {
    const none = { pendingChanges: 0, trouble: null, setAside: 0, missingColumns: [] }
    return { source: 'database', stale: false, syncedAt: null, ...none }
  }
  const age = readAt === null ? Number.POSITIVE_INFINITY : now - Date.parse(readAt)
  const stale = lastRefresh === 'failed' || (lastRefresh === 'slow' && age > STALE_AFTER_MS)
  const known = { syncedAt: readAt, pendingChanges, trouble, setAside, missingColumns }
  return { source: 'airtable', stale, ...known }
}
