import {
  ACTIVE_STATES,
  type MigrationRun,
  type MigrationRunDetail,
} from '@bancone/contract/migration-runs'
import {
  BACKUP_KEPT_DAYS,
  type DifferenceReason,
  MIRROR_MS,
  type MigrationDetail,
  type MigrationPharmacy,
} from '@bancone/contract/orders-migration'
import { phaseSteps } from './migration-phases.rules.ts'
import type { MigrationStateRow } from './migration-states.store.ts'

const DAY_MS = 24 * 60 * 60_000

/** A pharmacy of the list. @param run the one that has not ended, or the last one */
export function pharmacyOf(row: MigrationStateRow, run: MigrationRun | null): MigrationPharmacy {
  const differenceReason = reasonOf(row, run)
  const isMigrating = isActive(run) && (run?.mode === 'full' || run?.mode === 'back')
  const settled = differenceReason === null ? 'Sincronizzato' : 'Da Sincronizzare'
  const badge = isMigrating ? 'In Migrazione' : row.has_airtable ? settled : 'Database'
  return {
    id: row.id,
    pharmacy_id: row.code,
    name: row.name,
    use_supabase_orders: row.use_supabase_orders,
    phase: row.orders_phase,
    phaseSince: row.orders_phase_since,
    hasAirtable: row.has_airtable,
    airtableCount: row.records ?? 0,
    airtableCountAt: row.counted_at,
    supabaseCount: backupCount(row),
    lastMigration: row.last_migration_at,
    hasDifferences: differenceReason !== null,
    differenceReason,
    verifiedAt: row.verified_at,
    badge,
    run,
  }
}

export function isActive(run: MigrationRun | null): boolean {
  return run !== null && ACTIVE_STATES.includes(run.state)
}

/**
 * The orders of the backup. While pages are answered with Airtable's orders these are a copy like any other, and a backup
 * since they were migrated. Without Airtable they are in the database alone.
 */
export function backupCount(row: MigrationStateRow): number {
  const isBackup = row.use_supabase_orders || row.last_migration_at !== null
  return isBackup || !row.has_airtable ? row.orders : 0
}

/** Why the two sides count as different; null when they do not. Without Airtable there is nothing to differ from. */
function reasonOf(row: MigrationStateRow, run: MigrationRun | null): DifferenceReason | null {
  if (!row.has_airtable) return null
  if (row.verified_at !== null) return row.has_differences ? 'different' : null
  if (row.records !== null) return 'never_verified'
  return run?.state === 'failed' ? 'failed' : 'not_counted'
}

/** @param now milliseconds since 1970 */
export function detailOf(
  row: MigrationStateRow,
  run: MigrationRunDetail | null,
  {
    now,
    ...besides
  }: { pictures: MigrationDetail['pictures']; isConfigured: boolean; now: number },
): MigrationDetail {
  const since = Date.parse(row.orders_phase_since)
  const { clean_since: cleanSince } = row
  return {
    ...pharmacyOf(row, run),
    ...besides,
    run,
    steps: phaseSteps({
      phase: row.orders_phase,
      hasAirtable: row.has_airtable,
      since,
      now,
      isRunning: isActive(run),
      verified: row.verified_at
        ? { at: Date.parse(row.verified_at), equal: row.has_differences === false }
        : null,
      clean: cleanSince
        ? {
            since: Date.parse(cleanSince),
            checkedAt: row.checked_at === null ? null : Date.parse(row.checked_at),
          }
        : null,
      waiting: row.waiting,
    }),
    shadow:
      row.orders_phase === 'shadow' && cleanSince
        ? {
            checkedAt: row.checked_at,
            cleanSince,
            checks: row.checks ?? 0,
            compared: row.compared ?? 0,
            mismatches: row.mismatches ?? 0,
          }
        : null,
    mirrorUntil:
      row.orders_phase === 'database' && row.has_airtable
        ? new Date(since + MIRROR_MS).toISOString()
        : null,
    waiting: row.waiting,
    deletedBackup:
      row.deleted_at === null
        ? null
        : {
            orders: row.deleted_orders ?? 0,
            deletedAt: row.deleted_at,
            until: new Date(Date.parse(row.deleted_at) + BACKUP_KEPT_DAYS * DAY_MS).toISOString(),
          },
  }
}
