import { getOrder } from '@bancone/contract/order-details'
import type { OrderStatus } from '@bancone/contract/orders'
import { call } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'
import { toastError, toastResult } from '../../ui/toast.ts'
import {
  type BulkItem,
  type BulkOutcome,
  changeInPortions,
  type Left,
  MOST_NUMBERS,
  undoOf,
} from './bulk-change.ts'
import { described, foreignText, leftText, ordersText } from './bulk-texts.ts'
import { orderNumber } from './order-view.ts'

const ABOUT_BULK = 'orders-status'

/** To one status, or each back to its former one. */
export type BulkKind = 'change' | 'undo'

/** What could not be finished: what is left of it, and what was changed before. */
export type Broken = {
  kind: BulkKind
  rest: readonly BulkItem[]
  changed: readonly BulkItem[]
}

type BulkRun = {
  kind: BulkKind
  items: readonly BulkItem[]
  /** What broke off, when this is its second attempt. */
  again: Broken | null
  onPortion: (through: string[], statuses: Map<string, string>) => Promise<void>
  onUndo: (items: readonly BulkItem[]) => void
  /** Who asked for it has left: nothing is said. */
  userGone: () => boolean
}

/** Changes the orders and says what became of it. @returns what could not be finished, if anything */
export async function runBulk(run: BulkRun): Promise<Broken | null> {
  const { kind, items, again } = run
  const outcome = await changeInPortions(items, again !== null, run.onPortion)
  const changed = [...(again?.changed ?? []), ...outcome.changed]
  const left = await withNumbers(outcome.left)
  if (!run.userGone()) say(run, { ...outcome, changed, left })
  return outcome.rest.length > 0 ? { kind, rest: outcome.rest, changed } : null
}

function say(run: BulkRun, { changed, same, left, rest, error }: BulkOutcome) {
  const done = changed.length + same
  const { items, foreign } = undoOf(changed)
  const undo =
    run.kind === 'change' && items.length > 0
      ? { action: { label: 'Annulla modifica', run: () => run.onUndo(items) } }
      : {}
  const unlike = run.kind === 'change' ? foreignText(foreign) : null
  if (rest.length > 0) {
    const total = done + left.length + rest.length
    toastError(`Modifica interrotta: ${ordersText(done)} su ${total}`, {
      ...described(leftText(left), errorMessage(error)),
      ...undo,
      about: ABOUT_BULK,
      lasting: true,
    })
  } else if (done === 0) {
    toastError('Nessun ordine cambiato', {
      ...described(leftText(left)),
      about: ABOUT_BULK,
      lasting: true,
    })
  } else {
    const [status] = run.items.map(({ to }) => to)
    toastResult(doneText(run.kind, done, status), {
      ...described(leftText(left), unlike),
      ...undo,
      about: ABOUT_BULK,
      // What was left out must not be missed.
      ...(left.length > 0 ? { lasting: true } : { long: true }),
    })
  }
}

function doneText(kind: BulkKind, count: number, status: OrderStatus | undefined): string {
  if (kind === 'change') return `${ordersText(count)}: ${status ?? ''}`
  return count === 1 ? "1 ordine com'era prima" : `${ordersText(count)} com'erano prima`
}

/** Those selected without having been on screen have no number yet: it is asked for, as far as it is read. */
async function withNumbers(left: readonly Left[]): Promise<Left[]> {
  const named = left.slice(0, MOST_NUMBERS).map(async (one) => {
    if (one.number !== null || one.now === null) return one
    try {
      const { order } = await call(getOrder, { params: { recordId: one.recordId } })
      return { ...one, number: orderNumber(order) }
    } catch {
      return one
    }
  })
  return [...(await Promise.all(named)), ...left.slice(MOST_NUMBERS)]
}
