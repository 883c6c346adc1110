import type { OrderRecord, OrdersPage } from '@bancone/contract/orders'
import { ordersListId } from './orders-focus.ts'
import type { ShownOrders } from './use-orders.ts'

/** A loaded page, and the one that follows it while orders wait. */
type Loaded = ShownOrders & { following: OrdersPage | undefined; followingAt: number }

/** What is shown of a loaded page. */
export type Held = {
  loaded: Loaded
  page: OrdersPage
  /** Ids of all orders that were shown in this list: they do not wait. */
  known: ReadonlySet<string>
  /** The number of new orders above the shown ones, which wait. */
  waiting: number
}

/** Without input from the user for this time, the list does not count as in use. */
const REST_MS = 60_000

let touchedAt = 0
for (const sign of ['pointermove', 'pointerdown', 'keydown', 'focusin', 'scroll']) {
  window.addEventListener(sign, () => (touchedAt = Date.now()), { capture: true, passive: true })
}

/** A user would notice rows that move: has scrolled, points at one, has focused or selected one, or uses a menu. */
export function isListInUse(): boolean {
  if (Date.now() - touchedAt > REST_MS) return false
  const signs = `#${ordersListId}:hover, #${ordersListId} :focus, [aria-expanded=true], [data-bulk-bar]`
  return window.scrollY > 0 || document.querySelector(signs) !== null
}

/** Whether the order is ready and not collected. */
const isToCollect = ({ fields, readyAt, collectedAt, putBackAt }: OrderRecord) =>
  readyAt !== undefined && (collectedAt ?? putBackAt) === undefined && fields.Stato !== 'Annullato'

/** The shown orders that new ones have pushed off the loaded page, without those that have left the list. */
function pushedOff(shown: OrdersPage, loaded: Loaded): OrderRecord[] {
  const { page, query, following, followingAt, updatedAt } = loaded
  if (!page.pagination.hasNextPage) return []
  const ids = new Set(page.records.map(({ id }) => id))
  const last = shown.records.findLastIndex(({ id }) => ids.has(id))
  const statuses = query.ritardo ? ['In attesa'] : query.stato
  return shown.records.slice(last + 1).flatMap((order) => {
    const now = following?.records.find(({ id }) => id === order.id)
    if (now) return [now]
    const left =
      statuses?.every((status) => status !== order.fields.Stato) ??
      (query.ritiro !== undefined && !isToCollect(order))
    return left || (following && followingAt >= updatedAt) ? [] : [order]
  })
}

/** The loaded page without the orders that are new above shown ones; null when no shown order is left. */
function holdBack({ page, known }: Held, loaded: Loaded) {
  const { records, unseen } = loaded.page
  const isKnown = ({ id }: OrderRecord) => known.has(id) || known.has(unseen.formerly?.[id] ?? '')
  const last = records.findLastIndex(isKnown)
  const stay = records.filter((order, index) => isKnown(order) || (last !== -1 && index > last))
  const waiting = records.length - stay.length
  if (waiting > 0) stay.push(...pushedOff(page, loaded))
  return stay.length > 0 ? { page: { ...loaded.page, records: stay }, waiting } : null
}

/** What to show of a newly loaded page. While the list is in use, no shown order moves. */
export function nextHeld(held: Held | null, loaded: Loaded): Held {
  const before = held?.loaded.query === loaded.query ? held : null
  const kept = before && isListInUse() ? holdBack(before, loaded) : null
  const { page, waiting } = kept ?? { page: loaded.page, waiting: 0 }
  const known = new Set([...(before?.known ?? []), ...page.records.map(({ id }) => id)])
  return { loaded, page, known, waiting }
}
