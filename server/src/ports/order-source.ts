import type { OrderStatus } from '@bancone/contract/orders'
import { KindError } from './kind-error.ts'

/** The table with a pharmacy's orders: a base and one of its tables (id or name). */
export type SourceLocation = { baseId: string; tableId: string }

/** An order as the source holds it. Empty columns are null; times are ISO 8601 in UTC. */
export type SourceOrder = {
  recordId: string
  orderNumber: string | null
  waId: string | null
  customerName: string | null
  customerPhone: string | null
  address: string | null
  details: string | null
  /** As written in the source, possibly none of the five statuses; null when the column is empty. */
  status: string | null
  image: SourceImage | null
  /** The pharmacy that the order is for, where several share a table. */
  pharmaWa: string | null
  createdAt: string
  /** The column `Last`, or the creation time where it is missing. */
  updatedAt: string
  /**
   * The fields that the source does not tell, because their column is gone or their cell cannot be read: what is known of
   * them stays as it is. Left out where there are none.
   */
  unknown?: readonly OrderField[]
  /** A row that holds nothing of an order yet: its number, status and times may be made by the source. */
  isBlank?: true
}

export type OrderField = Exclude<keyof SourceOrder, 'recordId' | 'unknown' | 'isBlank'>

/** An order to be created in the source. Empty columns are null. */
export type NewSourceOrder = {
  /** Null: the source assigns the number, if it assigns any. */
  orderNumber: string | null
  customerName: string | null
  customerPhone: string | null
  address: string | null
  details: string | null
  status: string
  /** The pharmacy that the order is for; null where it does not share the table. */
  pharmaWa: string | null
}

/**
 * The attachments of an order. `ref` identifies them even when their URLs change; it is the URL itself where the source has
 * only that. `url` is that of the first, `bytes` their size together, where the source tells.
 */
export type SourceImage = {
  url: string
  ref: string
  bytes?: number | undefined
  /** All of them, where there are several or one is not said to be a picture. */
  attachments?: SourceAttachment[] | undefined
}

/** `name`, `type` (a media type) and `bytes` are as the source has them, and may be wrong. */
export type SourceAttachment = {
  url: string
  ref: string
  name: string | null
  type: string | null
  bytes: number | null
}

/** What is written of an order that is corrected. Without a number the order keeps its own. */
export type SourceCorrection = {
  orderNumber?: string
  customerName: string
  customerPhone: string | null
  address: string | null
  details: string
}

/** The columns of a table of orders by the names that the product gives them. */
export const ORDER_COLUMNS = [
  'ID Ordine',
  'ID_Ordine',
  'ID WA',
  'Cliente',
  'Phone Number',
  'Indirizzo',
  'Ordine',
  'Stato',
  'Image',
  'PharmaWA',
  'Created',
  'Last',
] as const

/** A record that could not be parsed, in whole or in part. It does not affect other records. */
export type UnreadableOrder = { recordId: string | null; reason: string }

/** `missingColumns`: the required columns that the table does not have; left out where they are not known. */
export type SourcePage = {
  orders: SourceOrder[]
  unreadable: UnreadableOrder[]
  missingColumns?: string[]
}

/**
 * Why a request to the source failed.
 * - `unreachable`: no response, a time-out, a 5xx or an invalid response; may be transient
 * - `rate_limited`: too many requests; transient
 * - `denied`: token, plan, base or table are wrong; lasts until the configuration is changed
 * - `not_found`: the record does not exist
 * - `refused`: the source will never accept this change
 */
export type SourceErrorKind = 'unreachable' | 'rate_limited' | 'denied' | 'not_found' | 'refused'

/** The only error of an order source. The message contains no customer and no product. */
export class SourceError extends KindError<SourceErrorKind> {
  override readonly name = 'SourceError'
}

/** The state of a table of orders. The names are null when the token may not read them. */
export type SourceInspection = {
  base: string | null
  table: string | null
  /** The required columns that the table does not have. */
  missingColumns: string[]
  /**
   * Why the table could not be inspected; null when it could. `not_configured`: there is no token for the base;
   * `wrong_token`: the source does not know it; `refused`: it has no access to the base or table, which may not exist
   * either.
   */
  problem:
    | 'not_configured'
    | 'wrong_token'
    | 'refused'
    | 'base_not_found'
    | 'table_not_found'
    | 'unreachable'
    | null
}

