import type { Task } from '../../../platform/jobs.ts'
import type { OrderHistoryStore } from './order-history.store.ts'

const FORGET_TASK = 'orders.history.forget'

/** UTC: after the cleaning of the pictures, before anybody works. */
export const dailyHistoryCleanup = { task: FORGET_TASK, at: '02:57' }

type Dependencies = {
  history: OrderHistoryStore
  log: { info(details: object, message: string): void }
}

/** Forgets what is kept of orders that have been gone for long. */
export function historyTasks({ history, log }: Dependencies): Record<string, Task> {
  return {
    async [FORGET_TASK](_payload, signal) {
      let orders = 0
      for (;;) {
        signal?.throwIfAborted()
        const forgotten = await history.forgetGone()
        if (forgotten === 0) break
        orders += forgotten
      }
      log.info({ orders }, 'forgot the history of orders that are gone')
    },
  }
}
