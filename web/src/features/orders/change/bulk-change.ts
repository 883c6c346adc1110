import {
  changeOrdersStatus,
  MAX_BULK_CHANGES,
  type StatusChange,
} from '@bancone/contract/order-search'
import type { OrderStatus } from '@bancone/contract/orders'
import { call } from '../../../lib/api.ts'
import { knownStatus } from '../data/order-status.tsx'

/** A longer status text from the order source is not sent as `was`: the change is then made without comparing. */
const MAX_STATUS_LENGTH = 200

/** Maximum number of order numbers listed in a message. */
export const MAX_LISTED_NUMBERS = 10

/** An order to change, with the status that the screen shows. */
export type BulkItem = { recordId: string; number: string | null; from: string; to: OrderStatus }

/** An order that was not changed. `now`: its current status, set by another user; null when the order is gone. */
export type SkippedItem = { recordId: string; number: string | null; now: string | null }

export type BulkOutcome = {
  /** With the previous status of each order. */
  changed: BulkItem[]
  /** Number of orders that had the status already, set by another user. */
  unchanged: number
  skipped: SkippedItem[]
  /** Orders that were not attempted after `error`. */
  remaining: BulkItem[]
  error: unknown
}

/** Called after each batch, with the processed orders and the current status of those that still exist. */
type OnBatch = (processed: string[], statuses: Map<string, string>) => Promise<void>

/**
 * Changes orders in batches of the size that the server accepts, one after the other, until one fails. Batches before
 * the failure stay changed.
 *
 * @param isRetry the first batch was sent before: orders that have the wanted status now were changed by that request
 */
export async function changeInBatches(
  items: readonly BulkItem[],
  isRetry: boolean,
  onBatch: OnBatch,
): Promise<BulkOutcome> {
  const outcome: BulkOutcome = {
    changed: [],
    unchanged: 0,
    skipped: [],
    remaining: [],
    error: null,
  }
  for (let start = 0; start < items.length; start += MAX_BULK_CHANGES) {
    const batch = items.slice(start, start + MAX_BULK_CHANGES)
    let answer: Answer
    try {
      answer = await call(changeOrdersStatus, { body: { changes: batch.map(toStatusChange) } })
    } catch (error) {
      return { ...outcome, remaining: items.slice(start), error }
    }
    addAnswer(outcome, batch, answer, isRetry && start === 0)
    const processed = batch.map(({ recordId }) => recordId)
    await onBatch(processed, statusesOf(answer))
  }
  return outcome
}

function toStatusChange({ recordId, from, to }: BulkItem): StatusChange {
  return { recordId, Stato: to, ...(from.length > MAX_STATUS_LENGTH ? {} : { was: from }) }
}

type Answer = Awaited<ReturnType<typeof call<typeof changeOrdersStatus>>>

function addAnswer(outcome: BulkOutcome, batch: BulkItem[], answer: Answer, isRetry: boolean) {
  const items = new Map(batch.map((item) => [item.recordId, item]))
  /** The order had the status already. On a retry, from the earlier request if that one succeeded after all. */
  function addUnchanged(item: BulkItem) {
    if (isRetry && item.from !== item.to) outcome.changed.push(item)
    else outcome.unchanged += 1
  }
  for (const { recordId, from } of answer.changed) {
    const item = items.get(recordId)
    if (item === undefined) continue
    if (from === item.to) addUnchanged(item)
    else outcome.changed.push({ ...item, from })
  }
  for (const { recordId, now } of answer.left) {
    const item = items.get(recordId)
    if (item === undefined) continue
    if (now === item.to) addUnchanged(item)
    else outcome.skipped.push({ recordId, number: item.number, now })
  }
}

function statusesOf({ changed, left }: Answer): Map<string, string> {
  const statuses = new Map<string, string>(changed.map(({ recordId, to }) => [recordId, to]))
  for (const { recordId, now } of left) if (now !== null) statuses.set(recordId, now)
  return statuses
}

/**
 * The items that restore each order's previous status. A status text unknown to us cannot be written: `notRestorable`
 * counts those.
 */
export function undoItems(changed: readonly BulkItem[]): {
  items: BulkItem[]
  notRestorable: number
} {
  const items = changed.flatMap(({ recordId, number, from, to }) => {
    const former = knownStatus(from)
    return former === null ? [] : [{ recordId, number, from: to, to: former }]
  })
  return { items, notRestorable: changed.length - items.length }
}