/** Checks tables that are to hold orders. */
export type SourceInspector = {
  /** Requests are not repeated, and failures are the result. */
  inspect(location: SourceLocation, signal?: AbortSignal): Promise<SourceInspection>
}

/** The pharmacy's order source. All methods throw SourceError. */
export type OrderSource = {
  /**
   * Reads the orders changed after `since` (ISO 8601; null for all orders), page by page.
   * A record may appear twice: the later occurrence is current.
   *
   * @param signal aborts the reading, which then throws SourceError `unreachable`
   */
  readChanged(
    location: SourceLocation,
    since: string | null,
    signal?: AbortSignal,
  ): AsyncIterable<SourcePage>
  /** Like `readChanged`, for the orders created after `since` (ISO 8601) by the source's clock. */
  readCreated(
    location: SourceLocation,
    since: string,
    signal?: AbortSignal,
  ): AsyncIterable<SourcePage>
  /**
   * Reads all orders, those changed last at the end, so that a reading can continue where another one ended. Other
   * requests have priority over this one.
   *
   * @param from the time of change from which on orders are returned, inclusive (ISO 8601); null for all
   * @returns pages with the times of change (ISO 8601) by record id, of those records that have one; null where the source
   * has no such time, and `from` has no effect
   * @throws SourceError `unreachable` also when a list has expired: it has to be started again
   */
  readByChange(
    location: SourceLocation,
    from: string | null,
    signal?: AbortSignal,
  ): AsyncIterable<SourcePage & { changedAt: ReadonlyMap<string, string> | null }>
  /** Reads some orders. Those that do not exist are left out. Other requests have priority over this one. */
  readSome(
    location: SourceLocation,
    recordIds: readonly string[],
    signal?: AbortSignal,
  ): AsyncIterable<SourcePage>
  /** Reads the current state of one order. @throws SourceError `not_found` if it does not exist */
  readOrder(location: SourceLocation, recordId: string, signal?: AbortSignal): Promise<SourceOrder>
  /**
   * Reads the id and the pharmacy of every record, page by page. A record may appear twice. Other requests have
   * priority over this one. The pharmacy is undefined where the source does not tell it.
   */
  readIds(
    location: SourceLocation,
    signal?: AbortSignal,
  ): AsyncIterable<{ recordId: string; pharmaWa: string | null | undefined }[]>
  /** The required columns that the table does not have; null when the token may not read the schema. */
  missingColumns(location: SourceLocation, signal?: AbortSignal): Promise<string[] | null>
  /** Writes only the status and returns the updated record. */
  setStatus(location: SourceLocation, recordId: string, status: OrderStatus): Promise<SourceOrder>
  /**
   * Writes times into other columns than those of orders. A column that is refused does not keep the others from being
   * written.
   *
   * @param times by the names of their columns (ISO 8601); null empties the cell
   * @returns the columns that were refused: the table does not have them, or they take no time
   */
  writeTimes(
    location: SourceLocation,
    recordId: string,
    times: ReadonlyMap<string, string | null>,
  ): Promise<string[]>
  /** Which of some columns the table does not have, or take no time. */
  columnsWithoutTimes(
    location: SourceLocation,
    columns: readonly string[],
    signal?: AbortSignal,
  ): Promise<string[]>
  /** Writes the content of an order and returns the updated record. */
  correct(
    location: SourceLocation,
    recordId: string,
    correction: SourceCorrection,
  ): Promise<SourceOrder>
  /** Removes an order. After `unreachable` it may nevertheless be gone. */
  remove(location: SourceLocation, recordId: string): Promise<void>
  /**
   * Creates an order and returns it as stored. A store that numbers its orders assigns its own number. A request that
   * may have succeeded is not repeated.
   *
   * @param signal aborts the wait for a slot and the request
   * @param until the deadline after which no request is sent (milliseconds of the clock). A timer would not fire while
   * the machine sleeps.
   * @throws SourceError; after `unreachable` the order may nevertheless exist
   */
  create(
    location: SourceLocation,
    order: NewSourceOrder,
    signal?: AbortSignal,
    until?: number,
  ): Promise<SourceOrder>
}
