import { setTimeout as pause } from 'node:timers/promises'
import type { changeOrdersStatus, StatusChange } from '@bancone/contract/bulk-changes'
import type { HandlerResult } from '@bancone/contract/endpoint'
import { AppError } from '../../../base/app-error.ts'
import { type AttachmentPath, toWireRecord } from '../records/order-rows.ts'
import type { Author, OrdersOwner } from '../records/orders-owner.ts'
import type { OrderCopy } from '../sync/order-copy.ts'
import type { OrderChangesStore } from './order-changes.store.ts'
import type { OrderPush } from './order-push.ts'
import type { ChangedOrder } from './order-statuses.store.ts'

type Dependencies = {
  changes: Pick<OrderChangesStore, 'change' | 'changeOne'>
  push: Pick<OrderPush, 'push'>
  copy: Pick<OrderCopy, 'pushPending'>
  /** URL path of the stored picture of an order. */
  picturePath: AttachmentPath
  /** How long a change waits for the push, in milliseconds; after that the job takes over. */
  pushTimeoutMs?: number | undefined
}

export type OrderChanges = ReturnType<typeof createOrderChanges>

/** Status changes: applied to the database at once, then pushed to the order source. */
export function createOrderChanges(dependencies: Dependencies) {
  const { changes, push, copy, picturePath, pushTimeoutMs = 3_000 } = dependencies

  /** Waits for the push for a limited time. The change is stored already and will not be lost. */
  async function pushAndWait(pharmacyId: string, { orderId }: ChangedOrder): Promise<void> {
    const outcome = await Promise.race([
      // A failed push is no failure of the change.
      push.push(pharmacyId, orderId).catch(() => 'waiting' as const),
      pause(pushTimeoutMs, 'waiting' as const, { ref: false }),
    ])
    if (outcome === 'refused') throw new AppError('orders.source_refused')
    if (outcome === 'conflict') throw new AppError('orders.conflict')
    if (outcome === 'gone') throw new AppError('orders.not_found')
  }

  return {
    async changeOne(owner: OrdersOwner, change: StatusChange, author: Author) {
      const isPushed = owner.orderSource !== null
      const order = await changes.changeOne(owner.id, change, author, isPushed)
      if (!order) throw new AppError('orders.not_found')
      if (order.verdict === 'changed_meanwhile') throw new AppError('orders.changed_meanwhile')
      if (order.verdict === 'changed' && owner.pageSource) await pushAndWait(owner.id, order)
      else if (isPushed) copy.pushPending(owner.id)
      return toWireRecord(order.record, picturePath)
    },

    /** Changes each order independently. The push happens in the background. */
    async changeMany(owner: OrdersOwner, wanted: readonly StatusChange[], author: Author) {
      const isPushed = owner.orderSource !== null
      const orders = await changes.change(owner.id, wanted, author, isPushed)
      if (isPushed) copy.pushPending(owner.id)
      const found = new Map(orders.flatMap((order) => order.requestedIds.map((id) => [id, order])))
      const answer: HandlerResult<typeof changeOrdersStatus> = { changed: [], left: [] }
      for (const recordId of new Set(wanted.map((one) => one.recordId))) {
        const order = found.get(recordId)
        if (!order) answer.left.push({ recordId, now: null })
        else if (order.verdict === 'changed_meanwhile')
          answer.left.push({ recordId, now: order.from })
        else answer.changed.push({ recordId, from: order.from, to: order.to })
      }
      return answer
    },
  }
}
