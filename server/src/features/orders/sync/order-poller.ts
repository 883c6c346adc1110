import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../../../ports/log.ts'
import type { OrderCopy } from './order-copy.ts'
import type { OrderSweep } from './order-sweep.ts'
import type { DuePoll, PollIntervals, PollScheduleStore } from './poll-schedule.store.ts'

type Dependencies = {
  store: PollScheduleStore
  copy: OrderCopy
  sweep: OrderSweep
  log: Pick<Log, 'warn'>
  timing?: Partial<PollTiming> | undefined
}

/** All in milliseconds. */
export type PollTiming = PollIntervals & {
  /** Between two checks for due polls. */
  checkIntervalMs: number
}

/** Pings may be lost, so that reported changes are looked for as well, but seldom. */
export const defaultPollTiming: PollTiming = {
  checkIntervalMs: 2_000,
  watchedMs: 15_000,
  unwatchedMs: 60_000,
  reportedMs: 5 * 60_000,
  maxMs: 5 * 60_000,
}

/** Maximum number of concurrent readings of a process. */
const MAX_AT_ONCE = 20

/**
 * Polls the order sources of pharmacies whose orders are on a screen, or that have push subscriptions. With any
 * number of users and processes one process reads, and all use the result.
 */
export function createOrderPoller(dependencies: Dependencies) {
  const { store, copy, sweep, log } = dependencies
  const timing = { ...defaultPollTiming, ...dependencies.timing }
  const stopping = new AbortController()
  const { signal } = stopping
  const inFlight = new Set<Promise<void>>()
  let loop = Promise.resolve()
  let sleep = new AbortController()

  async function poll({ pharmacyId, location, sweepIsDue }: DuePoll): Promise<void> {
    const outcome = await copy.poll(pharmacyId, location)
    if (signal.aborted) return
    if (outcome === 'failed') await store.postpone(pharmacyId, timing)
    if (outcome === 'slow') await store.retrySignalled(pharmacyId)
    if (outcome === 'fresh' && sweepIsDue) sweep.sweepIfDue(pharmacyId, location)
  }

  /** @returns whether more may be due than could be started */
  async function claimDue(): Promise<boolean> {
    const room = MAX_AT_ONCE - inFlight.size
    const claimed = await store.claim(room, timing)
    for (const due of claimed) {
      const polled = poll(due)
        .catch((error: unknown) => {
          log.warn({ err: error, pharmacyId: due.pharmacyId }, 'a reading was not accounted for')
        })
        .finally(() => inFlight.delete(polled))
      inFlight.add(polled)
    }
    return claimed.length === room
  }

  /** Waits for the next check; when all slots were used, only until one is free. */
  async function rest(isFull: boolean): Promise<void> {
    if (signal.aborted) return
    const end = new AbortController()
    sleep = end
    if (isFull) void Promise.race(inFlight).then(() => end.abort())
    await pause(timing.checkIntervalMs, undefined, { signal: end.signal }).catch(() => {})
  }

  async function run(): Promise<void> {
    let isFailing = false
    while (!signal.aborted) {
      let isFull = false
      try {
        isFull = await claimDue()
        isFailing = false
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'the readings wait for the database')
        isFailing = true
      }
      await rest(isFull)
    }
  }

  return {
    start() {
      loop = run()
    },
    async stop() {
      stopping.abort()
      sleep.abort()
      await loop
      await Promise.all(inFlight)
    },
  }
}
