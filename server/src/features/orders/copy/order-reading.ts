import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../../../ports/log.ts'
import { type OrderSource, SourceError, type SourceLocation } from '../../../ports/order-source.ts'
import { laterOf, newSince, type ReadObservations, readFrom, readUntil } from '../orders.rules.ts'
import type { CopyState, OrderCopyStore } from './order-copy.store.ts'
import { createOrderImport } from './order-import.ts'
import type { OrderLeasesStore } from './order-leases.store.ts'
import { isUnnamedTaken, ownership } from './order-owner.rules.ts'
import type { OrderQuarantineStore } from './order-quarantine.store.ts'

/** `slow`: the reading continues, here or in another process, and the copy may be stale. */
export type ReadingOutcome = 'fresh' | 'slow' | 'failed'

/** What to read. When the signal aborts the reading throws; the type of error does not matter. */
export type ReadTask = { pharmacyId: string; location: SourceLocation; signal: AbortSignal }

/** The acquired lease, and the state of the copy before the reading. */
type ReadStart = { holder: string; readAt: string; state: CopyState }

type Dependencies = {
  store: OrderCopyStore
  leases: OrderLeasesStore
  quarantine: OrderQuarantineStore
  source: OrderSource
  log: Pick<Log, 'info' | 'warn'>
  /** How long to wait for a reading of another task. */
  waitMs: number
}

/** Interval of the check whether another reading, here or in another process, has ended. */
const POLL_INTERVAL_MS = 100

/** Reads the changes of the order source into the copy, with one reading per base at a time. */
export function createOrderReading(dependencies: Dependencies) {
  const { store, leases, quarantine, source, log, waitMs } = dependencies
  const importPage = createOrderImport({ store, quarantine, log })

  async function copyChanges(
    { pharmacyId, location, signal }: ReadTask,
    { holder, readAt, state }: ReadStart,
  ): Promise<ReadingOutcome> {
    const tablePharmacies = await store.tablePharmacies(location)
    // Records that were nobody's have become the pharmacy's own, or those of another, since another one left the table.
    const isOwn = ownership(null, pharmacyId, tablePharmacies) === 'own'
    const isAssigned =
      (isOwn || isUnnamedTaken(tablePharmacies)) && (await quarantine.hasUnassigned(pharmacyId))
    const startedFrom = isAssigned && isOwn ? null : state.changedUntil
    const context = {
      pharmacyId,
      tablePharmacies,
      readAt,
      countsAsNew: state.readAt !== null,
      // A full reading may find old orders that were missed: they are not announced as new.
      newAfter: startedFrom === null && state.readAt !== null ? newSince(state.readAt) : undefined,
      hasQuarantined: await quarantine.hasAny(pharmacyId),
    }
    const seen: ReadObservations = { newest: null, isAhead: false, from: readAt, to: readAt }
    let changed = 0
    let missing: string[] | undefined
    for await (const page of source.readChanged(location, readFrom(startedFrom), signal)) {
      // Renewed before the page is used: a process that has taken over the lease has newer data.
      const renewedAt = await leases.acquire(location.baseId, holder)
      if (!renewedAt) {
        log.warn({ pharmacyId }, 'the reading of the orders took too long, and another took over')
        return 'slow'
      }
      changed += await importPage(context, page)
      missing = page.missingColumns
      seen.to = renewedAt
      for (const { updatedAt } of page.orders) {
        if (updatedAt > readAt) seen.isAhead = true
        else seen.newest = laterOf(seen.newest, updatedAt)
      }
    }
    const changedUntil = readUntil(startedFrom, seen)
    await store.markRead(pharmacyId, location, { startedFrom, changedUntil, readAt })
    if (missing && missing.join() !== state.missingColumns?.join()) {
      await store.markColumns(pharmacyId, location, missing)
      if (missing.length > 0) log.warn({ pharmacyId, missing }, 'columns are missing')
    }
    await store.analyzeAfter(changed)
    if (isAssigned) await quarantine.releaseUnassigned(pharmacyId)
    if (changed > 0) log.info({ pharmacyId, changed }, 'orders copied')
    return 'fresh'
  }

  async function read(task: ReadTask, begun: ReadStart): Promise<ReadingOutcome> {
    const { pharmacyId, location, signal } = task
    try {
      return await copyChanges(task, begun)
    } catch (error) {
      if (signal.aborted) throw error
      if (!(error instanceof SourceError)) {
        await store.markFailed(pharmacyId, location, 'internal')
        throw error
      }
      log.warn({ pharmacyId, kind: error.kind }, 'the order store could not be read')
      await store.markFailed(pharmacyId, location, error.kind)
      return 'failed'
    }
  }

  return async (task: ReadTask): Promise<ReadingOutcome> => {
    const { pharmacyId, location, signal } = task
    const holder = randomUUID()
    await store.upsertCopy(pharmacyId, location)
    let before: CopyState | undefined
    for (let waited = 0; ; waited += POLL_INTERVAL_MS) {
      const readAt = await leases.acquire(location.baseId, holder)
      try {
        const state = await store.copyState(pharmacyId, location)
        const otherOutcome = before && outcomeSince(before, state)
        if (otherOutcome) return otherOutcome
        if (readAt) return await read(task, { holder, readAt, state })
        before ??= state
      } finally {
        if (readAt) await leases.release(location.baseId, holder)
      }
      if (waited >= waitMs) return 'slow'
      await pause(POLL_INTERVAL_MS, undefined, { signal })
    }
  }
}

/** The outcome of another reading that ended meanwhile, which serves this caller too. */
function outcomeSince(before: CopyState, now: CopyState): ReadingOutcome | undefined {
  if (now.readAt !== before.readAt) return 'fresh'
  return now.failedAt !== before.failedAt ? 'failed' : undefined
}
