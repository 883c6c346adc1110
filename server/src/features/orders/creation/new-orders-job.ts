import type { Tasks } from '../../../platform/jobs.ts'
import type { NewOrdersStore } from './new-orders.store.ts'
import { type OrderCreation, orderCreationJob } from './order-creation.ts'
import { CREATE_TASK } from './order-creations.store.ts'

export const REQUEST_CLEANUP_TASK = 'orders.requests.cleanup'

type Dependencies = {
  creation: OrderCreation
  store: Pick<NewOrdersStore, 'deleteOldRequests'>
  log: { info(details: object, message: string): void }
}

/** Pushes new orders to their source, and deletes old idempotency keys. */
export function newOrderTasks({ creation, store, log }: Dependencies) {
  return {
    [CREATE_TASK]: { lane: 'delivery', run: orderCreationJob(creation) },

    [REQUEST_CLEANUP_TASK]: {
      lane: 'maintenance',
      async run() {
        log.info({ requests: await store.deleteOldRequests() }, 'cleaned up requests')
      },
    },
  } satisfies Tasks
}
