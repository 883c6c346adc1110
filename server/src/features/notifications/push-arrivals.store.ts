import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { enqueue } from '../../platform/jobs.ts'

export const TELL_TASK = 'notifications.tell'

/** One after the other, or two jobs would tell a device the same. */
export function tellingQueue(pharmacyId: string): string {
  return `notifications:${pharmacyId}`
}

/**
 * New orders have come: leaves a job that tells the pharmacy's devices. The only writer of
 * `push_arrivals`.
 *
 * @param tx the transaction that writes the orders: their devices are told exactly if it is committed
 */
export async function tellOfArrivals(tx: Database, pharmacyId: string): Promise<void> {
  await tx
    .insertInto('push_arrivals')
    .values({ pharmacy_id: pharmacyId, times: 1 })
    .onConflict((conflict) =>
      conflict.column('pharmacy_id').doUpdateSet({ times: sql<string>`push_arrivals.times + 1` }),
    )
    .execute()
  const key = `${TELL_TASK}:${pharmacyId}`
  await enqueue(tx, TELL_TASK, { pharmacyId }, { key, queue: tellingQueue(pharmacyId) })
}
