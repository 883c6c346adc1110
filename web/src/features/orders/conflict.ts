import { getOrder, type OrderDetails, type OrderEvent } from '@bancone/contract/order-details'
import type { OrderRecord, OrderStatus } from '@bancone/contract/orders'
import { call } from '../../lib/api.ts'
import { formatMoment } from '../../lib/format.ts'
import type { OrderView } from './order-view.ts'

/** What is needed of an order to change its status: nothing of the customer goes into a toast. */
export type StatusTarget = Pick<OrderView, 'recordId' | 'number' | 'status'>

/** Somebody has changed an order that somebody here was about to change. */
export type Conflict = {
  /** With the status it has now. */
  target: StatusTarget
  wanted: OrderStatus
  /** What gave it that status; null where its history does not say. */
  change: OrderEvent | null
  /** The order as it is now. */
  order: OrderRecord
}

/** Asks what has become of the order. */
export async function readConflict(target: StatusTarget, wanted: OrderStatus): Promise<Conflict> {
  const details = await call(getOrder, { params: { recordId: target.recordId } })
  return conflictOf(target, wanted, details)
}

export function conflictOf(
  { recordId, number }: StatusTarget,
  wanted: OrderStatus,
  { order, history }: OrderDetails,
): Conflict {
  const status = order.fields.Stato
  const change = history.find(({ kind, to }) => kind === 'status' && to === status) ?? null
  return { target: { recordId, number, status }, wanted, change, order }
}

function whoText({ who, source }: OrderEvent): string | null {
  if (source === 'airtable') return 'da Airtable'
  if (source === 'api') return 'tramite API'
  if (who === null) return null
  if (!who.you) return who.name
  return who.here ? 'tu, da questo schermo' : 'tu, da un altro schermo'
}

/** Who changed it and when: 'Maria, alle 10:42'. The day is said when it is not today. */
export function byWhom(change: OrderEvent, now: number): string {
  const when = formatMoment(change.at, now).replace(/^delle /, 'alle ')
  return [whoText(change), when].filter((part) => part !== null).join(', ')
}
