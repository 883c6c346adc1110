import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { DryRunResult, VerificationResult } from './migration-results.ts'
import { PageQuery, Pagination } from './paging.ts'

/** A run whose process has not reported for so long is stalled, and another process continues it. */
export const STALLED_AFTER_MS = 2 * 60_000

/** The most examples of each kind in the result of a dry run. */
export const MAX_EXAMPLES = 20

/**
 * - `dry_run`: reads and compares, and writes no order
 * - `full`: writes what is new or differs, and then compares
 * - `verify`: compares all orders and their pictures
 * - `back`: waits until Airtable has all changes, compares, and moves the pharmacy back to `airtable` if all is equal
 */
export const MigrationMode = z.enum(['dry_run', 'full', 'verify', 'back'])
export type MigrationMode = z.infer<typeof MigrationMode>

/** `cancelling`: ends after its current batch. `stalled`: its process stopped reporting; another one will continue. */
export const MigrationState = z.enum([
  'queued',
  'running',
  'cancelling',
  'stalled',
  'completed',
  'completed_with_errors',
  'cancelled',
  'failed',
])
export type MigrationState = z.infer<typeof MigrationState>

/** The states of a run that has not ended. */
export const ACTIVE_STATES: readonly MigrationState[] = [
  'queued',
  'running',
  'cancelling',
  'stalled',
]

/**
 * What a run is doing.
 * - `draining`: changes and new orders are written to Airtable (`back` only)
 * - `reading`: Airtable is read page by page
 * - `comparing`: the database is compared with what was read
 * - `rechecking`: differences are read again after a minute, because orders change meanwhile
 * - `pictures`: the stored pictures are checked
 */
export const MigrationStep = z.enum(['draining', 'reading', 'comparing', 'rechecking', 'pictures'])
export type MigrationStep = z.infer<typeof MigrationStep>

const count = z.int()

/** Numbers of records. `read` is the sum of `new`, `changed`, `same`, `conflicts` and `refused`. */
export const MigrationCounts = z.object({
  read: count,
  new: count,
  changed: count,
  same: count,
  /** Not overwritten: a change made here has not reached Airtable yet. In `retired`, what differs. */
  conflicts: count,
  /** Not imported. What was known of them before stays. */
  refused: count,
  /** Of `new`, `changed`, `same` and `conflicts`: records with columns that cannot be read. */
  toFix: z._default(count, 0),
  /** Orders of the database that Airtable does not have. They stay. Known once all has been read. */
  onlyHere: count,
  /** Pictures of the orders read. */
  images: count,
})
export type MigrationCounts = z.infer<typeof MigrationCounts>

/** Why a run failed as a whole, or why one in progress waits before it tries again. */
export const MigrationFailure = z.enum([
  'unreachable',
  'rate_limited',
  'denied',
  'refused',
  'not_drained',
  'no_airtable',
  'internal',
])
export type MigrationFailure = z.infer<typeof MigrationFailure>

/**
 * - `refused`: cannot be read at all or has no owner, and is not imported; or is imported without some of its columns
 * - `conflict`: not overwritten, because a change made here waits
 * - `only_in_airtable`, `only_here`, `different`: found by the comparison
 * - `picture`: its stored copy is missing or damaged, or it could not be copied
 */
export const MigrationItemKind = z.enum([
  'refused',
  'conflict',
  'only_in_airtable',
  'only_here',
  'different',
  'picture',
])
export type MigrationItemKind = z.infer<typeof MigrationItemKind>

/** A run in a list. Times are ISO 8601. */
export const MigrationRun = z.object({
  id: z.uuid(),
  /** The runs that were started together by 'Migra Tutte'; null for one alone. */
  batchId: z.nullable(z.uuid()),
  /** The run whose records that are to be corrected it tries again. */
  retryOf: z.nullable(z.uuid()),
  pharmacy: z.object({ id: z.uuid(), pharmacy_id: z.string(), name: z.string() }),
  mode: MigrationMode,
  state: MigrationState,
  step: z.nullable(MigrationStep),
  counts: MigrationCounts,
  /** The number of records to read: as counted last; null when it is not known. Show 'letti n' then. */
  total: z.nullable(count),
  /** 0 to 100; null when the total is not known. */
  percent: z.nullable(z.number()),
  /** Records read in a second lately (10 to 40 seconds), and the seconds left by that; null when not known. */
  perSecond: z.nullable(z.number()),
  secondsLeft: z.nullable(z.number()),
  verification: z.nullable(VerificationResult),
  failure: z.nullable(MigrationFailure),
  /** The failure in Italian. */
  failureText: z.nullable(z.string()),
  /** The address of the administrator; null when the account is gone. */
  startedBy: z.nullable(z.string()),
  createdAt: z.string(),
  startedAt: z.nullable(z.string()),
  heartbeatAt: z.nullable(z.string()),
  endedAt: z.nullable(z.string()),
})
export type MigrationRun = z.infer<typeof MigrationRun>

