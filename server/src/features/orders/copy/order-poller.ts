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

  async function poll({ pharmacyId, location, sweepIsDue }: DuePoll): Promise<void> {
    const outcome = await copy.poll(pharmacyId, location)
    if (signal.aborted) return
    if (outcome === 'failed') await store.postpone(pharmacyId, timing)
    if (outcome === 'fresh' && sweepIsDue) sweep.sweepIfDue(pharmacyId, location)
  }

  async function look(): Promise<void> {
    for (const due of await store.claim(MOST_AT_ONCE - underWay.size, timing)) {
      const polled = poll(due)
        .catch((error: unknown) => {
          log.warn({ err: error, pharmacyId: due.pharmacyId }, 'a reading was not accounted for')
        })
        .finally(() => underWay.delete(polled))
      underWay.add(polled)
    }
  }

  async function lookAgainAndAgain(): Promise<void> {
    let isAway = false
    while (!signal.aborted) {
      try {
        await look()
        isAway = false
      } catch (error) {
        if (!isAway) log.warn({ err: error }, 'the readings wait for the database')
        isAway = true
      }
      await pause(timing.look, undefined, { signal }).catch(() => {})
    }
  }

  return {
    start() {
      looking = lookAgainAndAgain()
    },
    async stop() {
      stopping.abort()
      await looking
      await Promise.all(underWay)
    },
  }
}
