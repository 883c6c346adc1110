import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type OrderSource, SourceError, type SourceLocation } from '../../ports/order-source.ts'
import type { CopyState, OrderCopyStore } from './order-copy.store.ts'
import { later, notAfter, readFrom } from './orders.rules.ts'

/** `slow`: it goes on, here or elsewhere, and what is there meanwhile may be older. */
export type ReadingOutcome = 'fresh' | 'slow' | 'failed'

export type ReadingLog = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

/** Whose orders to read and where. The signal ends the reading, which then throws anything. */
export type Assignment = { pharmacyId: string; location: SourceLocation; signal: AbortSignal }

/** What a reading has when it begins: the right to read the base, and where the copy stands. */
type Begun = { holder: string; readAt: string; state: CopyState }

type Dependencies = {
  store: OrderCopyStore
  source: OrderSource
  log: ReadingLog
  /** Milliseconds for which another's reading of the base is waited for. */
  patience: number
}

/** How often a reading looks whether another one, here or in another process, has ended. */
const LOOK_AGAIN_MS = 100

/** Reads what has changed in the order store into the copy, one reading of a base at a time. */
export function createOrderReading({ store, source, log, patience }: Dependencies) {
  async function copyChanges(
    { pharmacyId, location, signal }: Assignment,
    { holder, readAt, state: { changedUntil: began } }: Begun,
  ): Promise<ReadingOutcome> {
    let changedUntil = began
    let changed = 0
    for await (const page of source.readChanged(location, readFrom(began), signal)) {
      // Renewed before the page is used: who has taken the lease over reads what is newer.
      if (!(await store.takeLease(location.baseId, holder))) {
        log.warn({ pharmacyId }, 'the reading of the orders took too long, and another took over')
        return 'slow'
      }
      changed += await store.saveOrders(pharmacyId, page.orders, readAt)
      for (const order of page.orders) changedUntil = later(changedUntil, order.updatedAt)
      if (page.unreadable.length > 0) {
        log.warn({ pharmacyId, unreadable: page.unreadable }, 'some orders could not be understood')
      }
    }
    changedUntil = notAfter(readAt, changedUntil)
    await store.markRead(pharmacyId, location, { began, changedUntil, readAt })
    if (changed > 0) log.info({ pharmacyId, changed }, 'orders copied')
    return 'fresh'
  }

  async function read(assignment: Assignment, begun: Begun): Promise<ReadingOutcome> {
    const { pharmacyId, location, signal } = assignment
    try {
      return await copyChanges(assignment, begun)
    } catch (error) {
      if (signal.aborted || !(error instanceof SourceError)) throw error
      log.warn({ pharmacyId, kind: error.kind }, 'the order store could not be read')
      await store.markFailed(pharmacyId, location)
      return 'failed'
    }
  }

  return async (assignment: Assignment): Promise<ReadingOutcome> => {
    const { pharmacyId, location, signal } = assignment
    const holder = randomUUID()
    let before: CopyState | undefined
    for (let waited = 0; ; waited += LOOK_AGAIN_MS) {
      const readAt = await store.takeLease(location.baseId, holder)
      try {
        const state = await store.copyState(pharmacyId, location)
        const elsewhere = before && outcomeSince(before, state)
        if (elsewhere) return elsewhere
        if (readAt) return await read(assignment, { holder, readAt, state })
        before ??= state
      } finally {
        if (readAt) await store.endLease(location.baseId, holder)
      }
      if (waited >= patience) return 'slow'
      await pause(LOOK_AGAIN_MS, undefined, { signal })
    }
  }
}

/** How another's reading ended meanwhile: its result is ours too. */
function outcomeSince(before: CopyState, now: CopyState): ReadingOutcome | undefined {
  if (now.readAt !== before.readAt) return 'fresh'
  return now.failedAt !== before.failedAt ? 'failed' : undefined
}
