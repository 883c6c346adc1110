import type { Task } from '../../../platform/jobs.ts'
import type { OrderHistoryStore } from './order-history.store.ts'

const CLEANUP_TASK = 'orders.history.forget'

/** UTC: at night, after the cleanup of pictures. */
export const dailyHistoryCleanup = { task: CLEANUP_TASK, at: '02:57' }

type Dependencies = {
  history: OrderHistoryStore
  log: { info(details: object, message: string): void }
}

/** Deletes history and notes of orders that were removed long ago. */
export function historyTasks({ history, log }: Dependencies): Record<string, Task> {
  return {
    async [CLEANUP_TASK](_payload, signal) {
      let orders = 0
      for (;;) {
        signal?.throwIfAborted()
        const forgotten = await history.deleteGone()
        if (forgotten === 0) break
        orders += forgotten
      }
      log.info({ orders }, 'forgot the history of orders that are gone')
    },
  }
}
