import { setTimeout as pause } from 'node:timers/promises'
import type { Answer } from '@bancone/contract/endpoint'
import type { changeOrdersStatus, StatusChange } from '@bancone/contract/order-search'
import type { OrderRecord } from '@bancone/contract/orders'
import { AppError } from '../../../app-error.ts'
import type { OrderCopy } from '../copy/order-copy.ts'
import type { Author } from '../order-author.ts'
import { shownRecord } from '../order-rows.ts'
import type { OrdersOwner } from '../orders.service.ts'
import type { OrderChangesStore } from './order-changes.store.ts'
import type { OrderPush } from './order-push.ts'
import type { ChangedOrder } from './order-statuses.store.ts'

type Dependencies = {
  changes: Pick<OrderChangesStore, 'change' | 'record'>
  push: Pick<OrderPush, 'push'>
  copy: Pick<OrderCopy, 'pushWaiting'>
  /** The address of the picture that is kept of an order. */
  picturePath(orderId: string): string
  /** Milliseconds a change waits for the order store's word before it is left to the job. */
  pushPatience?: number | undefined
}

export type OrderChanges = ReturnType<typeof createOrderChanges>

/** Changes of states: here at once, and then in the order store. */
export function createOrderChanges(dependencies: Dependencies) {
  const { changes, push, copy, picturePath, pushPatience = 3_000 } = dependencies

  function write(owner: OrdersOwner, wanted: readonly StatusChange[], author: Author) {
    return owner.orderSource
      ? changes.record(owner.id, wanted, author)
      : changes.change(owner.id, wanted, author)
  }

  /** Waits for the store for a while. From here on the change is kept, whatever happens. */
  async function bring({ orderId }: ChangedOrder): Promise<void> {
    const outcome = await Promise.race([
      // A failure to push is not one to change.
      push.push(orderId).catch(() => 'waiting' as const),
      pause(pushPatience, 'waiting' as const, { ref: false }),
    ])
    if (outcome === 'refused') throw new AppError('orders.source_refused')
    if (outcome === 'conflict') throw new AppError('orders.conflict')
    if (outcome === 'gone') throw new AppError('orders.not_found')
  }

  return {
    async one(owner: OrdersOwner, change: StatusChange, author: Author): Promise<OrderRecord> {
      const [order] = await write(owner, [change], author)
      if (!order) throw new AppError('orders.not_found')
      if (order.verdict === 'left') throw new AppError('orders.changed_meanwhile')
      if (order.verdict === 'changed' && owner.orderSource) await bring(order)
      return shownRecord(order.record, picturePath)
    },

    /** Each by itself. The store follows in the background. */
    async several(
      owner: OrdersOwner,
      wanted: readonly StatusChange[],
      author: Author,
    ): Promise<Answer<typeof changeOrdersStatus>> {
      const orders = await write(owner, wanted, author)
      if (owner.orderSource) copy.pushWaiting(owner.id)
      const found = new Map(orders.flatMap((order) => order.asked.map((id) => [id, order])))
      const answer: Answer<typeof changeOrdersStatus> = { changed: [], left: [] }
      for (const recordId of new Set(wanted.map((one) => one.recordId))) {
        const order = found.get(recordId)
        if (!order) answer.left.push({ recordId, now: null })
        else if (order.verdict === 'left') answer.left.push({ recordId, now: order.from })
        else answer.changed.push({ recordId, from: order.from, to: order.to })
      }
      return answer
    },
  }
}
