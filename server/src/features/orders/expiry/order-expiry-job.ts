import { z } from 'zod'
import type { Tasks } from '../../../platform/jobs.ts'
import { EXPIRY_OF_PHARMACY_TASK, type OrderExpiryStore } from './order-expiry.store.ts'

export const EXPIRY_TASK = 'orders.expire'

/** Batches of one job; the rest of a large pharmacy is done by another one, so that other jobs do not wait. */
const MAX_BATCHES = 4

const OfPharmacy = z.object({
  pharmacyId: z.uuid(),
  after: z.object({ created: z.string(), id: z.string() }).optional(),
})

type Dependencies = {
  store: OrderExpiryStore
  /** Days of the platform; null: as long as the order. */
  platformDays(): Promise<number | null>
  log: { info(details: object, message: string): void }
}

/** Removes the customers' data of old orders: by a job for each pharmacy, so that none waits for a large one. */
export function expiryTasks({ store, platformDays, log }: Dependencies): Tasks {
  return {
    [EXPIRY_TASK]: {
      lane: 'maintenance',
      async run() {
        await store.enqueue(await platformDays())
      },
    },
    [EXPIRY_OF_PHARMACY_TASK]: {
      lane: 'maintenance',
      async run(payload, signal) {
        const { pharmacyId, after } = OfPharmacy.parse(payload)
        let orders = 0
        let place = after
        for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
          signal?.throwIfAborted()
          // For each batch, so that a longer time holds at once.
          const { expired, next } = await store.expire(pharmacyId, await platformDays(), place)
          orders += expired
          place = next
          if (!place) break
        }
        if (place) await store.continueLater(pharmacyId, place)
        if (orders > 0) log.info({ orders }, "removed the customers' data of old orders")
      },
    },
  }
}
