import { type OrderSource, SourceError } from '../../../ports/order-source.ts'
import { pushAll } from '../records/order-jobs.store.ts'
import { ownership, toldPharmaWa } from '../records/order-owner.rules.ts'
import type { ClaimedMoments, PickupColumnsStore } from './pickup-columns.store.ts'

/**
 * - `done`: the columns have the moments, as far as they exist
 * - `nothing`: no moments of the order are waiting
 * - `elsewhere`: another process has claimed them, and may have died; or they change again and again
 * - `unsure`: the columns have them, but an earlier request without a response may still undo it
 * - `denied`: not possible with the current configuration
 * - `waiting`: the source is unavailable
 */
type Outcome = 'done' | 'nothing' | 'elsewhere' | 'unsure' | 'denied' | 'waiting'

type Dependencies = {
  store: PickupColumnsStore
  source: OrderSource | null
  log: { warn(details: object, message: string): void }
}

export type PickupPush = ReturnType<typeof createPickupPush>

/** Versions of an order's moments that are pushed in a row, before other orders have their turn. */
const MAX_VERSIONS = 5

/**
 * Writes the moments of orders into the columns of the base that the pharmacy names. They are optional there: what
 * Airtable refuses for good is noted and not tried again, and nothing else depends on it.
 */
export function createPickupPush({ store, source, log }: Dependencies) {
  /** One attempt for one version; undefined when a newer one exists. */
  async function attempt(orderId: string, moments: ClaimedMoments): Promise<Outcome | undefined> {
    const { pharmacyId } = moments
    try {
      if (!(await write(orderId, moments))) {
        await store.release(pharmacyId, orderId)
        return 'waiting'
      }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      const { kind } = error
      log.warn({ orderId, kind }, 'the moments of an order did not reach the order source')
      // An order that is gone is removed by the next sweep.
      if (kind !== 'not_found') {
        await store.release(pharmacyId, orderId)
        return kind === 'unreachable' || kind === 'rate_limited' ? 'waiting' : 'denied'
      }
    }
    const outcome = await store.finish(orderId, moments)
    return outcome === 'newer' ? undefined : outcome
  }

  /**
   * Reads the record first: it may belong to another pharmacy by now.
   *
   * @returns false when no source is configured
   */
  async function write(orderId: string, moments: ClaimedMoments): Promise<boolean> {
    const { pharmacyId, recordId, location, times, tablePharmacies } = moments
    if (!location || times.size === 0) return true
    if (!source) return false
    const pharmaWa = toldPharmaWa(await source.readOrder(location, recordId))
    if (ownership(pharmaWa, pharmacyId, tablePharmacies) === 'foreign') return true
    try {
      const refused = await source.writeTimes(location, recordId, times)
      await store.noteRefused(pharmacyId, times.keys(), refused)
    } catch (error) {
      if (error instanceof SourceError && error.kind === 'unreachable') {
        await store.markUnsure(pharmacyId, orderId)
      }
      throw error
    }
    return true
  }

  async function push(pharmacyId: string, orderId: string): Promise<Outcome> {
    for (let versions = 0; versions < MAX_VERSIONS; versions += 1) {
      const claim = await store.claim(pharmacyId, orderId)
      if (claim === 'none') return 'nothing'
      if (claim === 'claimed') return 'elsewhere'
      const outcome = await attempt(orderId, claim)
      if (outcome) return outcome
    }
    return 'elsewhere'
  }

  return {
    push,
    /** Pushes all that wait of a pharmacy until the source becomes unavailable. @param signal stops before the next one */
    async pushPending(pharmacyId: string, signal?: AbortSignal): Promise<void> {
      await pushAll(pharmacyId, await store.pendingOrderIds(pharmacyId), push, signal)
    },
  }
}
