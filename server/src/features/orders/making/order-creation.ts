import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import {
  type OrderSource,
  SourceError,
  type SourceErrorKind,
  type SourceLocation,
} from '../../../ports/order-source.ts'
import { ownership, wordFor } from '../copy/order-owner.rules.ts'
import { isSameOrder, madeSince } from './new-orders.rules.ts'
import type { ClaimedCreation, OrderCreationsStore } from './order-creations.store.ts'

/**
 * - `done`: the store has it
 * - `nothing`: it does not wait, or no more
 * - `elsewhere`: somebody else is at it, or was when it died
 * - `removed`: the store will never take it, and there is no such order
 * - `kept`: the store will never take it, and it stays here
 * - `unsure`: it may have been made, and is not there yet; to be looked for again
 * - `denied`: not as things are configured; it waits
 * - `waiting`: the store cannot be used now; it waits
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
  isAwaited: boolean
  source: OrderSource
  location: SourceLocation
  signal: AbortSignal
  /** The same moment by the clock, which goes on while the machine sleeps. */
  until: number
}

export type OrderCreation = ReturnType<typeof createOrderCreation>

/** Milliseconds of an attempt, so that it is over before another may begin. */
const ATTEMPT_MS = 25_000

/** Orders that are tried in one go although the store denies them: it may be one, or all of them. */
const MOST_DENIED = 10

/** Brings orders that were made here to the pharmacy's order store, each once. */
export function createOrderCreation({ creations, source, log }: Dependencies) {
  async function attempt(
    orderId: string,
    claimed: ClaimedCreation,
    { isAwaited, until }: Pick<Attempt, 'isAwaited' | 'until'>,
  ): Promise<CreationOutcome> {
    const { location, claim } = claimed
    if (!location) {
      await creations.keepHere(claimed.pharmacyId, orderId)
      return 'kept'
    }
    if (!source) return leave({ orderId, claim }, 'unreachable')
    const signal = AbortSignal.timeout(ATTEMPT_MS)
    const trying: Attempt = {
      ...claimed,
      orderId,
      isAwaited,
      source,
      location,
      signal,
      until,
    }
    if (claimed.asked === 'never') return make(trying)
    try {
      if (await lookFor(trying)) return 'done'
    } catch (error) {
      return leave(trying, kindOf(error))
    }
    if (claimed.asked === 'before') return make(trying)
    await creations.release(orderId, claim)
    return 'unsure'
  }

  /** Looks for what the store may have made without saying so. */
  async function lookFor(trying: Attempt): Promise<boolean> {
    const { pharmacyId, orderId, order, location, sharers, signal } = trying
    for await (const page of trying.source.readCreated(location, madeSince(order), signal)) {
      for (const found of page.orders) {
        if (!isSameOrder(found, order)) continue
        // Whose it is may be less clear by now than when it was written.
        if (ownership(found.pharmaWa, pharmacyId, sharers) === 'foreign') continue
        if ((await creations.created(pharmacyId, orderId, found)) !== 'taken') return true
      }
    }
    return false
  }

  async function make(trying: Attempt): Promise<CreationOutcome> {
    const { pharmacyId, orderId, claim, order, location, sharers, signal, until } = trying
    const pharmaWa = wordFor(pharmacyId, sharers, trying.usedWord)
    // Nobody would know whose it is.
    if (pharmaWa === undefined) return refuse(trying)
    try {
      const stored = await trying.source.create(location, { ...order, pharmaWa }, signal, until)
      const outcome = await creations.created(pharmacyId, orderId, stored)
      if (outcome !== 'taken') return outcome
      await creations.doubt(orderId, claim)
      return 'unsure'
    } catch (error) {
      const kind = kindOf(error)
      if (kind === 'refused') return refuse(trying)
      if (kind !== 'unreachable') return leave(trying, kind)
      await creations.doubt(orderId, claim)
      complain(orderId, kind)
      return 'waiting'
    }
  }

  async function refuse({ pharmacyId, orderId, isAwaited }: Attempt): Promise<CreationOutcome> {
    complain(orderId, 'refused')
    return creations.refuse(pharmacyId, orderId, { isAwaited })
  }

  async function leave(
    { orderId, claim }: Pick<Attempt, 'orderId' | 'claim'>,
    kind: SourceErrorKind,
  ): Promise<CreationOutcome> {
    await creations.release(orderId, claim)
    complain(orderId, kind)
    return kind === 'unreachable' || kind === 'rate_limited' ? 'waiting' : 'denied'
  }

  function complain(orderId: string, kind: SourceErrorKind): void {
    log.warn({ orderId, kind }, 'an order did not reach the order store')
  }

  /** @param isAwaited whoever made the order waits for what becomes of it */
  async function bring(orderId: string, { isAwaited = false } = {}): Promise<CreationOutcome> {
    const until = Date.now() + ATTEMPT_MS
    const claim = await creations.claim(orderId)
    if (claim === 'none') return 'nothing'
    if (claim === 'claimed') return 'elsewhere'
    return attempt(orderId, claim, { isAwaited, until })
  }

  return {
    bring,
    /**
     * Brings what waits, until the store cannot be used. Called when the store has just answered.
     *
     * @param signal no further one is begun after it
     */
    async bringWaiting(pharmacyId: string, signal?: AbortSignal): Promise<void> {
      let denied = 0
      for (const orderId of await creations.waiting(pharmacyId)) {
        if (signal?.aborted) return
        const outcome = await bring(orderId)
        if (outcome === 'denied') denied += 1
        if (outcome === 'waiting' || denied >= MOST_DENIED) return
      }
    },
  }
}

/** @throws what is no failure of the store */
function kindOf(error: unknown): SourceErrorKind {
  if (!(error instanceof SourceError)) throw error
  return error.kind
}

const Payload = z.object({ orderId: z.string() })

/** Milliseconds a job waits for an attempt: the end of the process waits for its jobs. */
const JOB_PATIENCE = 3_000

/** The job that sees to an order its process could not bring. Throws, and so runs again, while it waits. */
export function orderCreationJob(creation: OrderCreation, patience = JOB_PATIENCE) {
  return async (payload: unknown): Promise<void> => {
    const { orderId } = Payload.parse(payload)
    const outcome = await Promise.race([
      creation.bring(orderId),
      pause(patience, 'elsewhere' as const, { ref: false }),
    ])
    const isSettled = ['done', 'nothing', 'removed', 'kept'].includes(outcome)
    if (!isSettled) throw new Error(`the order is not in the order store yet: ${outcome}`)
  }
}
