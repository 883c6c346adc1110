import { OrderStatus } from '@bancone/contract/orders'
import {
  type OrderSource,
  SourceError,
  type SourceLocation,
  type SourceOrder,
} from '../../../ports/order-source.ts'
import { pushAll } from '../records/order-jobs.store.ts'
import { ownership } from '../records/order-owner.rules.ts'
import { storedStatus } from '../records/orders.rules.ts'
import type { ClaimedChange, OrderChangesStore } from './order-changes.store.ts'

/**
 * - `done`: the source has the newest status
 * - `nothing`: no change of the order is pending
 * - `elsewhere`: another process has claimed the change, and may have died; or the order is changed again and again
 * - `refused`: the source rejected the status permanently; the order was reset
 * - `conflict`: the order was changed in the source meanwhile; the copy has taken that status
 * - `unsure`: the source has the status, but an earlier request without a response may still undo it; the change is
 *   kept and checked again
 * - `gone`: the source no longer has the order, and it was removed here
 * - `denied`: not possible with the current configuration; the change is kept
 * - `waiting`: the source is unavailable; the change is kept
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

/** Versions of a change that are pushed in a row, before other orders have their turn. */
const MAX_VERSIONS = 5

/** Pushes status changes to the pharmacy's order source. */
export function createOrderPush({ changes, source, log }: Dependencies) {
  /** One attempt for one version of the change; undefined when a newer version exists. */
  async function attempt(orderId: string, change: ClaimedChange): Promise<PushOutcome | undefined> {
    const status = OrderStatus.safeParse(change.status)
    // Without an order source the database is the only copy: there is nothing to push.
    if (!change.location || !status.success) return finish(orderId, change, null)
    if (!source) return releaseAs(orderId, change, 'waiting')
    const write = { ...change, location: change.location, status: status.data }
    try {
      return await pushToSource(source, orderId, write)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      logFailure(orderId, error.kind)
      if (error.kind === 'not_found') {
        return change.isMirrored ? finish(orderId, change, null) : removeGone(orderId, change)
      }
      const mayPass = error.kind === 'unreachable' || error.kind === 'rate_limited'
      return releaseAs(orderId, change, mayPass ? 'waiting' : 'denied')
    }
  }

  /**
   * Reads the record first, so that a change made in the source is not overwritten. A record that already has the
   * status counts as done: an earlier attempt may have written it without receiving the response.
   */
  async function pushToSource(
    airtable: OrderSource,
    orderId: string,
    change: ClaimedChange & { location: SourceLocation; status: OrderStatus },
  ): Promise<PushOutcome | undefined> {
    const { pharmacyId, recordId, location, status, tablePharmacies } = change
    const found = await airtable.readOrder(location, recordId)
    // For this pharmacy an order that now belongs to another one is gone.
    if (ownership(found.pharmaWa, pharmacyId, tablePharmacies) === 'foreign')
      return removeGone(orderId, change)
    // Its column is gone, or the cell cannot be read: nothing can be compared or written there.
    if (found.unknown?.includes('status')) {
      logFailure(orderId, 'unknown status')
      return releaseAs(orderId, change, 'denied')
    }
    const held = storedStatus(found)
    if (held === status) return finish(orderId, change, found)
    if (!change.expected.includes(held)) return giveUp(orderId, change, 'conflict', found)
    try {
      return await finish(orderId, change, await airtable.setStatus(location, recordId, status))
    } catch (error) {
      const kind = error instanceof SourceError ? error.kind : undefined
      if (kind === 'refused') return giveUp(orderId, change, 'refused', found)
      if (kind === 'unreachable') await changes.markUnsure(pharmacyId, orderId)
      throw error
    }
  }

  async function finish(orderId: string, change: ClaimedChange, stored: SourceOrder | null) {
    const outcome = await changes.finish(change.pharmacyId, orderId, change, stored)
    return outcome === 'newer' ? undefined : outcome
  }

  async function giveUp(
    orderId: string,
    { pharmacyId, version }: ClaimedChange,
    kind: 'refused' | 'conflict',
    stored: SourceOrder,
  ) {
    logFailure(orderId, kind)
    return (await changes.giveUp(pharmacyId, orderId, version, { kind, stored })) ? kind : undefined
  }

  async function removeGone(orderId: string, { pharmacyId }: ClaimedChange): Promise<PushOutcome> {
    await changes.removeGone(pharmacyId, orderId)
    return 'gone'
  }

  async function releaseAs(orderId: string, { pharmacyId }: ClaimedChange, outcome: PushOutcome) {
    await changes.release(pharmacyId, orderId)
    return outcome
  }

  function logFailure(orderId: string, kind: string): void {
    log.warn({ orderId, kind }, 'a status change did not reach the order source')
  }

  async function push(pharmacyId: string, orderId: string): Promise<PushOutcome> {
    for (let versions = 0; versions < MAX_VERSIONS; versions += 1) {
      const claim = await changes.claim(pharmacyId, orderId)
      if (claim === 'none') return 'nothing'
      if (claim === 'claimed') return 'elsewhere'
      const outcome = await attempt(orderId, claim)
      if (outcome) return outcome
    }
    return 'elsewhere'
  }

  return {
    push,
    /**
     * Pushes all pending changes of a pharmacy until the source becomes unavailable. A denied change does not block
     * the others. Called after the source has responded.
     *
     * @param signal stops before the next push
     */
    async pushPending(pharmacyId: string, signal?: AbortSignal): Promise<void> {
      await pushAll(pharmacyId, await changes.pendingOrderIds(pharmacyId), push, signal)
    },
  }
}
