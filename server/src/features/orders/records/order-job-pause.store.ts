import { z } from 'zod'
import type { Database } from '../../../database/database.ts'
import { enqueue, type Task } from '../../../platform/jobs.ts'

/** Seconds after which a paused job looks again whether the pharmacy works. */
const PAUSE_SECONDS = 15 * 60

const Payload = z.object({ pharmacyId: z.uuid(), orderId: z.string() })

/**
 * Puts off the jobs of a task while the pharmacy of their order is deactivated or deleted: nothing is sent or fetched
 * for it, and what waits is kept. Once it works again the next reading sends the changes at once, and these jobs do
 * what is left. A task does not run when the order is gone.
 */
export function pausedWhileInactive(db: Database, name: string, task: Task): Task {
  return {
    ...task,
    async run(payload, signal) {
      const ofOrder = Payload.parse(payload)
      const { pharmacyId, orderId } = ofOrder
      const row = await db
        .selectFrom('pharmacy_orders as record')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'record.pharmacy_id')
        .select(['pharmacy.is_active', 'pharmacy.deleted_at'])
        .where('record.pharmacy_id', '=', pharmacyId)
        .where('record.id', '=', orderId)
        .executeTakeFirst()
      if (!row) return
      if (row.is_active && row.deleted_at === null) return task.run(ofOrder, signal)
      const options = { key: `${name}:${orderId}`, delaySeconds: PAUSE_SECONDS }
      await enqueue(db, name, ofOrder, options)
    },
  }
}
