import { AppError } from '../../../app-error.ts'
import type { OrdersOwner } from '../orders.service.ts'
import type { OrderRereadingStore } from './order-rereading.store.ts'

type Dependencies = {
  store: OrderRereadingStore
  /** Whether an order source is configured. */
  hasSource: boolean
  findOwner(named: string): Promise<OrdersOwner | undefined>
}

/** Readings from the beginning that an administrator starts, for example after the table was repaired. */
export function createOrderRereading({ store, hasSource, findOwner }: Dependencies) {
  return {
    async start(pharmacyId: string): Promise<void> {
      const owner = await findOwner(pharmacyId)
      if (!owner) throw new AppError('pharmacies.not_found')
      if (!owner.orderSource || !hasSource) throw new AppError('orders.not_on_airtable')
      await store.start(owner.id, owner.orderSource)
    },
  }
}
