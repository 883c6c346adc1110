import type { Task } from '../../../platform/jobs.ts'
import type { OrderExportsStore } from './order-exports.store.ts'

export const EXPORT_CLEANUP_TASK = 'orders.exports.cleanup'

/** UTC: before anybody works. */
export const dailyExportCleanup = { task: EXPORT_CLEANUP_TASK, at: '02:53' }

type Dependencies = {
  exports: Pick<OrderExportsStore, 'forgetOld'>
  log: { info(details: object, message: string): void }
}

/** Takes away what is known of files that were asked for over a day ago. */
export function exportTasks({ exports, log }: Dependencies): Record<string, Task> {
  return {
    async [EXPORT_CLEANUP_TASK]() {
      log.info({ exports: await exports.forgetOld() }, 'cleaned up exports')
    },
  }
}
