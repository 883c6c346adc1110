import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../ports/clock.ts'
import type { OrderSource, SourceLocation } from '../../ports/order-source.ts'
import type { OrderCopyStore } from './order-copy.store.ts'
import {
  type Assignment,
  createOrderReading,
  type ReadingLog,
  type ReadingOutcome,
} from './order-reading.ts'

type Log = ReadingLog & { error(details: object, message: string): void }

type Dependencies = {
  store: OrderCopyStore
  source: OrderSource | null
  /** Called when the store has answered: what waits for it may go, until the signal. */
  onAnswered(pharmacyId: string, signal: AbortSignal): Promise<void>
  clock: Clock
  log: Log
  timing?: Partial<CopyTiming>
}

/** Milliseconds. */
export type CopyTiming = {
  /** A copy this young is not read again. */
  fresh: number
  /** How long a page waits for a reading before it shows what is there. */
  patience: number
  /** The same, once the store has failed or been slow, for the first who asks again. */
  impatience: number
}

const usualTiming: CopyTiming = { fresh: 5_000, patience: 2_500, impatience: 500 }

/** Milliseconds the end waits for pushes: what they do not finish is kept, and pushed again. */
const PUSHES_MAY_TAKE = 1_000

export type OrderCopy = {
  /**
   * Sees to it that the copy is a few seconds old at most, reading the store if need be, at most one
   * reading at a time whoever asks. While the store fails or is slow, and there is a copy, it is read
   * in the background.
   */
  freshen(pharmacyId: string, location: SourceLocation): Promise<ReadingOutcome>
  /** Ends the readings that are under way, and everything that this began. Nothing begins after it. */
  settle(): Promise<void>
}

/** Keeps the copy of the orders up to date with the pharmacy's order store. */
export function createOrderCopy(dependencies: Dependencies): OrderCopy {
  const { store, source, clock, log } = dependencies
  const timing = { ...usualTiming, ...dependencies.timing }
  const stopping = new AbortController()
  const { signal } = stopping
  const { patience } = timing
  const readNow = source && createOrderReading({ store, source, log, patience })
  const underWay = new Map<string, { outcome: Promise<ReadingOutcome>; end(): void }>()
  const pushes = new Set<Promise<void>>()
  const lastTried = new Map<string, { at: number; outcome: ReadingOutcome }>()
  /** The pharmacies whose store is not worth waiting for, and what a page is told instead. */
  const late = new Map<string, 'slow' | 'failed'>()

  function read(pharmacyId: string, location: SourceLocation): Promise<ReadingOutcome> {
    const running = underWay.get(pharmacyId)
    if (running) return running.outcome
    const ending = new AbortController()
    const outcome = readTimed({ pharmacyId, location, signal: ending.signal }).finally(() =>
      underWay.delete(pharmacyId),
    )
    underWay.set(pharmacyId, { outcome, end: () => ending.abort() })
    return outcome
  }

  async function readTimed(reading: Assignment): Promise<ReadingOutcome> {
    const { pharmacyId } = reading
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      late.set(pharmacyId, late.get(pharmacyId) ?? 'slow')
    }, patience).unref()
    const outcome = await readSafely(reading)
    clearTimeout(timer)
    lastTried.set(pharmacyId, { at: clock.now(), outcome })
    if (outcome !== 'fresh') late.set(pharmacyId, outcome)
    else if (isLate) late.set(pharmacyId, 'slow')
    else late.delete(pharmacyId)
    if (outcome === 'fresh') pushWaiting(pharmacyId)
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

  function pushWaiting(pharmacyId: string): void {
    if (signal.aborted) return
    const pushed = dependencies
      .onAnswered(pharmacyId, signal)
      .catch((error: unknown) => {
        if (signal.aborted) return
        log.error({ err: error, pharmacyId }, 'waiting changes could not be pushed')
      })
      .finally(() => pushes.delete(pushed))
    pushes.add(pushed)
  }

  return {
    async freshen(pharmacyId, location) {
      // Asked before the reading begins, which may bring the first copy and the better word with it.
      const canBeTold =
        late.has(pharmacyId) && (await store.copyState(pharmacyId, location)).readAt !== null
      const last = lastTried.get(pharmacyId)
      if (last && clock.now() - last.at < timing.fresh) return last.outcome
      const toldInstead = canBeTold && late.get(pharmacyId)
      if (signal.aborted) return 'slow'
      const isUnderWay = underWay.has(pharmacyId)
      const reading = read(pharmacyId, location)
      if (toldInstead && isUnderWay) return toldInstead
      // A store that is back says so quickly, and then the page is not behind for another round.
      const wait = toldInstead ? timing.impatience : patience
      return Promise.race([reading, pause(wait, toldInstead || 'slow', { ref: false })])
    },
    async settle() {
      stopping.abort()
      const readings = [...underWay.values()]
      for (const reading of readings) reading.end()
      await Promise.all(readings.map((reading) => reading.outcome))
      const pushed = Promise.all(pushes)
      await Promise.race([pushed, pause(PUSHES_MAY_TAKE, undefined, { ref: false })])
    },
  }
}
