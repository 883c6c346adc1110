import { MIGRATION_BATCH_PAUSE_MS } from '@bancone/contract/backup-orders'
import { STALLED_AFTER_MS } from '@bancone/contract/migration-runs'
import type { Database } from '../../../database/database.ts'
import type { FileStore } from '../../../ports/file-store.ts'
import type { Log } from '../../../ports/log.ts'
import type { OrderSource, SourceLocation } from '../../../ports/order-source.ts'
import type { OrderChangesStore } from '../changes/order-changes.store.ts'
import type { OrderHooks } from '../records/order-hooks.ts'
import { createOrderLeasesStore } from '../records/order-leases.store.ts'
import { createOrderCopyStore } from '../sync/order-copy.store.ts'
import type { ReadingOutcome } from '../sync/order-reading.ts'
import { createMigrationBatchesStore } from './migration-batches.store.ts'
import { createMigrationRecordsStore } from './migration-records.store.ts'
import { createMigrationStatesStore } from './migration-states.store.ts'
import { type ClaimedRun, createMigrationWorkStore } from './migration-work.store.ts'

/** All in milliseconds. */
export const migrationTiming = {
  batchPauseMs: MIGRATION_BATCH_PAUSE_MS,
  /** The first wait after a failure of the source; doubled with each further one. */
  retryMs: 1_000,
  /** Between two tries to get the lease of the base, which a normal reading holds. */
  leaseMs: 100,
  /** Between finding a difference and reading it again. */
  recheckMs: 60_000,
  /** How long a run of the mode `back` waits for changes to reach Airtable. */
  drainMs: 5 * 60_000,
  /** Between two checks for runs that another process has stored or left behind, and for comparisons that are due. */
  checkMs: 15_000,
  /** How often a run says that it is alive. */
  beatMs: 10_000,
  /** The silence after which its process counts as dead. */
  stalledMs: STALLED_AFTER_MS,
  /** Between two comparisons of a pharmacy whose orders are here. */
  shadowEveryMs: 5 * 60_000,
}

/** Overrides of the default timing. */
export type MigrationTiming = Partial<typeof migrationTiming>

/** What the parts of a run share: the stores, and what they are given. */
export type MigrationContext = ReturnType<typeof createMigrationStores> & {
  db: Database
  source: OrderSource
  files: Pick<FileStore, 'open'>
  log: Log
  timing: typeof migrationTiming
  /** Imports what changed in Airtable. */
  refresh(pharmacyId: string, location: SourceLocation): Promise<ReadingOutcome>
  changes: Pick<OrderChangesStore, 'change'>
  /** Pushes changes and new orders in the background. */
  pushPending(pharmacyId: string): void
  copyPicturesAgain(pharmacyId: string, recordIds: readonly string[]): Promise<void>
  /** Moves the pharmacy back to Airtable, in the name of who started the run. */
  moveBack(tx: Database, run: ClaimedRun): Promise<void>
}

export function createMigrationStores(db: Database, hooks: OrderHooks) {
  const work = createMigrationWorkStore(db)
  return {
    work,
    records: createMigrationRecordsStore(db),
    states: createMigrationStatesStore(db),
    batches: createMigrationBatchesStore(db, hooks, work),
    copies: createOrderCopyStore(db, hooks),
    leases: createOrderLeasesStore(db),
  }
}
