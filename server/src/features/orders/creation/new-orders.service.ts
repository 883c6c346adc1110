import { setTimeout as pause } from 'node:timers/promises'
import type { NewOrderFields } from '@bancone/contract/new-orders'
import { AppError } from '../../../base/app-error.ts'
import { settledWithin } from '../../../base/settled-within.ts'
import { isLockTimeout } from '../../../database/errors.ts'
import { type Limit, type RateLimits, rethrowRateLimitAs } from '../../../platform/rate-limits.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { type AttachmentPath, toWireRecord } from '../records/order-rows.ts'
import { newOrder } from './new-orders.rules.ts'
import { type Creator, type NewOrdersStore, requestHashes } from './new-orders.store.ts'
import type { OrderCreation } from './order-creation.ts'
import type { OrderCreationsStore } from './order-creations.store.ts'

export const newOrderLimits = {
  'orders-by-key': { points: 60, seconds: 60 },
  // Per pharmacy, for all its users.
  'orders-by-hand': { points: 30, seconds: 60 },
} as const satisfies Record<string, Limit>

type Dependencies = {
  store: NewOrdersStore
  creations: Pick<OrderCreationsStore, 'markAnswered'>
  creation: OrderCreation
  limits: RateLimits<keyof typeof newOrderLimits>
  /** URL path of the stored picture of an order. */
  picturePath: AttachmentPath
  /** How long a request waits for the order source. */
  waitMs?: number | undefined
}

/** A user of the pharmacy, or one of its API keys. */
type Caller = { pharmacy: { id: string; orderSource: SourceLocation | null } } & (
  | { keyId: string }
  | { keyId: null; userId: string; sessionId: string }
)

export type NewOrdersService = ReturnType<typeof createNewOrders>

/** Interval of the check whether an attempt of another process has ended. */
const POLL_INTERVAL_MS = 100

/** Creates orders: first in the database, then in the pharmacy's order source. */
export function createNewOrders(dependencies: Dependencies) {
  const { store, creations, creation, limits, picturePath, waitMs = 3_000 } = dependencies

  async function pushUntil(pharmacyId: string, orderId: string, signal: AbortSignal) {
    while (!signal.aborted) {
      const outcome = await creation.push(pharmacyId, orderId, { callerWaits: true })
      if (outcome !== 'elsewhere') return
      await pause(POLL_INTERVAL_MS)
    }
  }

  /** The order is stored already: a failed push is no failure of the creation. */
  async function waitForStore(pharmacyId: string, orderId: string): Promise<void> {
    const over = new AbortController()
    await settledWithin(pushUntil(pharmacyId, orderId, over.signal), waitMs)
    over.abort()
  }

  return {
    /** @param idempotencyKey a repeated request returns the same order */
    async create(caller: Caller, idempotencyKey: string, fields: NewOrderFields) {
      const { id: pharmacyId, orderSource } = caller.pharmacy
      await limits.take(rateLimitOf(caller)).catch(rethrowRateLimitAs('orders.too_many'))
      const order = newOrder(fields)
      const request = requestHashes(idempotencyKey, order)
      const { orderId, isPending } = await store
        .create(pharmacyId, order, {
          request,
          creator: creatorOf(caller),
          isOnAirtable: orderSource !== null,
        })
        .catch(throwIfLocked)
      if (isPending) {
        await waitForStore(pharmacyId, orderId)
        await creations.markAnswered(pharmacyId, orderId)
      }
      const record = await store.find(pharmacyId, orderId)
      if (!record) throw new AppError('orders.source_refused')
      return toWireRecord(record, picturePath)
    },
  }
}

function rateLimitOf({ keyId, pharmacy }: Caller) {
  return keyId === null
    ? ({ limit: 'orders-by-hand', subject: pharmacy.id } as const)
    : ({ limit: 'orders-by-key', subject: keyId } as const)
}

function creatorOf(caller: Caller): Creator {
  return caller.keyId === null
    ? { origin: 'person', id: caller.userId, sessionId: caller.sessionId }
    : { origin: 'api', id: caller.keyId, sessionId: null }
}

/** An order whose pharmacy is creating others for too long. */
export function throwIfLocked(error: unknown): never {
  if (!isLockTimeout(error)) throw error
  throw new AppError('orders.being_made', { cause: error, retryAfter: 1 })
}
