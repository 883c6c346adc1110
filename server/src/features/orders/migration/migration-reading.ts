import { setTimeout as pause } from 'node:timers/promises'
import { MIGRATION_BATCH_PAUSE_MS, MIGRATION_BATCH_SIZE } from '@bancone/contract/backup-orders'
import { type OrderSource, SourceError, type SourcePage } from '../../../ports/order-source.ts'
import type { OrderCopyStore } from '../copy/order-copy.store.ts'
import type { OrderLeasesStore } from '../copy/order-leases.store.ts'
import { ownership, type TablePharmacy } from '../copy/order-owner.rules.ts'
import { laterOf, newSince } from '../orders.rules.ts'
import type { MigrationBatchesStore, PageRecord } from './migration-batches.store.ts'
import type { MigrationItemsStore } from './migration-items.store.ts'
import { unreadableReason } from './migration-texts.rules.ts'
import { type ClaimedRun, LostRunError } from './migration-work.store.ts'

/** All in milliseconds. */
export type ReadingTiming = {
  batchPauseMs: number
  /** The first wait after a failure of the source; doubled with each further one. */
  retryMs: number
  /** Between two tries to get the lease of the base, which a normal reading holds. */
  leaseMs: number
}

export const readingTiming: ReadingTiming = {
  batchPauseMs: MIGRATION_BATCH_PAUSE_MS,
  retryMs: 1_000,
  leaseMs: 100,
}

/** Failures in a row, without a record read between them, after which a run fails. */
const MAX_FAILURES = 12
const MAX_RETRY_MS = 30_000

type Dependencies = {
  source: OrderSource
  batches: MigrationBatchesStore
  items: Pick<MigrationItemsStore, 'recordIds'>
  copies: Pick<OrderCopyStore, 'copyState' | 'tablePharmacies'>
  leases: OrderLeasesStore
  timing: ReadingTiming
}

/** The run has been cancelled. */
export class CancelledRunError extends Error {
  override readonly name = 'CancelledRunError'
}

/** A normal reading has taken the lease over, and has newer data than a page that was requested before. */
class OutdatedPageError extends Error {}

/**
 * Reads all records of a table, or those that another run refused. A page is read and written under the lease of the
 * base, so that no normal reading writes newer data between the two, and normal readings come between two pages.
 */
export function createMigrationReading(dependencies: Dependencies) {
  const { source, batches, items, copies, leases, timing } = dependencies

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
      const ids = await items.recordIds(run.retryOf, ['refused'])
      return unordered(source.readSome(run.location, ids, signal))
    }
    return source.readByChange(run.location, run.cursor, signal)
  }

  /** @returns when all has been read */
  async function attempt(
    run: ClaimedRun,
    context: { tablePharmacies: readonly TablePharmacy[]; readAt: string | null },
    signal: AbortSignal,
  ): Promise<void> {
    const pages = (await pagesOf(run, signal))[Symbol.asyncIterator]()
    try {
      for (;;) {
        const startedAt = await acquireLease(run, signal)
        const next = await pages.next()
        if (next.done) return
        if (!(await leases.acquire(run.location.baseId, run.id))) throw new OutdatedPageError()
        await savePage(run, next.value, { ...context, startedAt }, signal)
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
    page: SourcePage & { isOrdered: boolean },
    {
      tablePharmacies,
      readAt,
      startedAt,
    }: { tablePharmacies: readonly TablePharmacy[]; readAt: string | null; startedAt: string },
    signal: AbortSignal,
  ): Promise<void> {
    const records = recordsOf(run.pharmacyId, tablePharmacies, page)
    const writing = {
      readStartedAt: startedAt,
      countsAsNew: readAt !== null,
      newAfter: readAt === null ? undefined : newSince(readAt),
    }
    for (let at = 0; at < records.length || at === 0; at += MIGRATION_BATCH_SIZE) {
      if (at > 0) await pause(timing.batchPauseMs, undefined, { signal })
      signal.throwIfAborted()
      const batch = records.slice(at, at + MIGRATION_BATCH_SIZE)
      const cursor = page.isOrdered ? cursorAfter(page, records, batch) : null
      if (await batches.save(run, batch, cursor, writing)) throw new CancelledRunError()
    }
  }

  return async (run: ClaimedRun, signal: AbortSignal): Promise<void> => {
    const [state, tablePharmacies] = await Promise.all([
      copies.copyState(run.pharmacyId, run.location),
      copies.tablePharmacies(run.location),
    ])
    let failures = 0
    for (;;) {
      const readBefore = run.counts.read
      try {
        return await attempt(run, { tablePharmacies, readAt: state.readAt }, signal)
      } catch (error) {
        if (error instanceof CancelledRunError || error instanceof LostRunError) throw error
        if (!(error instanceof OutdatedPageError) && !isTransient(error)) throw error
        failures = run.counts.read > readBefore ? 1 : failures + 1
        if (failures > MAX_FAILURES) throw error
      }
      signal.throwIfAborted()
      const wait = Math.min(timing.retryMs * 2 ** (failures - 1), MAX_RETRY_MS)
      await pause(wait, undefined, { signal })
    }
  }
}

function isTransient(error: unknown): boolean {
  return error instanceof SourceError && ['unreachable', 'rate_limited'].includes(error.kind)
}

async function* unordered(pages: AsyncIterable<SourcePage>) {
  for await (const page of pages) yield { ...page, isOrdered: false }
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
    const { recordId, orderNumber, pharmaWa } = order
    seen.add(recordId)
    const whose = ownership(pharmaWa, pharmacyId, tablePharmacies)
    if (whose === 'foreign') return []
    const refused = { recordId, orderNumber, kind: 'refused' as const }
    if (whose === 'ownerless') return [{ ...refused, columns: ['PharmaWA'], reason: 'no_pharmacy' }]
    const reason = unreadable.get(recordId)
    return [reason === undefined ? order : { ...refused, ...unreadableReason(reason) }]
  })
  const lost = [...unreadable].flatMap(([recordId, reason]): PageRecord[] =>
    seen.has(recordId)
      ? []
      : [{ recordId, orderNumber: null, kind: 'refused', ...unreadableReason(reason) }],
  )
  return [...records, ...lost]
}

/**
 * The time of change up to which everything has been done, as the pages are sorted by it. A time that could not be read
 * is no such time.
 */
function cursorAfter(
  page: SourcePage,
  records: readonly PageRecord[],
  batch: readonly PageRecord[],
): string | null {
  const isLast = batch.at(-1) === records.at(-1)
  const done = isLast ? page.orders : batch.filter((record) => !('kind' in record))
  const broken = new Set(page.unreadable.map(({ recordId }) => recordId))
  return done.reduce<string | null>(
    (last, { recordId, ...order }) =>
      broken.has(recordId) || !('updatedAt' in order) ? last : laterOf(last, order.updatedAt),
    null,
  )
}
