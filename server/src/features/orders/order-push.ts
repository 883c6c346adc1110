import { setTimeout as pause } from 'node:timers/promises'
import { OrderStatus } from '@bancone/contract/orders'
import { z } from 'zod'
import { type OrderSource, SourceError } from '../../ports/order-source.ts'
import type { ClaimedChange, OrderChangesStore } from './order-changes.store.ts'

/**
 * - `done`: the store holds the newest status
 * - `nothing`: there is no change of that order, or no more
 * - `elsewhere`: somebody else is at it, or was when it died
 * - `refused`: the store will never take it, and the order went back
 * - `denied`: not this one, as things are configured; the change is kept
 * - `waiting`: the store cannot be used now; the change is kept
 */
export type PushOutcome = 'done' | 'nothing' | 'elsewhere' | 'refused' | 'denied' | 'waiting'

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
    if (!source) return keep(orderId, 'waiting')
    try {
      await source.setStatus(change.location, change.recordId, status.data)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      log.warn({ orderId, kind: error.kind }, 'a status change did not reach the order store')
      if (error.kind === 'refused' || error.kind === 'not_found') {
        return (await changes.undo(orderId, change.version)) ? 'refused' : undefined
      }
      return keep(orderId, error.kind === 'denied' ? 'denied' : 'waiting')
    }
    return (await changes.finish(orderId, change)) ? 'done' : undefined
  }

  async function keep(orderId: string, outcome: PushOutcome): Promise<PushOutcome> {
    await changes.release(orderId)
    return outcome
  }

  async function push(orderId: string): Promise<PushOutcome> {
    for (;;) {
      const claim = await changes.claim(orderId)
      if (claim === 'none') return 'nothing'
      if (claim === 'claimed') return 'elsewhere'
      const outcome = await attempt(orderId, claim)
      if (outcome) return outcome
    }
  }

  return {
    push,
    /**
     * Pushes what waits, until the store cannot be used. One change that is stuck does not hold up the
     * others. Called when the store has just answered.
     *
     * @param signal no further push is begun after it
     */
    async pushWaiting(pharmacyId: string, signal?: AbortSignal): Promise<void> {
      for (const orderId of await changes.waiting(pharmacyId)) {
        if (signal?.aborted || (await push(orderId)) === 'waiting') return
      }
    },
  }
}

const Payload = z.object({ orderId: z.string() })

/** Milliseconds a job waits for a push: the end of the process waits for its jobs. */
const JOB_PATIENCE = 3_000

/**
 * The job that sees to a change its process could not push. Throws, and so runs again, unless it knows
 * that nothing is left to push: also while another has claimed the change, who may have died.
 */
export function orderPushJob(push: OrderPush, patience = JOB_PATIENCE) {
  return async (payload: unknown): Promise<void> => {
    const { orderId } = Payload.parse(payload)
    const outcome = await Promise.race([
      push.push(orderId),
      pause(patience, 'elsewhere' as const, { ref: false }),
    ])
    if (outcome === 'elsewhere') throw new Error('the change is still being pushed')
    if (outcome === 'waiting') throw new Error('the order store is not available')
    if (outcome === 'denied') throw new Error('the order store does not accept the change')
  }
}
