import { setTimeout as pause } from 'node:timers/promises'
import { MIGRATION_BATCH_SIZE } from '@bancone/contract/backup-orders'
import type { MigrationFailure } from '@bancone/contract/migration-runs'
import { SourceError, type SourcePage } from '../../../ports/order-source.ts'
import { LEASE_MS } from '../records/order-leases.store.ts'
import {
  isUnnamedTaken,
  ownership,
  type TablePharmacy,
  toldPharmaWa,
} from '../records/order-owner.rules.ts'
import { laterOf, newSince } from '../records/orders.rules.ts'
import type { MigrationContext } from './migration.context.ts'
import type { PageRecord } from './migration-batches.store.ts'
import { unreadableReason } from './migration-findings.rules.ts'
import { type ClaimedRun, RunError } from './migration-work.store.ts'

type ChangePage = SourcePage & { changedAt: ReadonlyMap<string, string> | null }

export const cancelledRun = () => new RunError('cancelled', 'the run has been cancelled')

/**
 * Reads all records of a table, or those that another run refused. A page is read and written under the lease of the
 * base, so that no normal reading writes newer data between the two, and normal readings come between two pages.
 */
export function createMigrationReading(context: MigrationContext) {
  const { source, batches, work, records, copies, leases, timing } = context

  async function acquireLease(run: ClaimedRun, signal: AbortSignal): Promise<string> {
    for (;;) {
      signal.throwIfAborted()
      // The run is the holder, so that an attempt after a crash need not wait for the lease to expire.
      const at = await leases.acquire(run.location.baseId, run.id)
      if (at !== undefined) return at
      await pause(timing.leaseMs, undefined, { signal })
    }
  }

  async function pagesOf(run: ClaimedRun, signal: AbortSignal) {
    if (run.retryOf !== null) {
      const ids = await records.itemIds({ id: run.retryOf, pharmacyId: run.pharmacyId }, [
        'refused',
      ])
      return unordered(source.readSome(run.location, ids, signal))
    }
    return source.readByChange(run.location, run.cursor, signal)
  }

  /** @returns when all has been read */
  async function attempt(
    run: ClaimedRun,
    before: { tablePharmacies: readonly TablePharmacy[]; readAt: string | null },
    signal: AbortSignal,
  ): Promise<void> {
    const pages = (await pagesOf(run, signal))[Symbol.asyncIterator]()
    try {
      for (;;) {
        const startedAt = await acquireLease(run, signal)
        const next = await pages.next()
        if (next.done) return
        const renewedAt = await leases.acquire(run.location.baseId, run.id)
        // After its end a normal reading may have had the lease, and have released it.
        if (!renewedAt || Date.parse(renewedAt) - Date.parse(startedAt) >= LEASE_MS) {
          throw new RunError('outdated_page', 'a normal reading may have newer data')
        }
        await savePage(run, next.value, { ...before, startedAt }, signal)
        await leases.release(run.location.baseId, run.id)
        await pause(timing.batchPauseMs, undefined, { signal })
      }
    } finally {
      await leases.release(run.location.baseId, run.id)
      await pages.return?.()
    }
  }

  async function savePage(
    run: ClaimedRun,
    page: ChangePage,
    {
      tablePharmacies,
      readAt,
      startedAt,
    }: { tablePharmacies: readonly TablePharmacy[]; readAt: string | null; startedAt: string },
    signal: AbortSignal,
  ): Promise<void> {
    const own = recordsOf(run.pharmacyId, tablePharmacies, page)
    const writing = {
      readStartedAt: startedAt,
      countsAsNew: readAt !== null,
      newAfter: readAt === null ? undefined : newSince(readAt),
    }
    for (let at = 0; at < own.length || at === 0; at += MIGRATION_BATCH_SIZE) {
      if (at > 0) await pause(timing.batchPauseMs, undefined, { signal })
      signal.throwIfAborted()
      const batch = own.slice(at, at + MIGRATION_BATCH_SIZE)
      const isLast = at + MIGRATION_BATCH_SIZE >= own.length
      const cursor = cursorAfter(page.changedAt, isLast ? page.orders : batch)
      if (await batches.save(run, batch, cursor, writing)) throw cancelledRun()
    }
  }

  return async (run: ClaimedRun, signal: AbortSignal): Promise<void> => {
    const [state, tablePharmacies] = await Promise.all([
      copies.copyState(run.pharmacyId, run.location),
      copies.tablePharmacies(run.location),
    ])
    const before = { tablePharmacies, readAt: state.readAt }
    await retried(() => attempt(run, before, signal), {
      retryMs: timing.retryMs,
      signal,
      done: () => run.counts.read,
      onFailure: (failure) => work.noteFailure(run, failure),
    })
  }
}

