import { setTimeout as pause } from 'node:timers/promises'
import type { OrderRecord, OrderStatus, OrdersPage, OrdersQuery } from '@bancone/contract/orders'
import { AppError } from '../../app-error.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SourceLocation } from '../../ports/order-source.ts'
import type { OrderChangesStore } from './order-changes.store.ts'
import type { OrderCopy } from './order-copy.ts'
import { createOrderPages } from './order-pages.ts'
import type { OrderPush } from './order-push.ts'
import { countOf, freshness, pagination, statistics } from './orders.rules.ts'
import type { OrdersStore } from './orders.store.ts'

/** The pharmacy whose orders they are, and where they are kept besides our database. */
export type OrdersOwner = { id: string; orderSource: SourceLocation | null }

type Dependencies = {
  store: OrdersStore
  changes: OrderChangesStore
  copy: OrderCopy
  push: OrderPush
  clock: Clock
  /** Milliseconds a change waits for the order store's word before it is left to the job. */
  pushPatience?: number | undefined
}

export type OrdersService = {
  list(owner: OrdersOwner, query: OrdersQuery): Promise<OrdersPage>
  changeStatus(owner: OrdersOwner, recordId: string, status: OrderStatus): Promise<OrderRecord>
}

const nothingCopied = { readAt: null, pendingChanges: 0 }

export function createOrders(dependencies: Dependencies): OrdersService {
  const { store, changes, copy, push, clock, pushPatience = 3_000 } = dependencies
  const pages = createOrderPages(store)

  return {
    async list(owner, query) {
      const freshened = owner.orderSource && (await copy.freshen(owner.id, owner.orderSource))
      const [state, copied] = await Promise.all([
        store.state(owner.id),
        owner.orderSource ? store.copyStatus(owner.id) : nothingCopied,
      ])
      const records = await pages.read(owner.id, state.version, query)
      return {
        records,
        pagination: pagination(query.page, query.pageSize, countOf(state.counts, query.stato)),
        statistics: statistics(state.counts),
        freshness: freshness(freshened, copied, clock.now()),
      }
    },

    async changeStatus(owner, recordId, status) {
      if (!owner.orderSource) {
        const record = await store.setStatus(owner.id, recordId, status)
        if (!record) throw new AppError('orders.not_found')
        return record
      }
      const change = await changes.record(owner.id, recordId, status)
      if (!change) throw new AppError('orders.not_found')
      // From here on the change is kept, whatever happens: a failure to push is not one to change.
      const outcome = await Promise.race([
        push.push(change.orderId).catch(() => 'waiting' as const),
        pause(pushPatience, 'waiting' as const, { ref: false }),
      ])
      if (outcome === 'refused') throw new AppError('orders.source_refused')
      return change.record
    },
  }
}
