import type { OrderHold } from '@bancone/contract/order-details'
import type {
  changeOrderRetention,
  HeldOrder,
  OwnOrderRetention,
} from '@bancone/contract/order-retention'
import type { OrderRetention } from '@bancone/contract/settings'
import type { z } from 'zod'
import { AppError } from '../../../base/app-error.ts'
import { type Viewer, withActor } from '../records/order-details.rules.ts'
import type { OrderHoldsStore } from '../records/order-holds.store.ts'
import { personOf } from '../records/orders-owner.ts'
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
      { seen, orderDays }: z.output<typeof changeOrderRetention.body>,
    ): Promise<OwnOrderRetention> {
      if (orderDays === null && seen.platformDays !== (await platformDays()))
        throw new AppError('order_retention.changed_meanwhile')
      await store.change(pharmacyId, seen.orderDays, orderDays)
      return get(pharmacyId)
    },

    async held(pharmacyId: string, viewer: Viewer): Promise<HeldOrder[]> {
      const held = await holds.list(pharmacyId)
      return held.map((hold) => withActor(hold, viewer))
    },

    async hold(
      pharmacyId: string,
      recordId: string,
      reason: string,
      viewer: Viewer,
    ): Promise<OrderHold> {
      return withActor(await holds.hold(pharmacyId, recordId, reason, personOf(viewer)), viewer)
    },

    async release(pharmacyId: string, recordId: string): Promise<Record<string, never>> {
      await holds.release(pharmacyId, recordId)
      return {}
    },
  }
}
