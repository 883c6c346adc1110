import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../../ports/clock.ts'
import type { OrderSource, SourceLocation } from '../../../ports/order-source.ts'
import type { OrderCopyStore } from './order-copy.store.ts'
import type { OrderLeasesStore } from './order-leases.store.ts'
import {
  type Assignment,
  createOrderReading,
  type ReadingLog,
  type ReadingOutcome,
} from './order-reading.ts'
import type { OrderSetAsideStore } from './order-set-aside.store.ts'

type Log = ReadingLog & { error(details: object, message: string): void }

type Dependencies = {
  store: OrderCopyStore
  leases: OrderLeasesStore
  aside: OrderSetAsideStore
  source: OrderSource | null
  /** Called when a screen asks for these orders. */
  onAsked(pharmacyId: string, location: SourceLocation): Promise<void>
  /** Called when the store has answered: what waits for it may go, until the signal. */
  onAnswered(pharmacyId: string, signal: AbortSignal): Promise<void>
  clock: Clock
  log: Log
  timing?: Partial<CopyTiming>
}

/** Milliseconds. */
export type CopyTiming = {
  /**
   * A copy this young is not read again for a page: one and a half times the pause between two readings
   * while somebody looks, so that it is read by itself before a page has to.
   */
  fresh: number
  /** The same, for who asks for a reading. */
  justRead: number
  /** How long a page waits for a reading before it shows what is there. */
  patience: number
  /** The same, once the store has failed or been slow, for the first who asks again. */
  impatience: number
}

const usualTiming: CopyTiming = {
  fresh: 22_500,
  justRead: 5_000,
  patience: 2_500,
  impatience: 500,
}

/** Milliseconds the end waits for pushes: what they do not finish is kept, and pushed again. */
const PUSHES_MAY_TAKE = 1_000

export type OrderCopy = {
  /**
   * Sees to it that the copy is some seconds old at most, reading the store if need be, at most one
   * reading at a time whoever asks. While the store fails or is slow, and there is a copy, it is read
   * in the background.
   */
  freshen(pharmacyId: string, location: SourceLocation): Promise<ReadingOutcome>
  /** The same, for who wants to see what is new: reads unless that was done a moment ago. */
  refresh(pharmacyId: string, location: SourceLocation): Promise<ReadingOutcome>
  /** Reads the store whatever is known, and waits for the end of it. */
  poll(pharmacyId: string, location: SourceLocation): Promise<ReadingOutcome>
  /** What waits for the store may go now, in the background. */
  pushWaiting(pharmacyId: string): void
  /** Ends the readings that are under way, and everything that this began. Nothing begins after it. */
  settle(): Promise<void>
}

