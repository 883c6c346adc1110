import { setTimeout as pause } from 'node:timers/promises'
import { settledWithin } from '../../../base/settled-within.ts'
import { createKeyedBatches } from '../../../platform/batches.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { OrderSource, SourceLocation } from '../../../ports/order-source.ts'
import type { OrderLeasesStore } from '../records/order-leases.store.ts'
import type { OrderCopyStore } from './order-copy.store.ts'
import type { OrderQuarantineStore } from './order-quarantine.store.ts'
import { createOrderReading, type ReadingOutcome, type ReadTask } from './order-reading.ts'

type Dependencies = {
  store: OrderCopyStore
  leases: OrderLeasesStore
  quarantine: OrderQuarantineStore
  source: OrderSource | null
  /** Called when a page requests these orders. */
  onRequested(pharmacyId: string, location: SourceLocation): Promise<void>
  /** Called after the source has responded: pending changes can be pushed, until the signal aborts. */
  onSourceAvailable(pharmacyId: string, signal: AbortSignal): Promise<void>
  clock: Clock
  log: Log
  timing?: Partial<CopyTiming>
}

/** All in milliseconds. */
export type CopyTiming = {
  /**
   * A copy younger than this is not read again for a page. It is one and a half poll intervals, so that the poller
   * usually reads first.
   */
  maxAgeMs: number
  /** The same while the base reports its changes and has reported none since. */
  reportedMaxAgeMs: number
  /** The same for an explicit refresh. */
  refreshIntervalMs: number
  /** How long a page waits for a reading before it shows the stale copy. */
  waitMs: number
  /** The same after the source has failed or been slow, for the first request after that. */
  fallbackWaitMs: number
}

const defaultTiming: CopyTiming = {
  maxAgeMs: 22_500,
  reportedMaxAgeMs: 7.5 * 60_000,
  refreshIntervalMs: 5_000,
  waitMs: 2_500,
  fallbackWaitMs: 500,
}

/** How long the shutdown waits for pushes. Unfinished ones are stored, and pushed again later. */
const PUSH_SHUTDOWN_MS = 1_000

export type OrderCopy = ReturnType<typeof createOrderCopy>

