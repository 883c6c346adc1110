import { setTimeout as pause } from 'node:timers/promises'
import type { OrderCopy } from './order-copy.ts'
import type { DuePoll, OrderPollsStore, PollIntervals } from './order-polls.store.ts'
import type { OrderSweep } from './order-sweep.ts'

type Log = { warn(details: object, message: string): void }

type Dependencies = {
  store: OrderPollsStore
  copy: OrderCopy
  sweep: OrderSweep
  log: Log
  timing?: Partial<PollTiming> | undefined
}

/** Milliseconds. */
export type PollTiming = PollIntervals & {
  /** Between two looks at what is due. */
  look: number
}

export const usualPolls: PollTiming = {
  look: 2_000,
  watched: 15_000,
  unwatched: 60_000,
  longest: 5 * 60_000,
}

/** Readings that a process has under way at once. */
const MOST_AT_ONCE = 20

export type OrderPoller = { start(): void; stop(): Promise<void> }

/**
 * Reads the stores of the pharmacies whose orders somebody looks at or wants to be told of, whoever many
 * they are and in however many processes: each time one process reads, and all have what it read.
 */
export function createOrderPoller(dependencies: Dependencies): OrderPoller {
  const { store, copy, sweep, log } = dependencies
  const timing = { ...usualPolls, ...dependencies.timing }
  const stopping = new AbortController()
  const { signal } = stopping
  const underWay = new Set<Promise<void>>()
  let looking = Promise.resolve()
  let resting = new AbortController()

  async function poll({ pharmacyId, location, sweepIsDue }: DuePoll): Promise<void> {
    const outcome = await copy.poll(pharmacyId, location)
    if (signal.aborted) return
    if (outcome === 'failed') await store.postpone(pharmacyId, timing)
    if (outcome === 'fresh' && sweepIsDue) sweep.sweepIfDue(pharmacyId, location)
  }

  /** @returns whether more may be due than there are hands for */
  async function look(): Promise<boolean> {
    const room = MOST_AT_ONCE - underWay.size
    const claimed = await store.claim(room, timing)
    for (const due of claimed) {
      const polled = poll(due)
        .catch((error: unknown) => {
          log.warn({ err: error, pharmacyId: due.pharmacyId }, 'a reading was not accounted for')
        })
        .finally(() => underWay.delete(polled))
      underWay.add(polled)
    }
    return claimed.length === room
  }

  /** Until it is time for the next look; after a full one as soon as something has ended. */
  async function rest(isFull: boolean): Promise<void> {
    if (signal.aborted) return
    const end = new AbortController()
    resting = end
    if (isFull) void Promise.race(underWay).then(() => end.abort())
    await pause(timing.look, undefined, { signal: end.signal }).catch(() => {})
  }

  async function lookAgainAndAgain(): Promise<void> {
    let isAway = false
    while (!signal.aborted) {
      let isFull = false
      try {
        isFull = await look()
        isAway = false
      } catch (error) {
        if (!isAway) log.warn({ err: error }, 'the readings wait for the database')
        isAway = true
      }
      await rest(isFull)
    }
  }

  return {
    start() {
      looking = lookAgainAndAgain()
    },
    async stop() {
      stopping.abort()
      resting.abort()
      await looking
      await Promise.all(underWay)
    },
  }
}
