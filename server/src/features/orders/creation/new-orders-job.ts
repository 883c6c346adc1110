import type { Task } from '../../../platform/jobs.ts'
import type { NewOrdersStore } from './new-orders.store.ts'
import { type OrderCreation, orderCreationJob } from './order-creation.ts'
import { CREATE_TASK } from './order-creations.store.ts'

export const REQUEST_CLEANUP_TASK = 'orders.requests.cleanup'

/** UTC: at night. */
export const dailyRequestsCleanup = { task: REQUEST_CLEANUP_TASK, at: '02:57' }

type Dependencies = {
  creation: OrderCreation
  store: Pick<NewOrdersStore, 'deleteOldRequests'>
  log: { info(details: object, message: string): void }
}

/** Pushes new orders to their source, and deletes old idempotency keys. */
export function newOrderTasks({ creation, store, log }: Dependencies): Record<string, Task> {
  return {
    [CREATE_TASK]: orderCreationJob(creation),

    async [REQUEST_CLEANUP_TASK]() {
      log.info({ requests: await store.deleteOldRequests() }, 'cleaned up requests')
    },
  }
}
