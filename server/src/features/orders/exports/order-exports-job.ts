import type { Tasks } from '../../../platform/jobs.ts'
import type { OrderExportsStore } from './order-exports.store.ts'

export const EXPORT_CLEANUP_TASK = 'orders.exports.cleanup'

type Dependencies = {
  exports: Pick<OrderExportsStore, 'deleteOld'>
  log: { info(details: object, message: string): void }
}

/** Deletes exports requested more than a day ago. */
export function exportTasks({ exports, log }: Dependencies): Tasks {
  return {
    [EXPORT_CLEANUP_TASK]: {
      lane: 'maintenance',
      async run() {
        log.info({ exports: await exports.deleteOld() }, 'cleaned up exports')
      },
    },
  }
}
