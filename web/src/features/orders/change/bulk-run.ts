import {
  changeOrdersStatus,
  MAX_BULK_CHANGES,
  type StatusChange,
} from '@bancone/contract/bulk-changes'
import { getOrder } from '@bancone/contract/order-details'
import type { OrderStatus } from '@bancone/contract/orders'
import { call } from '../../../lib/api.ts'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { toastError, toastSuccess } from '../../../ui/toast.ts'
import { comparableStatus, knownStatus } from '../data/order-status.tsx'
import { orderNumber } from '../data/order-view.ts'

const ABOUT_BULK = 'orders-status'

/** `change`: all to one status; `undo`: each back to its previous status. */
export type BulkKind = 'change' | 'undo'

/** A bulk change that failed part-way: what remains, and what was changed before. */
export type InterruptedBulk = {
  kind: BulkKind
  remaining: readonly BulkItem[]
  changed: readonly BulkItem[]
}

type BulkRun = {
  kind: BulkKind
  items: readonly BulkItem[]
  /** The interrupted run that this one continues. */
  retryOf: InterruptedBulk | null
  onBatch: (through: string[], statuses: Map<string, string>) => Promise<void>
  onUndo: (items: readonly BulkItem[]) => void
  /** Whether the user has signed out: then no toast is shown. */
  userChanged: () => boolean
}

/** Runs a bulk change and shows its result. @returns the interrupted run when a batch failed */
export async function runBulk(run: BulkRun): Promise<InterruptedBulk | null> {
  const { kind, items, retryOf } = run
  const outcome = await changeInBatches(items, retryOf !== null, run.onBatch)
  const changed = [...(retryOf?.changed ?? []), ...outcome.changed]
  const skipped = await withNumbers(outcome.skipped)
  if (!run.userChanged()) notifyOutcome(run, { ...outcome, changed, skipped })
  return outcome.remaining.length > 0 ? { kind, remaining: outcome.remaining, changed } : null
}

function notifyOutcome(
  run: BulkRun,
  { changed, unchanged, skipped, remaining, error }: BulkOutcome,
) {
  const done = changed.length + unchanged
  const { items, notRestorable } = undoItems(changed)
  const undo =
    run.kind === 'change' && items.length > 0
      ? { action: { label: 'Annulla modifica', run: () => run.onUndo(items) } }
      : {}
  const unlike = run.kind === 'change' ? notRestorableText(notRestorable) : null
  if (remaining.length > 0) {
    const total = done + skipped.length + remaining.length
    toastError(`Modifica interrotta: ${ordersText(done)} su ${total}`, {
      ...described(skippedText(skipped), errorMessage(error)),
      ...undo,
      about: ABOUT_BULK,
      lasting: true,
    })
  } else if (done === 0) {
    toastError('Nessun ordine cambiato', {
      ...described(skippedText(skipped)),
      about: ABOUT_BULK,
      lasting: true,
    })
  } else {
    const [status] = run.items.map(({ to }) => to)
    toastSuccess(doneText(run.kind, done, status), {
      ...described(skippedText(skipped), unlike),
      ...undo,
      about: ABOUT_BULK,
      // Skipped orders must not be missed.
      ...(skipped.length > 0 ? { lasting: true } : { long: true }),
    })
  }
}

function doneText(kind: BulkKind, count: number, status: OrderStatus | undefined): string {
  if (kind === 'change') return `${ordersText(count)}: ${status ?? ''}`
  return count === 1 ? "1 ordine com'era prima" : `${ordersText(count)} com'erano prima`
}

/**
 * Orders selected without having been on screen have no number yet. It is fetched for those that the message lists.
 */
async function withNumbers(skipped: readonly SkippedItem[]): Promise<SkippedItem[]> {
  const named = skipped.slice(0, MAX_LISTED_NUMBERS).map(async (one) => {
    if (one.number !== null || one.now === null) return one
    try {
      const { order } = await call(getOrder, { params: { recordId: one.recordId } })
      return { ...one, number: orderNumber(order) }
    } catch {
      return one
    }
  })
  return [...(await Promise.all(named)), ...skipped.slice(MAX_LISTED_NUMBERS)]
}

/** '37 ordini' */
export const ordersText = (count: number) => formatCount(count, 'ordine', 'ordini')

/** Which orders were skipped, and why; null when there are none. */
export function skippedText(skipped: readonly SkippedItem[]): string | null {
  const gone = skipped.filter(({ now }) => now === null)
  const changed = skipped.filter(({ now }) => now !== null)
  const sentences = [
    changed.length > 0 &&
      (changed.length === 1
        ? `1 ordine non cambiato: nel frattempo qualcuno lo ha modificato${numbersText(changed)}.`
        : `${formatNumber(changed.length)} ordini non cambiati: nel frattempo qualcuno li ha modificati${numbersText(changed)}.`),
    gone.length > 0 &&
      (gone.length === 1
        ? `1 ordine non c'è più${numbersText(gone)}.`
        : `${formatNumber(gone.length)} ordini non ci sono più${numbersText(gone)}.`),
  ].filter((sentence) => sentence !== false)
  return sentences.length > 0 ? sentences.join(' ') : null
}

/** ' (1041, 1042 e altri 3)'; empty when no number is known. */
function numbersText(skipped: readonly SkippedItem[]): string {
  const numbers = skipped.flatMap(({ number }) => (number === null ? [] : [number]))
  const named = numbers.slice(0, MAX_LISTED_NUMBERS)
  if (named.length === 0) return ''
  const others = skipped.length - named.length
  if (others === 0) return ` (${named.join(', ')})`
  return ` (${named.join(', ')} e ${others === 1 ? 'un altro' : `altri ${formatNumber(others)}`})`
}

/** About orders whose previous status cannot be written. */
export function notRestorableText(notRestorable: number): string | null {
  if (notRestorable === 0) return null
  return notRestorable === 1
    ? "1 ordine non torna com'era: il suo stato di prima si può rimettere solo in Airtable."
    : `${formatNumber(notRestorable)} ordini non tornano com'erano: il loro stato di prima si può rimettere solo in Airtable.`
}

/** The texts that are not null, joined, as the description of a toast. */
function described(...parts: (string | null)[]): { description?: string } {
  const description = parts.filter((part) => part !== null).join(' ')
  return description === '' ? {} : { description }
}

/** Maximum number of order numbers listed in a message. */
const MAX_LISTED_NUMBERS = 10

/** An order to change, with the status that the screen shows. */
export type BulkItem = { recordId: string; number: string | null; from: string; to: OrderStatus }

/** An order that was not changed. `now`: its current status, set by another user; null when the order is gone. */
export type SkippedItem = { recordId: string; number: string | null; now: string | null }

type BulkOutcome = {
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
  return { recordId, Stato: to, was: comparableStatus(from) }
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
