import type { Audit } from '../../../platform/audit.ts'
import type { Tasks } from '../../../platform/jobs.ts'
import type { ExpiryPlace, OrderExpiryStore } from './order-expiry.store.ts'

export const EXPIRY_TASK = 'orders.expire'

type Dependencies = {
  store: OrderExpiryStore
  audit: Pick<Audit, 'record'>
  /** Days after its last change for which an order keeps its customer's data; null: as long as it is there. */
  orderDays(): Promise<number | null>
  log: { info(details: object, message: string): void }
}

/** Removes the customers' data of old orders. */
export function expiryTasks({ store, audit, orderDays, log }: Dependencies): Tasks {
  /** The setting is read for each batch, so that a longer time holds at once. @returns the number of orders */
  async function expireAll(pharmacyId: string, signal: AbortSignal | undefined): Promise<number> {
    let orders = 0
    let place: ExpiryPlace | undefined
    try {
      do {
        signal?.throwIfAborted()
        const days = await orderDays()
        if (days === null) break
        const { expired, next } = await store.expire(pharmacyId, days, place)
        orders += expired
        place = next
      } while (place)
    } finally {
      if (orders > 0) {
        const details = { orders }
        await audit.record({
          action: 'orders_expired',
          userId: null,
          pharmacyId,
          role: 'system',
          details,
        })
      }
    }
    return orders
  }

  return {
    [EXPIRY_TASK]: {
      lane: 'maintenance',
      async run(_payload, signal) {
        if ((await orderDays()) === null) return
        let orders = 0
        for (const pharmacyId of await store.pharmacyIds()) {
          orders += await expireAll(pharmacyId, signal)
        }
        log.info({ orders }, "removed the customers' data of old orders")
      },
    },
  }
}
