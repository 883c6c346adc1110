import type { OrderHold } from '@bancone/contract/order-details'
import type { OwnOrderRetention } from '@bancone/contract/order-retention'
import type { OrderRetention } from '@bancone/contract/settings'
import { toOrderHold, type Viewer } from '../details/order-details.rules.ts'
import { personOf } from '../order-author.ts'
import type { OrderHoldsStore } from './order-holds.store.ts'
import type { OrderRetentionStore } from './order-retention.store.ts'

type Days = OrderRetention['orderDays']

type Dependencies = {
  store: OrderRetentionStore
  holds: OrderHoldsStore
  /** Days of the platform; null: as long as the order. */
  platformDays(): Promise<Days>
}

export type OrderRetentionService = ReturnType<typeof createOrderRetention>

/** For how long the orders of a pharmacy keep their customers' data, and which keep them for longer. */
export function createOrderRetention({ store, holds, platformDays }: Dependencies) {
  async function get(pharmacyId: string): Promise<OwnOrderRetention> {
    return { ...(await store.get(pharmacyId)), platformDays: await platformDays() }
  }

  return {
    get,

    async change(
      pharmacyId: string,
      { before, orderDays }: { before: Days; orderDays: Days },
    ): Promise<OwnOrderRetention> {
      await store.change(pharmacyId, before, orderDays)
      return get(pharmacyId)
    },

    async hold(
      pharmacyId: string,
      recordId: string,
      reason: string,
      viewer: Viewer,
    ): Promise<OrderHold> {
      return toOrderHold(await holds.hold(pharmacyId, recordId, reason, personOf(viewer)), viewer)
    },

    async release(pharmacyId: string, recordId: string): Promise<Record<string, never>> {
      await holds.release(pharmacyId, recordId)
      return {}
    },
  }
}
