import { getOrder } from '@bancone/contract/order-details'
import type { OrderStatus } from '@bancone/contract/orders'
import { call } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'
import { toastError, toastSuccess } from '../../ui/toast.ts'
import {
  type BulkItem,
  type BulkOutcome,
  changeInBatches,
  MAX_LISTED_NUMBERS,
  type SkippedItem,
  undoItems,
} from './bulk-change.ts'
import { described, notRestorableText, ordersText, skippedText } from './bulk-texts.ts'
import { orderNumber } from './order-view.ts'

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
