import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type OrderSource, SourceError, type SourceLocation } from '../../../ports/order-source.ts'
import { later, newSince, readFrom, readUntil, type Seen } from '../orders.rules.ts'
import { createOrderColumns } from './order-columns.ts'
import type { CopyState, OrderCopyStore } from './order-copy.store.ts'
import { createOrderIntake } from './order-intake.ts'
import type { OrderLeasesStore } from './order-leases.store.ts'
import type { OrderSetAsideStore } from './order-set-aside.store.ts'

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
  leases: OrderLeasesStore
  aside: OrderSetAsideStore
  source: OrderSource
  log: ReadingLog
  /** Milliseconds for which another's reading of the base is waited for. */
  patience: number
}

/** How often a reading looks whether another one, here or in another process, has ended. */
const LOOK_AGAIN_MS = 100

/** Reads what has changed in the order store into the copy, one reading of a base at a time. */
export function createOrderReading(dependencies: Dependencies) {
  const { store, leases, aside, source, log, patience } = dependencies
  const takeIn = createOrderIntake({ store, aside, log })
  const checkColumns = createOrderColumns({ store, source, log })

  async function copyChanges(
    { pharmacyId, location, signal }: Assignment,
    { holder, readAt, state }: Begun,
  ): Promise<ReadingOutcome> {
    const began = state.changedUntil
    const intake = {
      pharmacyId,
      sharers: await store.sharers(location),
      readAt,
      arriving: state.readAt !== null,
      // Read all again: what is found that was missed may be years old.
      madeSince: began === null && state.readAt !== null ? newSince(state.readAt) : undefined,
      hasAside: await aside.hasAny(pharmacyId),
    }
    const seen: Seen = { newest: null, isAhead: false, from: readAt, to: readAt }
    let changed = 0
    for await (const page of source.readChanged(location, readFrom(began), signal)) {
      // Renewed before the page is used: who has taken the lease over reads what is newer.
      const renewedAt = await leases.take(location.baseId, holder)
      if (!renewedAt) {
        log.warn({ pharmacyId }, 'the reading of the orders took too long, and another took over')
        return 'slow'
      }
      changed += await takeIn(intake, page)
      seen.to = renewedAt
      for (const { updatedAt } of page.orders) {
        if (updatedAt > readAt) seen.isAhead = true
        else seen.newest = later(seen.newest, updatedAt)
      }
    }
    const changedUntil = readUntil(began, seen)
    await store.markRead(pharmacyId, location, { began, changedUntil, readAt })
    if (changed > 0) log.info({ pharmacyId, changed }, 'orders copied')
    return 'fresh'
  }

  async function read(assignment: Assignment, begun: Begun): Promise<ReadingOutcome> {
    const { pharmacyId, location, signal } = assignment
    const { columnsAgo } = begun.state
    try {
      const outcome = await copyChanges(assignment, begun)
      if (outcome === 'fresh') await checkColumns(assignment, 'answer', columnsAgo)
      return outcome
    } catch (error) {
      if (signal.aborted || !(error instanceof SourceError)) throw error
      log.warn({ pharmacyId, kind: error.kind }, 'the order store could not be read')
      await store.markFailed(pharmacyId, location, error.kind)
      if (error.kind === 'refused') await checkColumns(assignment, 'refusal', columnsAgo)
      return 'failed'
    }
  }

  return async (assignment: Assignment): Promise<ReadingOutcome> => {
    const { pharmacyId, location, signal } = assignment
    const holder = randomUUID()
    await store.begin(pharmacyId, location)
    let before: CopyState | undefined
    for (let waited = 0; ; waited += LOOK_AGAIN_MS) {
      const readAt = await leases.take(location.baseId, holder)
      try {
        const state = await store.copyState(pharmacyId, location)
        const elsewhere = before && outcomeSince(before, state)
        if (elsewhere) return elsewhere
        if (readAt) return await read(assignment, { holder, readAt, state })
        before ??= state
      } finally {
        if (readAt) await leases.end(location.baseId, holder)
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
