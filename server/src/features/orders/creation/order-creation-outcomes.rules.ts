/** A pending order, read after it was locked. Times are ISO 8601. */
export type PendingOrder = {
  origin: string
  orderNumber: string | null
  /** When its creation was requested. */
  requestedAt: string
  /** The creator's request has been answered with success. */
  answered: boolean
  /** No user has seen it: `seen_at` still has its first value, `created_at`. */
  isUnseen: boolean
  /** When a user first changed its status. */
  statusChangedAt: string | null
  /** A status change waits to be pushed. */
  hasChange: boolean
}

/** Another order that has the record id that the source returned for the pending one. */
type RecordHolder = { id: string; origin: string; createdAt: string }

/**
 * - `taken`: the record is that of the other order, so the pending one stays pending
 * - `confirm`: the record is that of the pending order
 * - `merge`: so is the other order, which a reading copied before the record was matched; `movesChange`: the pending
 *   order takes over the other's status change
 *
 * `isNew`: the order is announced as new.
 */
type Confirmation =
  | { kind: 'taken' }
  | { kind: 'confirm'; isNew: boolean }
  | { kind: 'merge'; holderId: string; movesChange: boolean; isNew: boolean }

/** What becomes of a pending order for which the source returned a record. */
export function confirmation(order: PendingOrder, holder: RecordHolder | undefined): Confirmation {
  if (!holder) return { kind: 'confirm', isNew: isNew(order) }
  const isAnother = holder.origin !== 'store' || holder.createdAt < order.requestedAt
  if (isAnother) return { kind: 'taken' }
  const movesChange = !order.hasChange
  return { kind: 'merge', holderId: holder.id, movesChange, isNew: isNew(order) }
}

/**
 * - `remove`: the order is deleted, and the creator's request fails
 * - `keep`: the order stays in the database only
 */
type Refusal = { kind: 'remove' } | { kind: 'keep'; isNew: boolean }

/**
 * What becomes of a pending order that the source rejected permanently.
 *
 * @param callerWaits the creator's current request has not been answered
 */
export function refusal(order: PendingOrder, callerWaits: boolean): Refusal {
  if (callerWaits && !order.answered) return { kind: 'remove' }
  return { kind: 'keep', isNew: isNew(order) }
}

/** Whether an order that stays in the database is given a number, because no source assigns one. */
export function needsNumber({ orderNumber }: PendingOrder): boolean {
  return orderNumber === null
}

/**
 * Whether an order that has become final is announced as new: once, if it was created by an API key and no user has
 * seen or changed it.
 */
export function isNew({ answered, origin, isUnseen, statusChangedAt }: PendingOrder): boolean {
  return !answered && origin === 'api' && isUnseen && statusChangedAt === null
}
