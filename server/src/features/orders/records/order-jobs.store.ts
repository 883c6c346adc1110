import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Database } from '../../../database/database.ts'
import { enqueue, type Task, type Tasks } from '../../../platform/jobs.ts'

/** Seconds after which a paused job looks again whether the pharmacy works. */
const PAUSE_SECONDS = 15 * 60

const JobOrder = z.object({ pharmacyId: z.uuid(), orderId: z.string() })

/** The order that a job is about. */
export type JobOrder = z.infer<typeof JobOrder>

/**
 * A task for single orders. Its jobs are put off while the pharmacy of their order is deactivated or deleted: nothing is
 * sent or fetched for it, and what waits is kept. Once it works again the next reading sends the changes at once, and
 * these jobs do what is left. A task does not run when the order is gone.
 */
export function orderTask(
  db: Database,
  name: string,
  lane: Task['lane'],
  run: (order: JobOrder, signal?: AbortSignal) => Promise<void>,
): Tasks {
  return {
    [name]: {
      lane,
      async run(payload, signal) {
        const order = JobOrder.parse(payload)
        const { pharmacyId, orderId } = order
        const row = await db
          .selectFrom('pharmacy_orders as record')
          .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'record.pharmacy_id')
          .select(['pharmacy.is_active', 'pharmacy.deleted_at'])
          .where('record.pharmacy_id', '=', pharmacyId)
          .where('record.id', '=', orderId)
          .executeTakeFirst()
        if (!row) return
        if (row.is_active && row.deleted_at === null) return run(order, signal)
        const options = { key: `${name}:${orderId}`, delaySeconds: PAUSE_SECONDS }
        await enqueue(db, name, order, options)
      },
    },
  }
}

/** An attempt to bring to Airtable what waits of an order. */
type Push = (pharmacyId: string, orderId: string) => Promise<string>

/** Outcomes after which another attempt may have another one. Nothing waits after the others. */
const UNSETTLED = ['elsewhere', 'waiting', 'unsure', 'denied']

/** Attempts one after the other. @returns the first outcome after which something waits, or the last one */
export function inTurn(...pushes: readonly Push[]): Push {
  return async (pharmacyId, orderId) => {
    const outcomes: string[] = []
    for (const push of pushes) outcomes.push(await push(pharmacyId, orderId))
    return outcomes.find((outcome) => UNSETTLED.includes(outcome)) ?? outcomes.at(-1) ?? 'nothing'
  }
}

/** How long a job waits for an attempt: the shutdown of the process waits for its jobs. */
const JOB_TIMEOUT_MS = 3_000

/**
 * The job that brings to Airtable what its process could not. Throws, to be retried, while something waits; also while
 * another process, which may have died, has claimed it.
 */
export function pushJob(push: Push, timeoutMs = JOB_TIMEOUT_MS) {
  return async ({ pharmacyId, orderId }: JobOrder): Promise<void> => {
    const outcome = await Promise.race([
      push(pharmacyId, orderId),
      pause(timeoutMs, 'elsewhere', { ref: false }),
    ])
    if (UNSETTLED.includes(outcome)) throw new Error(`Airtable does not have it yet: ${outcome}`)
  }
}

/** Maximum number of denied attempts in a row before giving up: the cause may affect one order, or all. */
const MAX_DENIED = 10

/** Pushes what waits until Airtable becomes unavailable. @param signal stops before the next push */
export async function pushAll(
  pharmacyId: string,
  orderIds: readonly string[],
  push: Push,
  signal?: AbortSignal,
): Promise<void> {
  let denied = 0
  for (const orderId of orderIds) {
    if (signal?.aborted) return
    const outcome = await push(pharmacyId, orderId)
    if (outcome === 'denied') denied += 1
    if (outcome === 'waiting' || denied >= MAX_DENIED) return
  }
}
