import type { OrderStatus } from '@bancone/contract/orders'

/** Where a pharmacy's orders are kept: a base and a table of it (id or name). */
export type SourceLocation = { baseId: string; tableId: string }

/** An order as the store holds it. Empty columns are null; times are ISO 8601 in UTC. */
export type SourceOrder = {
  recordId: string
  orderNumber: string | null
  waId: string | null
  customerName: string | null
  customerPhone: string | null
  address: string | null
  details: string | null
  /** The store's own word, which may be none of the five; null when the column is empty. */
  status: string | null
  image: SourceImage | null
  /** Which pharmacy it is for, where several share a table. */
  pharmaWa: string | null
  createdAt: string
  /** The column `Last`, or the creation where it is missing. */
  updatedAt: string
}

/** An order that is to be made. Empty columns are null. */
export type NewSourceOrder = {
  /** Null: the store gives it its own, if it does. */
  orderNumber: string | null
  customerName: string | null
  customerPhone: string | null
  address: string | null
  details: string | null
  status: string
  /** Which pharmacy it is for; null where it has the table for itself. */
  pharmaWa: string | null
}

/** `ref` tells one picture from another, also where the address of the same one changes. */
export type SourceImage = { url: string; ref: string }

/** A record that could not be understood in whole or in part: it never stops the others. */
export type UnreadableOrder = { recordId: string | null; reason: string }

export type SourcePage = { orders: SourceOrder[]; unreadable: UnreadableOrder[] }

/**
 * Why the store did not do as asked.
 * - `unreachable`: no answer, a time-out, a 5xx or a reply that is not what was promised; may pass
 * - `rate_limited`: too many requests; may pass
 * - `denied`: token, plan, base or table are wrong; passes only when somebody changes the configuration
 * - `not_found`: the record is not there
 * - `refused`: the store will never take this change
 */
export type SourceErrorKind = 'unreachable' | 'rate_limited' | 'denied' | 'not_found' | 'refused'

/** The one error an order source throws. Its message names no customer and no product. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly kind: SourceErrorKind

  constructor(kind: SourceErrorKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** The pharmacy's own order store. */
export type OrderSource = {
  /**
   * The orders changed after `since` (ISO 8601; null for all of them), page by page as they are read.
   * A record may appear twice: the later one counts.
   *
   * @param signal ends the reading at once; it then throws SourceError `unreachable`
   */
  readChanged(
    location: SourceLocation,
    since: string | null,
    signal?: AbortSignal,
  ): AsyncIterable<SourcePage>
  /** The orders that came into being after then (ISO 8601), by the store's clock; else the same. */
  readCreated(
    location: SourceLocation,
    since: string,
    signal?: AbortSignal,
  ): AsyncIterable<SourcePage>
  /** One order as it is now. @throws SourceError `not_found` when it is gone */
  readOrder(location: SourceLocation, recordId: string, signal?: AbortSignal): Promise<SourceOrder>
  /**
   * Every record there is, page by page: its id, and which pharmacy it is for. A record may appear twice.
   * Other requests go first.
   */
  readIds(
    location: SourceLocation,
    signal?: AbortSignal,
  ): AsyncIterable<{ recordId: string; pharmaWa: string | null }[]>
  /** The columns an order needs and the table has not; null when the store does not tell. */
  missingColumns(location: SourceLocation, signal?: AbortSignal): Promise<string[] | null>
  /** Writes the status, and nothing else, and gives the record back as it then is. */
  setStatus(location: SourceLocation, recordId: string, status: OrderStatus): Promise<SourceOrder>
  /**
   * Makes an order, and gives it back as the store then has it. A store that numbers its orders itself
   * keeps its own number. Nothing is tried twice that may have come to pass.
   *
   * @param signal ends the waiting for a turn, and what is under way
   * @param until nothing is sent after it (milliseconds of the clock): a signal that counts its own time
   * does not come while the machine sleeps
   * @throws SourceError; after `unreachable` the order may be there all the same
   */
  create(
    location: SourceLocation,
    order: NewSourceOrder,
    signal?: AbortSignal,
    until?: number,
  ): Promise<SourceOrder>
}
