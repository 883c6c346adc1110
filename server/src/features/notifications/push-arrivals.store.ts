import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { enqueue } from '../../platform/jobs.ts'

export const NOTIFY_TASK = 'notifications.tell'

/** Name of the queue in which a pharmacy's jobs run one at a time, or two jobs would notify a device of the same. */
export function notificationQueue(pharmacyId: string): string {
  return `notifications:${pharmacyId}`
}

/**
 * Records the arrival of new orders and enqueues the job that notifies the pharmacy's devices. The only writer of
 * `push_arrivals`.
 *
 * @param tx the transaction that writes the orders, so that the job exists exactly if it commits
 */
export async function enqueueArrivals(tx: Database, pharmacyId: string): Promise<void> {
  await tx
    .insertInto('push_arrivals')
    .values({ pharmacy_id: pharmacyId, times: 1 })
    .onConflict((conflict) =>
      conflict.column('pharmacy_id').doUpdateSet({ times: sql<string>`push_arrivals.times + 1` }),
    )
    .execute()
  const key = `${NOTIFY_TASK}:${pharmacyId}`
  await enqueue(tx, NOTIFY_TASK, { pharmacyId }, { key, queue: notificationQueue(pharmacyId) })
}
