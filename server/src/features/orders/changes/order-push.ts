import { setTimeout as pause } from 'node:timers/promises'
import { OrderStatus } from '@bancone/contract/orders'
import { z } from 'zod'
import {
  type OrderSource,
  SourceError,
  type SourceLocation,
  type SourceOrder,
} from '../../../ports/order-source.ts'
import { ownership } from '../copy/order-owner.rules.ts'
import { storedStatus } from '../orders.rules.ts'
import type { ClaimedChange, OrderChangesStore } from './order-changes.store.ts'

/**
 * - `done`: the store holds the newest status
 * - `nothing`: there is no change of that order, or no more
 * - `elsewhere`: somebody else is at it, or was when it died
 * - `refused`: the store will never take it, and the order went back
 * - `conflict`: somebody changed the order in the store meanwhile, and it is now as they made it
 * - `unsure`: the store holds it, but an earlier request that was not answered may yet undo that; it is
 *   kept, to be looked at again
 * - `gone`: the store does not have the order any more, and neither have we
 * - `denied`: not this one, as things are configured; the change is kept
 * - `waiting`: the store cannot be used now; the change is kept
 */
export type PushOutcome =
  | 'done'
  | 'nothing'
  | 'elsewhere'
  | 'refused'
  | 'conflict'
  | 'unsure'
  | 'gone'
  | 'denied'
  | 'waiting'

type Log = { warn(details: object, message: string): void }

type Dependencies = { changes: OrderChangesStore; source: OrderSource | null; log: Log }

export type OrderPush = ReturnType<typeof createOrderPush>

/** Changes that are tried in one go although the store denies them: it may be one, or all of them. */
const MOST_DENIED = 10

/** Brings status changes to the pharmacy's order store. */
export function createOrderPush({ changes, source, log }: Dependencies) {
  /** One attempt at one version of the change; undefined when a newer one came meanwhile. */
  async function attempt(orderId: string, change: ClaimedChange): Promise<PushOutcome | undefined> {
    const status = OrderStatus.safeParse(change.status)
    // A pharmacy whose store was taken away has nowhere to push to: our copy is all there is.
    if (!change.location || !status.success) return finish(orderId, change, null)
    if (!source) return keep(orderId, 'waiting')
    const write = { ...change, location: change.location, status: status.data }
    try {
      return await bring(source, orderId, write)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      complain(orderId, error.kind)
      if (error.kind === 'not_found') return removeGone(orderId)
      const mayPass = error.kind === 'unreachable' || error.kind === 'rate_limited'
      return keep(orderId, mayPass ? 'waiting' : 'denied')
    }
  }

  /**
   * Looks first: what somebody else has changed in the store is not overwritten. To find what is wanted
   * is to be done, and so is to find what an earlier attempt wrote without hearing of it.
   */
  async function bring(
    store: OrderSource,
    orderId: string,
    change: ClaimedChange & { location: SourceLocation; status: OrderStatus },
  ): Promise<PushOutcome | undefined> {
    const { pharmacyId, recordId, location, status, sharers } = change
    const found = await store.readOrder(location, recordId)
    // To this pharmacy, what has become another's is gone.
    if (ownership(found.pharmaWa, pharmacyId, sharers) === 'foreign') return removeGone(orderId)
    const held = storedStatus(found)
    if (held === status) return finish(orderId, change, found)
    if (!change.expected.includes(held)) return giveUp(orderId, change, 'conflict', found)
    try {
      return await finish(orderId, change, await store.setStatus(location, recordId, status))
    } catch (error) {
      const kind = error instanceof SourceError ? error.kind : undefined
      if (kind === 'refused') return giveUp(orderId, change, 'refused', found)
      if (kind === 'unreachable') await changes.doubt(orderId)
      throw error
    }
  }

  async function finish(orderId: string, change: ClaimedChange, stored: SourceOrder | null) {
    const outcome = await changes.finish(orderId, change, stored)
    return outcome === 'newer' ? undefined : outcome
  }

  async function giveUp(
    orderId: string,
    { version }: ClaimedChange,
    kind: 'refused' | 'conflict',
    stored: SourceOrder,
  ) {
    complain(orderId, kind)
    return (await changes.giveUp(orderId, version, { kind, stored })) ? kind : undefined
  }

  async function removeGone(orderId: string): Promise<PushOutcome> {
    await changes.removeGone(orderId)
    return 'gone'
  }

  async function keep(orderId: string, outcome: PushOutcome): Promise<PushOutcome> {
    await changes.release(orderId)
    return outcome
  }

  function complain(orderId: string, kind: string): void {
    log.warn({ orderId, kind }, 'a status change did not reach the order store')
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
      let denied = 0
      for (const orderId of await changes.waiting(pharmacyId)) {
        if (signal?.aborted) return
        const outcome = await push(orderId)
        if (outcome === 'denied') denied += 1
        if (outcome === 'waiting' || denied >= MOST_DENIED) return
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
    if (outcome === 'unsure') throw new Error('the change may yet be undone')
    if (outcome === 'denied') throw new Error('the order store does not accept the change')
  }
}