/** Keeps the copy of the orders up to date with the pharmacy's order source. */
export function createOrderCopy(dependencies: Dependencies) {
  const { store, leases, quarantine, source, clock, log } = dependencies
  const timing = { ...defaultTiming, ...dependencies.timing }
  const stopping = new AbortController()
  const { signal } = stopping
  const { waitMs } = timing
  const readNow = source && createOrderReading({ store, leases, quarantine, source, log, waitMs })
  const inFlight = new Map<string, { outcome: Promise<ReadingOutcome>; end(): void }>()
  const lastAttempts = new Map<string, { at: number; outcome: ReadingOutcome }>()
  /** Copies whose source failed or was slow, with the outcome to return instead of waiting. */
  const slowCopies = new Map<string, 'slow' | 'failed'>()

  function read(pharmacyId: string, location: SourceLocation): Promise<ReadingOutcome> {
    if (signal.aborted) return Promise.resolve('slow')
    const key = keyOf(pharmacyId, location)
    const running = inFlight.get(key)
    if (running) return running.outcome
    const ending = new AbortController()
    const outcome = readTimed(key, { pharmacyId, location, signal: ending.signal }).finally(() =>
      inFlight.delete(key),
    )
    inFlight.set(key, { outcome, end: () => ending.abort() })
    return outcome
  }

  async function readTimed(key: string, reading: ReadTask): Promise<ReadingOutcome> {
    let isSlow = false
    const timer = setTimeout(() => {
      isSlow = true
      slowCopies.set(key, slowCopies.get(key) ?? 'slow')
    }, waitMs).unref()
    const outcome = await readSafely(reading)
    clearTimeout(timer)
    lastAttempts.set(key, { at: clock.now(), outcome })
    if (outcome !== 'fresh') slowCopies.set(key, outcome)
    else if (isSlow) slowCopies.set(key, 'slow')
    else slowCopies.delete(key)
    if (outcome === 'fresh') pushPending(reading.pharmacyId)
    return outcome
  }

  async function readSafely(reading: ReadTask): Promise<ReadingOutcome> {
    const { pharmacyId, location } = reading
    try {
      if (readNow) return await readNow(reading)
      // Without a token.
      await store.upsertCopy(pharmacyId, location)
      await store.markFailed(pharmacyId, location, 'denied')
      return 'failed'
    } catch (error) {
      if (reading.signal.aborted) return 'slow'
      log.error({ err: error, pharmacyId }, 'the orders could not be copied')
      return 'failed'
    }
  }

  const pushes = createKeyedBatches(async (pharmacyId) => {
    if (signal.aborted) return
    try {
      await dependencies.onSourceAvailable(pharmacyId, signal)
    } catch (error) {
      if (signal.aborted) return
      log.error({ err: error, pharmacyId }, 'waiting changes could not be pushed')
    }
  })

  /** Pushes pending changes in the background: one run at a time per pharmacy; a call during a run causes one more. */
  function pushPending(pharmacyId: string): void {
    void pushes.add(pharmacyId)
  }

  /** The outcome of the last reading, here or in another process, if it is recent enough. */
  function recentOutcome(key: string, maxAgeMs: number): ReadingOutcome | undefined {
    const last = lastAttempts.get(key)
    if (!last) return undefined
    // Another process was reading, and may have finished since.
    const limit = last.outcome === 'slow' ? Math.min(maxAgeMs, timing.refreshIntervalMs) : maxAgeMs
    return clock.now() - last.at < limit ? last.outcome : undefined
  }

  async function ensureRecent(
    pharmacyId: string,
    location: SourceLocation,
    maxAgeMs: number,
    reportedMaxAgeMs = maxAgeMs,
  ) {
    const key = keyOf(pharmacyId, location)
    const known = recentOutcome(key, maxAgeMs)
    if (known) return known
    // Before the reading starts: it might create the first copy, and then the outcome would be better than this one.
    const state = await store.copyState(pharmacyId, location)
    const limit = state.isReported && !state.hasFailed ? reportedMaxAgeMs : maxAgeMs
    if (state.msSinceAttempt !== null && state.msSinceAttempt < limit) {
      const outcome = state.hasFailed ? 'failed' : 'fresh'
      lastAttempts.set(key, { at: clock.now() - state.msSinceAttempt, outcome })
      return outcome
    }
    if (signal.aborted) return 'slow'
    const since = recentOutcome(key, maxAgeMs)
    if (since) return since
    const fallbackOutcome = state.readAt !== null && slowCopies.get(key)
    const isUnderWay = inFlight.has(key)
    const reading = read(pharmacyId, location)
    if (fallbackOutcome && isUnderWay) return fallbackOutcome
    // A source that has recovered responds quickly, so a short wait suffices to show current data.
    const wait = fallbackOutcome ? timing.fallbackWaitMs : waitMs
    return Promise.race([reading, pause(wait, fallbackOutcome || 'slow', { ref: false })])
  }

  return {
    /**
     * Ensures that the copy is at most `maxAgeMs` old, and reads the source if necessary. Concurrent callers share one
     * reading. While the source fails or is slow, and there is a copy, it is read in the background.
     */
    async ensureFresh(pharmacyId: string, location: SourceLocation): Promise<ReadingOutcome> {
      await dependencies.onRequested(pharmacyId, location)
      return ensureRecent(pharmacyId, location, timing.maxAgeMs, timing.reportedMaxAgeMs)
    },
    /** The same with a lower maximum age, for a refresh requested by the user. */
    refresh: (pharmacyId: string, location: SourceLocation) =>
      ensureRecent(pharmacyId, location, timing.refreshIntervalMs),
    /** Reads the source unconditionally, from now on, and waits for the end. */
    async poll(pharmacyId: string, location: SourceLocation): Promise<ReadingOutcome> {
      // The one that is running may have begun before the change that is to be read.
      await inFlight.get(keyOf(pharmacyId, location))?.outcome
      return read(pharmacyId, location)
    },
    pushPending,
    /** Aborts the readings and waits for the pushes. Nothing starts after that. */
    async stop(): Promise<void> {
      stopping.abort()
      const readings = [...inFlight.values()]
      for (const reading of readings) reading.end()
      await Promise.all(readings.map((reading) => reading.outcome))
      await settledWithin(pushes.idle(), PUSH_SHUTDOWN_MS)
    },
  }
}

function keyOf(pharmacyId: string, { baseId, tableId }: SourceLocation): string {
  return `${pharmacyId} ${baseId} ${tableId}`
}
