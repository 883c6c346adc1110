import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../ports/clock.ts'
import { type OrderSource, SourceError, type SourceLocation } from '../../ports/order-source.ts'
import type { OrderCopyStore } from './order-copy.store.ts'
import { later, readFrom } from './orders.rules.ts'

type Log = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

type Dependencies = {
  store: OrderCopyStore
  source: OrderSource | null
  /** Called when the store has answered: what waits for it may go. */
  onAnswered(pharmacyId: string): Promise<void>
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
}

const usualTiming: CopyTiming = { fresh: 5_000, patience: 2_500 }

/** How often a process looks whether another one's reading has ended. */
const LOOK_AGAIN_MS = 100

/** `slow`: the reading goes on, and what is there meanwhile may be older. */
export type Freshened = 'fresh' | 'slow' | 'failed'

export type OrderCopy = {
  /**
   * Sees to it that the copy is a few seconds old at most, reading the store if need be, at most one
   * reading at a time whoever asks.
   */
  freshen(pharmacyId: string, location: SourceLocation): Promise<Freshened>
  /** Waits for the readings that are under way. */
  settle(): Promise<void>
}

/** Keeps the copy of the orders up to date with the pharmacy's order store. */
export function createOrderCopy(dependencies: Dependencies): OrderCopy {
  const { store, source, clock, log } = dependencies
  const timing = { ...usualTiming, ...dependencies.timing }
  const holder = randomUUID()
  const underWay = new Map<string, Promise<Freshened>>()
  const lastTried = new Map<string, { at: number; outcome: Freshened }>()

  function read(pharmacyId: string, location: SourceLocation): Promise<Freshened> {
    const running = underWay.get(pharmacyId)
    if (running) return running
    const reading = readNow(pharmacyId, location)
      .catch((error: unknown) => {
        log.error({ err: error, pharmacyId }, 'the orders could not be copied')
        return 'failed' as const
      })
      .then((outcome) => {
        lastTried.set(pharmacyId, { at: clock.now(), outcome })
        return outcome
      })
      .finally(() => underWay.delete(pharmacyId))
    underWay.set(pharmacyId, reading)
    return reading
  }

  async function readNow(pharmacyId: string, location: SourceLocation): Promise<Freshened> {
    if (!source) return 'failed'
    const readAt = await store.takeLease(location.baseId, holder)
    if (!readAt) return waitForOther(pharmacyId, location)
    try {
      await copyChanges(source, pharmacyId, location, readAt)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      log.warn({ pharmacyId, kind: error.kind }, 'the order store could not be read')
      await store.markFailed(pharmacyId, location, error.kind)
      return 'failed'
    } finally {
      await store.endLease(location.baseId, holder)
    }
    void dependencies.onAnswered(pharmacyId).catch((error: unknown) => {
      log.error({ err: error, pharmacyId }, 'waiting changes could not be pushed')
    })
    return 'fresh'
  }

  async function copyChanges(
    from: OrderSource,
    pharmacyId: string,
    location: SourceLocation,
    readAt: string,
  ): Promise<void> {
    const state = await store.copyState(pharmacyId, location)
    let changedUntil = state.changedUntil
    let changed = 0
    for await (const page of from.readChanged(location, readFrom(state.changedUntil))) {
      changed += await store.saveOrders(pharmacyId, page.orders, readAt)
      for (const order of page.orders) changedUntil = later(changedUntil, order.updatedAt)
      if (page.unreadable.length > 0) {
        log.warn({ pharmacyId, unreadable: page.unreadable }, 'some orders could not be understood')
      }
      await store.takeLease(location.baseId, holder)
    }
    await store.markRead(pharmacyId, location, { changedUntil, readAt })
    if (changed > 0) log.info({ pharmacyId, changed }, 'orders copied')
  }

  /** Another process reads that base: its result is ours too. */
  async function waitForOther(pharmacyId: string, location: SourceLocation): Promise<Freshened> {
    const before = (await store.copyState(pharmacyId, location)).readAt
    for (let waited = 0; waited < timing.patience; waited += LOOK_AGAIN_MS) {
      await pause(LOOK_AGAIN_MS)
      if ((await store.copyState(pharmacyId, location)).readAt !== before) return 'fresh'
    }
    return 'slow'
  }

  return {
    async freshen(pharmacyId, location) {
      const last = lastTried.get(pharmacyId)
      if (last && clock.now() - last.at < timing.fresh) return last.outcome
      const reading = read(pharmacyId, location)
      return Promise.race([reading, pause(timing.patience, 'slow' as const, { ref: false })])
    },
    async settle() {
      await Promise.all(underWay.values())
    },
  }
}
