import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { enqueue } from '../../platform/jobs.ts'

export const NOTIFY_TASK = 'notifications.tell'

/** Name of the queue in which a pharmacy's jobs run one at a time, or two jobs would notify a device of the same. */
export function notificationQueue(pharmacyId: string): string {
  return `notifications:${pharmacyId}`
}

/** What devices are notified of, and the column of `push_arrivals` that counts it. */
const counters = { orders: 'times', customers: 'customers' } as const

/**
 * Records the arrival of new orders and enqueues the job that notifies the pharmacy's devices.
 *
 * @param tx the transaction that writes the orders, so that the job exists exactly if it commits
 */
export function enqueueArrivals(tx: Database, pharmacyId: string): Promise<void> {
  return enqueueArrival(tx, pharmacyId, 'orders')
}

/** The same for customers with priority access. @param tx the transaction that writes the arrival */
export function enqueueCustomerArrival(tx: Database, pharmacyId: string): Promise<void> {
  return enqueueArrival(tx, pharmacyId, 'customers')
}

/** The only writer of `push_arrivals`. */
async function enqueueArrival(tx: Database, pharmacyId: string, what: keyof typeof counters) {
  const column = counters[what]
  await tx
    .insertInto('push_arrivals')
    .values({ pharmacy_id: pharmacyId, times: 0, [column]: 1 })
    .onConflict((conflict) =>
      conflict
        .column('pharmacy_id')
        .doUpdateSet({ [column]: sql<string>`push_arrivals.${sql.ref(column)} + 1` }),
    )
    .execute()
  const key = `${NOTIFY_TASK}:${pharmacyId}`
  await enqueue(tx, NOTIFY_TASK, { pharmacyId }, { key, queue: notificationQueue(pharmacyId) })
}
