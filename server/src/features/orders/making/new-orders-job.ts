import type { Task } from '../../../platform/jobs.ts'
import type { NewOrdersStore } from './new-orders.store.ts'
import { type OrderCreation, orderCreationJob } from './order-creation.ts'
import { CREATE_TASK } from './order-creations.store.ts'

export const REQUESTS_CLEANUP_TASK = 'orders.requests.cleanup'

/** UTC: before anybody works. */
export const dailyRequestsCleanup = { task: REQUESTS_CLEANUP_TASK, at: '02:57' }

type Dependencies = {
  creation: OrderCreation
  store: Pick<NewOrdersStore, 'forgetRequests'>
  log: { info(details: object, message: string): void }
}

/** Brings orders to their store; and forgets the requests that nobody repeats any more. */
export function newOrderTasks({ creation, store, log }: Dependencies): Record<string, Task> {
  return {
    [CREATE_TASK]: orderCreationJob(creation),

    async [REQUESTS_CLEANUP_TASK]() {
      log.info({ requests: await store.forgetRequests() }, 'cleaned up requests')
    },
  }
}
