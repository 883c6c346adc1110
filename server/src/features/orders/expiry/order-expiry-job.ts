import type { Tasks } from '../../../platform/jobs.ts'
import type { OrderExpiryStore } from './order-expiry.store.ts'

export const EXPIRY_TASK = 'orders.expire'

type Dependencies = {
  store: OrderExpiryStore
  /** Days after its last change for which an order keeps its customer's data; null: as long as it is there. */
  orderDays(): Promise<number | null>
  log: { info(details: object, message: string): void }
}

/** Removes the customers' data of old orders. */
export function expiryTasks({ store, orderDays, log }: Dependencies): Tasks {
  return {
    [EXPIRY_TASK]: {
      lane: 'maintenance',
      async run(_payload, signal) {
        const days = await orderDays()
        if (days === null) return
        let orders = 0
        for (const pharmacyId of await store.pharmacyIds()) {
          for (;;) {
            signal?.throwIfAborted()
            const expired = await store.expire(pharmacyId, days)
            if (expired === 0) break
            orders += expired
          }
        }
        log.info({ orders }, "removed the customers' data of old orders")
      },
    },
  }
}