/** Keeps the copy of the orders up to date with the pharmacy's order store. */
export function createOrderCopy(dependencies: Dependencies): OrderCopy {
  const { store, leases, aside, source, clock, log } = dependencies
  const timing = { ...usualTiming, ...dependencies.timing }
  const stopping = new AbortController()
  const { signal } = stopping
  const { patience } = timing
  const readNow = source && createOrderReading({ store, leases, aside, source, log, patience })
  const underWay = new Map<string, { outcome: Promise<ReadingOutcome>; end(): void }>()
  const pushes = new Map<string, { again: boolean; ended: Promise<void> }>()
  const lastTried = new Map<string, { at: number; outcome: ReadingOutcome }>()
  /** The copies whose store is not worth waiting for, and what a page is told instead. */
  const late = new Map<string, 'slow' | 'failed'>()

  function read(pharmacyId: string, location: SourceLocation): Promise<ReadingOutcome> {
    if (signal.aborted) return Promise.resolve('slow')
    const key = keyOf(pharmacyId, location)
    const running = underWay.get(key)
    if (running) return running.outcome
    const ending = new AbortController()
    const outcome = readTimed(key, { pharmacyId, location, signal: ending.signal }).finally(() =>
      underWay.delete(key),
    )
    underWay.set(key, { outcome, end: () => ending.abort() })
    return outcome
  }

  async function readTimed(key: string, reading: Assignment): Promise<ReadingOutcome> {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      late.set(key, late.get(key) ?? 'slow')
    }, patience).unref()
    const outcome = await readSafely(reading)
    clearTimeout(timer)
    lastTried.set(key, { at: clock.now(), outcome })
    if (outcome !== 'fresh') late.set(key, outcome)
    else if (isLate) late.set(key, 'slow')
    else late.delete(key)
    if (outcome === 'fresh') pushWaiting(reading.pharmacyId)
    return outcome
  }

  async function readSafely(reading: Assignment): Promise<ReadingOutcome> {
    if (!readNow) return 'failed'
    try {
      return await readNow(reading)
    } catch (error) {
      if (reading.signal.aborted) return 'slow'
      const { pharmacyId } = reading
      log.error({ err: error, pharmacyId }, 'the orders could not be copied')
      return 'failed'
    }
  }

  /** One after the other, however often it is asked for: they would only be in each other's way. */
  function pushWaiting(pharmacyId: string): void {
    const running = pushes.get(pharmacyId)
    if (running) running.again = true
    if (running || signal.aborted) return
    const push = { again: false, ended: Promise.resolve() }
    push.ended = dependencies
      .onAnswered(pharmacyId, signal)
      .catch((error: unknown) => {
        if (signal.aborted) return
        log.error({ err: error, pharmacyId }, 'waiting changes could not be pushed')
      })
      .then(() => {
        pushes.delete(pharmacyId)
        if (push.again) pushWaiting(pharmacyId)
      })
    pushes.set(pharmacyId, push)
  }

  /** How the last reading went, here or in another process, if it was that many milliseconds ago. */
  function triedHere(key: string, within: number): ReadingOutcome | undefined {
    const last = lastTried.get(key)
    if (!last) return undefined
    // Another was at it, who may have ended since.
    const limit = last.outcome === 'slow' ? Math.min(within, timing.justRead) : within
    return clock.now() - last.at < limit ? last.outcome : undefined
  }

  async function look(pharmacyId: string, location: SourceLocation, within: number) {
    const key = keyOf(pharmacyId, location)
    const known = triedHere(key, within)
    if (known) return known
    // Asked before the reading begins, which may bring the first copy and the better word with it.
    const state = await store.copyState(pharmacyId, location)
    if (state.triedAgo !== null && state.triedAgo < within) {
      const outcome = state.hasFailed ? 'failed' : 'fresh'
      lastTried.set(key, { at: clock.now() - state.triedAgo, outcome })
      return outcome
    }
    if (signal.aborted) return 'slow'
    const since = triedHere(key, within)
    if (since) return since
    const toldInstead = state.readAt !== null && late.get(key)
    const isUnderWay = underWay.has(key)
    const reading = read(pharmacyId, location)
    if (toldInstead && isUnderWay) return toldInstead
    // A store that is back says so quickly, and then the page is not behind for another round.
    const wait = toldInstead ? timing.impatience : patience
    return Promise.race([reading, pause(wait, toldInstead || 'slow', { ref: false })])
  }

  return {
    async freshen(pharmacyId, location) {
      await dependencies.onAsked(pharmacyId, location)
      return look(pharmacyId, location, timing.fresh)
    },
    refresh: (pharmacyId, location) => look(pharmacyId, location, timing.justRead),
    poll: read,
    pushWaiting,
    async settle() {
      stopping.abort()
      const readings = [...underWay.values()]
      for (const reading of readings) reading.end()
      await Promise.all(readings.map((reading) => reading.outcome))
      const pushed = Promise.all([...pushes.values()].map((push) => push.ended))
      await Promise.race([pushed, pause(PUSHES_MAY_TAKE, undefined, { ref: false })])
    },
  }
}

function keyOf(pharmacyId: string, { baseId, tableId }: SourceLocation): string {
  return `${pharmacyId} ${baseId} ${tableId}`
}
