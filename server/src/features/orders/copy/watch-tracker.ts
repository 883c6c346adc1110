import type { Clock } from '../../../ports/clock.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import type { PollScheduleStore } from './poll-schedule.store.ts'

/** How long a source is polled frequently after a page request. Pages send one every minute. */
const WATCH_MS = 3 * 60_000

/** Minimum time between two writes to the database. */
const MARK_INTERVAL_MS = 30_000

type Dependencies = {
  store: Pick<PollScheduleStore, 'markWatched'>
  clock: Clock
  /** Delay of the first poll. */
  firstPollMs: number
}

/** Records that a screen shows the orders of a pharmacy. */
export function createWatchTracker({ store, clock, firstPollMs }: Dependencies) {
  const lastMarked = new Map<string, number>()
  return async (pharmacyId: string, location: SourceLocation): Promise<void> => {
    const now = clock.now()
    if (now - (lastMarked.get(pharmacyId) ?? Number.NEGATIVE_INFINITY) < MARK_INTERVAL_MS) return
    lastMarked.set(pharmacyId, now)
    await store.markWatched(pharmacyId, location, { forMs: WATCH_MS, firstPollMs })
  }
}
