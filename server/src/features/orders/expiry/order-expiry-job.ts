import { z } from 'zod'
import type { Tasks } from '../../../platform/jobs.ts'
import {
  EXPIRY_OF_PHARMACY_TASK,
  type ExpiryPlace,
  type OrderExpiryStore,
} from './order-expiry.store.ts'

export const EXPIRY_TASK = 'orders.expire'

const OfPharmacy = z.object({ pharmacyId: z.uuid() })

type Dependencies = {
  store: OrderExpiryStore
  /** Days after its last change for which an order keeps its customer's data; null: as long as it is there. */
  orderDays(): Promise<number | null>
  log: { info(details: object, message: string): void }
}

/** Removes the customers' data of old orders: by a job for each pharmacy, so that none waits for a large one. */
export function expiryTasks({ store, orderDays, log }: Dependencies): Tasks {
  return {
    [EXPIRY_TASK]: {
      lane: 'maintenance',
      async run() {
        if ((await orderDays()) !== null) await store.enqueue()
      },
    },
    [EXPIRY_OF_PHARMACY_TASK]: {
      lane: 'maintenance',
      async run(payload, signal) {
        const { pharmacyId } = OfPharmacy.parse(payload)
        let orders = 0
        let place: ExpiryPlace | undefined
        do {
          signal?.throwIfAborted()
          // For each batch, so that a longer time holds at once.
          const days = await orderDays()
          if (days === null) break
          const { expired, next } = await store.expire(pharmacyId, days, place)
          orders += expired
          place = next
        } while (place)
        if (orders > 0) log.info({ orders }, "removed the customers' data of old orders")
      },
    },
  }
}