/** A run with all that it found. */
export const MigrationRunDetail = z.extend(MigrationRun, {
  dryRun: z.nullable(DryRunResult),
  /** How many records need attention, by kind; `open`: those that no later run has imported. Kinds without any are left out. */
  items: z.array(z.object({ kind: MigrationItemKind, total: count, open: count })),
})
export type MigrationRunDetail = z.infer<typeof MigrationRunDetail>

/**
 * What all runs of 'Migra Tutte' have done, or are doing.
 * `error`: at least one of them did not complete, or completed with errors.
 */
export const MigrationProgress = z.object({
  batchId: z.uuid(),
  /** Pharmacies. */
  total: count,
  processed: count,
  success: count,
  errors: count,
  status: z.enum(['idle', 'running', 'completed', 'error']),
  /** The name of a pharmacy that is being migrated. */
  currentPharmacy: z.nullable(z.string()),
  /** One line for each pharmacy with errors, in Italian. */
  errorMessages: z.array(z.string()),
  /** Orders written by all of its runs. */
  migrated: count,
  startedBy: z.nullable(z.string()),
  createdAt: z.string(),
  endedAt: z.nullable(z.string()),
})
export type MigrationProgress = z.infer<typeof MigrationProgress>

/** A record that needs attention. Never its contents. */
export const MigrationItem = z.object({
  recordId: z.string(),
  orderNumber: z.nullable(z.string()),
  kind: MigrationItemKind,
  columns: z.array(z.string()),
  /** The reason, and what to do, in Italian. */
  reason: z.string(),
  advice: z.string(),
  /** When a later run has imported it. */
  resolvedAt: z.nullable(z.string()),
})
export type MigrationItem = z.infer<typeof MigrationItem>

const runParams = z.object({ runId: z.uuid() })

/** All runs, or those of one pharmacy, newest first. */
export const listMigrationRuns = endpoint({
  method: 'GET',
  path: '/api/admin/orders-migration/runs',
  summary: 'List the runs of migrations',
  access: 'admin',
  query: z.extend(PageQuery, { pharmacyId: z.optional(z.uuid()) }),
  response: z.object({ runs: z.array(MigrationRun), pagination: Pagination }),
  errors: [],
})

export const getMigrationRun = endpoint({
  method: 'GET',
  path: '/api/admin/orders-migration/runs/:runId',
  summary: 'Get a run with its progress and results',
  access: 'admin',
  params: runParams,
  response: MigrationRunDetail,
  errors: ['migrations.not_found'],
})

/** Ends after the current batch. What has been written stays. One that has ended stays as it is. */
export const cancelMigration = endpoint({
  method: 'DELETE',
  path: '/api/admin/orders-migration/runs/:runId',
  summary: 'Cancel a run',
  access: 'admin',
  audit: 'orders_migration_cancelled',
  params: runParams,
  response: MigrationRunDetail,
  errors: ['migrations.not_found'],
})

export const listMigrationItems = endpoint({
  method: 'GET',
  path: '/api/admin/orders-migration/runs/:runId/items',
  summary: 'List the records of a run that need attention',
  access: 'admin',
  params: runParams,
  query: z.extend(PageQuery, { kind: z.optional(MigrationItemKind) }),
  response: z.object({ items: z.array(MigrationItem), pagination: Pagination }),
  errors: ['migrations.not_found'],
})

/** A CSV file for the Italian Excel: record id, ID Ordine, columns, reason, what to do. */
export const downloadMigrationItems = endpoint({
  method: 'GET',
  path: '/api/admin/orders-migration/runs/:runId/items/file',
  summary: 'Download the records of a run that need attention',
  access: 'admin',
  params: runParams,
  query: z.object({ kind: z.optional(MigrationItemKind) }),
  response: z.string().check(z.meta({ contentMediaType: 'text/csv' })),
  errors: ['migrations.not_found'],
})

/** A new run with only the records of that one that are to be corrected, and the pictures that could not be copied. */
export const retryMigration = endpoint({
  method: 'POST',
  path: '/api/admin/orders-migration/runs/:runId/retry',
  summary: 'Try the records of a run that are to be corrected again',
  access: 'admin',
  audit: 'orders_migration_started',
  params: runParams,
  response: MigrationRunDetail,
  errors: [
    'migrations.not_found',
    'migrations.nothing_to_retry',
    'migrations.other_running',
    'migrations.no_airtable',
    'migrations.not_configured',
  ],
})
