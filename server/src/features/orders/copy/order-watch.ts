import type { Clock } from '../../../ports/clock.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import type { OrderPollsStore } from './order-polls.store.ts'

/** Milliseconds a store is read by itself after a page was asked for: pages ask every minute. */
const WATCHED_FOR = 3 * 60_000

/** Milliseconds between two notes of it in the database. */
const NOTE_EVERY = 30_000

type Dependencies = {
  store: Pick<OrderPollsStore, 'watch'>
  clock: Clock
  /** Milliseconds until the first reading that nobody asks for. */
  firstMs: number
}

/** Notes that somebody looks at the orders of a pharmacy. */
export function createOrderWatch({ store, clock, firstMs }: Dependencies) {
  const noted = new Map<string, number>()
  return async (pharmacyId: string, location: SourceLocation): Promise<void> => {
    const now = clock.now()
    if (now - (noted.get(pharmacyId) ?? Number.NEGATIVE_INFINITY) < NOTE_EVERY) return
    noted.set(pharmacyId, now)
    await store.watch(pharmacyId, location, { forMs: WATCHED_FOR, firstMs })
  }
}