async function* unordered(pages: AsyncIterable<SourcePage>) {
  for await (const page of pages) yield { ...page, changedAt: null }
}

/** The pharmacy's own records of a page, those that cannot be imported with the reason. */
function recordsOf(
  pharmacyId: string,
  tablePharmacies: readonly TablePharmacy[],
  page: SourcePage,
): PageRecord[] {
  const unreadable = new Map(page.unreadable.map((one) => [one.recordId ?? '?', one.reason]))
  const seen = new Set<string>()
  const records = page.orders.flatMap((order): PageRecord[] => {
    const { recordId, orderNumber } = order
    const pharmaWa = toldPharmaWa(order)
    seen.add(recordId)
    const whose = ownership(pharmaWa, pharmacyId, tablePharmacies)
    if (whose === 'foreign') return []
    const refused = { recordId, orderNumber, kind: 'refused' as const }
    const isTaken = pharmaWa !== undefined && isUnnamedTaken(tablePharmacies)
    if (whose === 'ownerless' && (order.isBlank || isTaken)) return []
    if (whose === 'ownerless') return [{ ...refused, columns: ['PharmaWA'], reason: 'no_pharmacy' }]
    const reason = unreadable.get(recordId)
    return [
      reason === undefined ? order : { ...order, unreadable: unreadableReason(reason).columns },
    ]
  })
  const lost = [...unreadable].flatMap(([recordId, reason]): PageRecord[] =>
    seen.has(recordId)
      ? []
      : [{ recordId, orderNumber: null, kind: 'refused', ...unreadableReason(reason) }],
  )
  // First, because their place in the page is not known: a run that continues in the middle of it has done them.
  return [...lost, ...records]
}

/**
 * The last time of change of the records that are done, as pages are sorted by it. The times of orders are not used:
 * those of records without a time of change, which come first, are the times of their creation.
 */
function cursorAfter(
  changedAt: ChangePage['changedAt'],
  done: readonly { recordId: string }[],
): string | null {
  return done.reduce<string | null>((last, { recordId }) => {
    const time = changedAt?.get(recordId)
    return time === undefined ? last : laterOf(last, time)
  }, null)
}

/** Failures in a row, without progress between them, after which a run fails. */
const MAX_FAILURES = 12
const MAX_RETRY_MS = 30_000

type Options = {
  /** The wait after the first failure in milliseconds; doubled with each further one. */
  retryMs: number
  signal: AbortSignal
  /** The number of records done so far: failures are counted anew when it grows. */
  done?: () => number
  /** Called before the wait. */
  onFailure(failure: MigrationFailure): Promise<void>
}

/** Does work again after transient failures of the order source. */
export async function retried<T>(
  work: () => Promise<T>,
  { retryMs, signal, onFailure, done = () => 0 }: Options,
): Promise<T> {
  let failures = 0
  for (;;) {
    const before = done()
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error)) throw error
      failures = done() > before ? 1 : failures + 1
      if (failures > MAX_FAILURES) throw error
      if (error instanceof SourceError) await onFailure(failureOf(error))
    }
    signal.throwIfAborted()
    await pause(Math.min(retryMs * 2 ** (failures - 1), MAX_RETRY_MS), undefined, { signal })
  }
}

export function failureOf(error: unknown): MigrationFailure {
  if (!(error instanceof SourceError)) return 'internal'
  return error.kind === 'not_found' ? 'refused' : error.kind
}

function isTransient(error: unknown): boolean {
  if (error instanceof RunError) return error.kind === 'outdated_page'
  return error instanceof SourceError && ['unreachable', 'rate_limited'].includes(error.kind)
}
