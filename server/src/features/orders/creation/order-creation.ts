import {
  type OrderSource,
  SourceError,
  type SourceErrorKind,
  type SourceLocation,
} from '../../../ports/order-source.ts'
import { pushAll } from '../records/order-jobs.store.ts'
import { ownership, pharmaWaFor } from '../records/order-owner.rules.ts'
import { createdSince, isSameOrder } from './new-orders.rules.ts'
import type { ClaimedCreation, OrderCreationsStore } from './order-creations.store.ts'

/**
 * - `done`: the source has the order
 * - `nothing`: the order is not pending
 * - `elsewhere`: another process has claimed it, and may have died
 * - `removed`: rejected permanently, and deleted
 * - `kept`: rejected permanently, and kept in the database
 * - `unsure`: the source may have created it, but it was not found; checked again later
 * - `denied`: not possible with the current configuration; stays pending
 * - `waiting`: the source is unavailable; stays pending
 */
export type CreationOutcome =
  | 'done'
  | 'nothing'
  | 'elsewhere'
  | 'removed'
  | 'kept'
  | 'unsure'
  | 'denied'
  | 'waiting'

type Dependencies = {
  creations: OrderCreationsStore
  source: OrderSource | null
  log: { warn(details: object, message: string): void }
}

type Attempt = ClaimedCreation & {
  orderId: string
  callerWaits: boolean
  source: OrderSource
  location: SourceLocation
  signal: AbortSignal
  /** The same limit as a time, in milliseconds since 1970: the clock also advances while the machine sleeps. */
  deadline: number
}

export type OrderCreation = ReturnType<typeof createOrderCreation>

/** Limit of an attempt, shorter than a claim. */
const ATTEMPT_TIMEOUT_MS = 25_000

/** Creates orders in the pharmacy's order source, each exactly once. */
export function createOrderCreation({ creations, source, log }: Dependencies) {
  async function attempt(
    orderId: string,
    claimed: ClaimedCreation,
    { callerWaits, deadline }: Pick<Attempt, 'callerWaits' | 'deadline'>,
  ): Promise<CreationOutcome> {
    const { pharmacyId, location, claim } = claimed
    if (!location) {
      await creations.keepLocally(pharmacyId, orderId)
      return 'kept'
    }
    if (!source) return releaseAfter({ ...claimed, orderId }, 'unreachable')
    const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)
    const current: Attempt = {
      ...claimed,
      orderId,
      callerWaits,
      source,
      location,
      signal,
      deadline,
    }
    if (claimed.lastSent === 'never') return createInSource(current)
    try {
      if (await findExisting(current)) return 'done'
    } catch (error) {
      return releaseAfter(current, kindOf(error))
    }
    if (claimed.lastSent === 'before') return createInSource(current)
    await creations.release(pharmacyId, orderId, claim)
    return 'unsure'
  }

  /** Looks for a record that the source may have created without a response. */
  async function findExisting(current: Attempt): Promise<boolean> {
    const { pharmacyId, orderId, order, location, tablePharmacies, signal } = current
    for await (const page of current.source.readCreated(location, createdSince(order), signal)) {
      for (const found of page.orders) {
        if (!isSameOrder(found, order)) continue
        // Only a foreign record is excluded: the owner may be less clear now than when it was written.
        if (ownership(found.pharmaWa, pharmacyId, tablePharmacies) === 'foreign') continue
        if ((await creations.confirm(pharmacyId, orderId, found)) !== 'taken') return true
      }
    }
    return false
  }

  async function createInSource(current: Attempt): Promise<CreationOutcome> {
    const { pharmacyId, orderId, claim, order, location, tablePharmacies, signal, deadline } =
      current
    const pharmaWa = pharmaWaFor(pharmacyId, tablePharmacies, current.lastPharmaWa)
    // Without an identifying value the record would have no owner.
    if (pharmaWa === undefined) return refuse(current)
    try {
      const stored = await current.source.create(location, { ...order, pharmaWa }, signal, deadline)
      const outcome = await creations.confirm(pharmacyId, orderId, stored)
      if (outcome !== 'taken') return outcome
      await creations.markUnsure(pharmacyId, orderId, claim)
      return 'unsure'
    } catch (error) {
      const kind = kindOf(error)
      if (kind === 'refused') return refuse(current)
      if (kind !== 'unreachable') return releaseAfter(current, kind)
      await creations.markUnsure(pharmacyId, orderId, claim)
      logFailure(orderId, kind)
      return 'waiting'
    }
  }

  async function refuse({ pharmacyId, orderId, callerWaits }: Attempt): Promise<CreationOutcome> {
    logFailure(orderId, 'refused')
    return creations.refuse(pharmacyId, orderId, { callerWaits })
  }

  async function releaseAfter(
    { pharmacyId, orderId, claim }: Pick<Attempt, 'pharmacyId' | 'orderId' | 'claim'>,
    kind: SourceErrorKind,
  ): Promise<CreationOutcome> {
    await creations.release(pharmacyId, orderId, claim)
    logFailure(orderId, kind)
    return kind === 'unreachable' || kind === 'rate_limited' ? 'waiting' : 'denied'
  }

  function logFailure(orderId: string, kind: SourceErrorKind): void {
    log.warn({ orderId, kind }, 'an order did not reach Airtable')
  }

  /** @param callerWaits the creator's request waits for the outcome */
  async function push(pharmacyId: string, orderId: string, { callerWaits = false } = {}) {
    const deadline = Date.now() + ATTEMPT_TIMEOUT_MS
    const claim = await creations.claim(pharmacyId, orderId)
    if (claim === 'none') return 'nothing'
    if (claim === 'claimed') return 'elsewhere'
    return attempt(orderId, claim, { callerWaits, deadline })
  }

  return {
    push,
    /**
     * Pushes all pending orders of a pharmacy until the source becomes unavailable. Called after the source has
     * responded.
     *
     * @param signal stops before the next push
     */
    async pushPending(pharmacyId: string, signal?: AbortSignal): Promise<void> {
      await pushAll(pharmacyId, await creations.pendingOrderIds(pharmacyId), push, signal)
    },
  }
}

/** @throws any error that is not a SourceError */
function kindOf(error: unknown): SourceErrorKind {
  if (!(error instanceof SourceError)) throw error
  return error.kind
}
