import type { Task } from '../../../platform/jobs.ts'
import type { OrderExportsStore } from './order-exports.store.ts'

export const EXPORT_CLEANUP_TASK = 'orders.exports.cleanup'

/** UTC: at night. */
export const dailyExportCleanup = { task: EXPORT_CLEANUP_TASK, at: '02:53' }

type Dependencies = {
  exports: Pick<OrderExportsStore, 'deleteOld'>
  log: { info(details: object, message: string): void }
}

/** Deletes exports requested more than a day ago. */
export function exportTasks({ exports, log }: Dependencies): Record<string, Task> {
  return {
    async [EXPORT_CLEANUP_TASK]() {
      log.info({ exports: await exports.deleteOld() }, 'cleaned up exports')
    },
  }
}
