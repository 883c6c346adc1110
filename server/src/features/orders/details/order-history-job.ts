import type { Tasks } from '../../../platform/jobs.ts'
import type { OrderHistoryStore } from './order-history.store.ts'

export const HISTORY_CLEANUP_TASK = 'orders.history.forget'

type Dependencies = {
  history: OrderHistoryStore
  /** Days for which history and notes of a removed order are kept. */
  retentionDays(): Promise<number>
  log: { info(details: object, message: string): void }
}

/** Deletes history and notes of orders that were removed long ago. */
export function historyTasks({ history, retentionDays, log }: Dependencies): Tasks {
  return {
    [HISTORY_CLEANUP_TASK]: {
      lane: 'maintenance',
      async run(_payload, signal) {
        const days = await retentionDays()
        let orders = 0
        for (;;) {
          signal?.throwIfAborted()
          const forgotten = await history.deleteGone(days)
          if (forgotten === 0) break
          orders += forgotten
        }
        log.info({ orders }, 'forgot the history of orders that are gone')
      },
    },
  }
}
