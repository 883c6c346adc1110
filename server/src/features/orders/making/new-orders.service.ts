import { setTimeout as pause } from 'node:timers/promises'
import type { NewOrderFields } from '@bancone/contract/new-orders'
import type { OrderRecord } from '@bancone/contract/orders'
import { AppError } from '../../../app-error.ts'
import { isLockedOut } from '../../../database/errors.ts'
import type { Limit, RateLimits } from '../../../platform/rate-limits.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { tooManyAs } from '../../../too-many.ts'
import { shownRecord } from '../order-rows.ts'
import { newOrder } from './new-orders.rules.ts'
import type { Made, Maker, NewOrdersStore, NotMade } from './new-orders.store.ts'
import type { OrderCreation } from './order-creation.ts'
import type { OrderCreationsStore } from './order-creations.store.ts'
import { requestHashes } from './order-requests.ts'

export const newOrderLimits = {
  'orders-by-key': { points: 60, seconds: 60 },
  // Of a pharmacy, by all who sign in to it.
  'orders-by-hand': { points: 30, seconds: 60 },
} as const satisfies Record<string, Limit>

export type NewOrderLimitName = keyof typeof newOrderLimits

type Dependencies = {
  store: NewOrdersStore
  creations: Pick<OrderCreationsStore, 'answer'>
  creation: OrderCreation
  limits: RateLimits<NewOrderLimitName>
  /** The address of the picture that is kept of an order. */
  picturePath(orderId: string): string
  /** Milliseconds whoever makes an order waits for the order store. */
  patience?: number | undefined
}

/** A person in a session of the pharmacy, or one of its keys. */
type Caller = { pharmacy: { id: string; orderSource: SourceLocation | null } } & (
  | { keyId: string }
  | { keyId: null; userId: string; sessionId: string }
)

export type NewOrdersService = ReturnType<typeof createNewOrders>

/** How often somebody who waits for another's attempt looks whether it is over. */
const LOOK_AGAIN_MS = 100

/** Makes orders: here first, and in the pharmacy's order store as soon as that takes them. */
export function createNewOrders(dependencies: Dependencies) {
  const { store, creations, creation, limits, picturePath, patience = 3_000 } = dependencies

  async function bringUntil(orderId: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const outcome = await creation.bring(orderId, { isAwaited: true })
      if (outcome !== 'elsewhere') return
      await pause(LOOK_AGAIN_MS)
    }
  }

  /** The order is kept, whatever happens: a failure to bring it is not one to make it. */
  async function waitForStore(orderId: string): Promise<void> {
    const over = new AbortController()
    const brought = bringUntil(orderId, over.signal).catch(() => {})
    await Promise.race([brought, pause(patience, undefined, { ref: false })])
    over.abort()
  }

  return {
    /** @param idempotencyKey the same request again is answered with the same order */
    async create(
      caller: Caller,
      idempotencyKey: string,
      fields: NewOrderFields,
    ): Promise<OrderRecord> {
      const { id: pharmacyId, orderSource } = caller.pharmacy
      await limits.take(counted(caller)).catch(tooManyAs('orders.too_many'))
      const order = newOrder(fields)
      const request = requestHashes(idempotencyKey, order)
      const made = await store
        .make(pharmacyId, order, {
          request,
          maker: makerOf(caller),
          hasStore: orderSource !== null,
        })
        .catch(beingMade)
      const { orderId, isWaiting } = orRefuse(made)
      if (isWaiting) {
        await waitForStore(orderId)
        await creations.answer(pharmacyId, orderId)
      }
      const record = await store.find(pharmacyId, orderId)
      if (!record) throw new AppError('orders.source_refused')
      return shownRecord(record, picturePath)
    },
  }
}

function counted({ keyId, pharmacy }: Caller) {
  return keyId === null
    ? ({ limit: 'orders-by-hand', of: pharmacy.id } as const)
    : ({ limit: 'orders-by-key', of: keyId } as const)
}

function makerOf(caller: Caller): Maker {
  return caller.keyId === null
    ? { origin: 'person', id: caller.userId, sessionId: caller.sessionId }
    : { origin: 'api', id: caller.keyId, sessionId: null }
}

const refusals = {
  key_reused: 'orders.key_reused',
  gone: 'orders.not_found',
  number_taken: 'orders.number_taken',
} as const satisfies Record<NotMade, string>

function orRefuse(made: Made | NotMade): Made {
  if (typeof made === 'string') throw new AppError(refusals[made])
  return made
}

function beingMade(error: unknown): never {
  if (!isLockedOut(error)) throw error
  throw new AppError('orders.being_made', { cause: error, retryAfter: 1 })
}
