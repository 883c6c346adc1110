import { OrderStatus } from '@bancone/contract/orders'
import { z } from 'zod'
import { type OrderSource, SourceError } from '../../ports/order-source.ts'
import type { ClaimedChange, OrderChangesStore } from './order-changes.store.ts'

/**
 * - `done`: the store holds the newest status
 * - `elsewhere`: nothing to do here: another process is at it, or it is done already
 * - `refused`: the store will never take it, and the order went back
 * - `waiting`: not now; the change is kept
 */
export type PushOutcome = 'done' | 'elsewhere' | 'refused' | 'waiting'

type Log = { warn(details: object, message: string): void }

type Dependencies = { changes: OrderChangesStore; source: OrderSource | null; log: Log }

export type OrderPush = ReturnType<typeof createOrderPush>

/** Brings status changes to the pharmacy's order store. */
export function createOrderPush({ changes, source, log }: Dependencies) {
  /** One attempt at one version of the change; undefined when a newer one came meanwhile. */
  async function attempt(orderId: string, change: ClaimedChange): Promise<PushOutcome | undefined> {
    const status = OrderStatus.safeParse(change.status)
    // A pharmacy whose store was taken away has nowhere to push to: our copy is all there is.
    if (!change.location || !status.success) {
      return (await changes.finish(orderId, change)) ? 'done' : undefined
    }
    if (!source) return keep(orderId)
    try {
      await source.setStatus(change.location, change.recordId, status.data)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      log.warn({ orderId, kind: error.kind }, 'a status change did not reach the order store')
      const never = error.kind === 'refused' || error.kind === 'not_found'
      if (!never) return keep(orderId)
      return (await changes.undo(orderId, change.version)) ? 'refused' : undefined
    }
    return (await changes.finish(orderId, change)) ? 'done' : undefined
  }

  async function keep(orderId: string): Promise<PushOutcome> {
    await changes.release(orderId)
    return 'waiting'
  }

  async function push(orderId: string): Promise<PushOutcome> {
    for (;;) {
      const change = await changes.claim(orderId)
      if (!change) return 'elsewhere'
      const outcome = await attempt(orderId, change)
      if (outcome) return outcome
    }
  }

  return {
    push,
    /** Pushes what waits, until the store fails again. Called when the store has just answered. */
    async pushWaiting(pharmacyId: string): Promise<void> {
      for (const orderId of await changes.waiting(pharmacyId)) {
        if ((await push(orderId)) === 'waiting') return
      }
    },
  }
}

const Payload = z.object({ orderId: z.string() })

/** The job that sees to a change its process could not push: throws while it waits, and runs again. */
export function orderPushJob(push: OrderPush) {
  return async (payload: unknown): Promise<void> => {
    const outcome = await push.push(Payload.parse(payload).orderId)
    if (outcome === 'waiting') throw new Error('the order store is not available')
  }
}
