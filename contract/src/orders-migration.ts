import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { MigrationProgress, MigrationRun, MigrationRunDetail } from './migration-runs.ts'
import { OrderStatus, StatusText } from './orders.ts'

/** How long the comparison in `shadow` must find nothing before the pharmacy can move to `database`. */
export const SHADOW_MS = 24 * 60 * 60_000

/** How long changes are written to Airtable before the pharmacy can move to `retired`. */
export const MIRROR_MS = 14 * 24 * 60 * 60_000

/** Days for which deleted backup orders can be restored. */
export const BACKUP_KEPT_DAYS = 30

/**
 * Where the orders of a pharmacy are on their way out of Airtable.
 * - `airtable`: pages wait for Airtable; changes are written here and there
 * - `shadow`: the same, and both are compared every five minutes
 * - `database`: pages come from the database alone. Changes still go to Airtable, and what is written there is imported
 * - `retired`: Airtable is not contacted any more
 *
 * `use_supabase_orders` is true exactly in the last two.
 */
export const OrdersPhase = z.enum(['airtable', 'shadow', 'database', 'retired'])
export type OrdersPhase = z.infer<typeof OrdersPhase>

const count = z.int()

/** Why `hasDifferences` is true. `failed`: nothing is known, and the last run failed (`run.failureText`). */
export const DifferenceReason = z.enum(['different', 'never_verified', 'not_counted', 'failed'])
export type DifferenceReason = z.infer<typeof DifferenceReason>

/** A row of the tables. `counts` are those of the last reading or run, so that the list costs Airtable nothing. */
export const MigrationPharmacy = z.object({
  id: z.uuid(),
  pharmacy_id: z.string(),
  name: z.string(),
  use_supabase_orders: z.boolean(),
  phase: OrdersPhase,
  phaseSince: z.nullable(z.string()),
  /** Whether both Airtable ids are set. Without them nothing can be migrated. */
  hasAirtable: z.boolean(),
  /** 0 when it is not known; `reason` says why. */
  airtableCount: count,
  airtableCountAt: z.nullable(z.string()),
  supabaseCount: count,
  /** Null: 'Mai migrato'. */
  lastMigration: z.nullable(z.string()),
  /** The result of the last verification; true without one. */
  hasDifferences: z.boolean(),
  differenceReason: z.nullable(DifferenceReason),
  verifiedAt: z.nullable(z.string()),
  /** 'Database': without Airtable the orders are there alone. */
  badge: z.enum(['In Migrazione', 'Da Sincronizzare', 'Sincronizzato', 'Database']),
  /** The run that has not ended, or else the last one. */
  run: z.nullable(MigrationRun),
})
export type MigrationPharmacy = z.infer<typeof MigrationPharmacy>

/** The next phase, and what it needs. */
export const PhaseStep = z.object({
  to: OrdersPhase,
  isPossible: z.boolean(),
  /** It is possible before its time with a typed reason. */
  needsReason: z.boolean(),
  /** Each condition in Italian, and whether it is met. */
  needs: z.array(z.object({ text: z.string(), met: z.boolean() })),
})
export type PhaseStep = z.infer<typeof PhaseStep>

export const MigrationDetail = z.extend(MigrationPharmacy, {
  run: z.nullable(MigrationRunDetail),
  /** Whether the server has a token for Airtable. Without it no run can be started. */
  isConfigured: z.boolean(),
  /** Where it can move from its phase: forward first, then back. */
  steps: z.array(PhaseStep),
  /** The comparison every five minutes; null outside of `shadow`. */
  shadow: z.nullable(
    z.object({
      checkedAt: z.nullable(z.string()),
      /** Since when nothing differed. */
      cleanSince: z.string(),
      checks: count,
      compared: count,
      mismatches: count,
    }),
  ),
  /** When the changes may stop going to Airtable; null outside of `database`. */
  mirrorUntil: z.nullable(z.string()),
  /** Changes and new orders on their way to Airtable. */
  waiting: count,
  /** Pictures of orders: `waiting` to be copied, `refused`: they could not be copied. */
  pictures: z.object({ waiting: count, refused: count }),
  /** Backup orders that can be restored; null when there are none. */
  deletedBackup: z.nullable(z.object({ orders: count, deletedAt: z.string(), until: z.string() })),
})
export type MigrationDetail = z.infer<typeof MigrationDetail>

const pharmacyParams = z.object({ pharmacyId: z.uuid() })

/** Active pharmacies by name, the cards, and the last 'Migra Tutte'. */
export const getMigrationOverview = endpoint({
  method: 'GET',
  path: '/api/admin/orders-migration',
  summary: 'List how far the orders of each pharmacy are out of Airtable',
  access: 'admin',
  response: z.object({
    cards: z.object({ total: count, backupActive: count, toSync: count, migrating: count }),
    /** Whether the server has a token for Airtable. */
    isConfigured: z.boolean(),
    progress: z.nullable(MigrationProgress),
    /** With the backup on (`use_supabase_orders`), and the others. */
    backup: z.array(MigrationPharmacy),
    standard: z.array(MigrationPharmacy),
  }),
  errors: [],
})

export const getMigrationDetail = endpoint({
  method: 'GET',
  path: '/api/admin/orders-migration/pharmacies/:pharmacyId',
  summary: "Get the phase, the conditions of the next one and the last run of a pharmacy's orders",
  access: 'admin',
  params: pharmacyParams,
  response: MigrationDetail,
  errors: ['pharmacies.not_found'],
})

/**
 * Starts a run in the background. While one of the same mode has not ended that one is returned, so that two
 * administrators see the same run.
 */
export const startMigration = endpoint({
  method: 'POST',
  path: '/api/admin/orders-migration/pharmacies/:pharmacyId/runs',
  summary: "Start a dry run, a migration or a verification of a pharmacy's orders",
  access: 'admin',
  audit: 'orders_migration_started',
  params: pharmacyParams,
  body: z.strictObject({
    mode: z.enum(['dry_run', 'full', 'verify']),
    /**
     * The statuses to give to orders whose status is none of the five, by that status. They are changed here and in
     * Airtable after their import (`full` only).
     */
    statusMapping: z.optional(
      z
        .record(StatusText, OrderStatus)
        .check(z.refine((mapping) => Object.keys(mapping).length <= 50)),
    ),
  }),
  response: MigrationRunDetail,
  maxBodyBytes: 64 * 1024,
  errors: [
    'pharmacies.not_found',
    'migrations.no_airtable',
    'migrations.not_configured',
    'migrations.other_running',
  ],
})

/** 'Migra Tutte': a run for each active pharmacy with the backup on and Airtable ids, of a base one at a time. */
export const startAllMigrations = endpoint({
  method: 'POST',
  path: '/api/admin/orders-migration/runs',
  summary: 'Migrate the orders of all pharmacies with the backup on',
  access: 'admin',
  audit: 'orders_migration_started',
  response: MigrationProgress,
  errors: ['migrations.nothing_to_migrate', 'migrations.not_configured'],
})

/** Cancels the runs of 'Migra Tutte' that have not ended, each after its current batch. */
export const cancelAllMigrations = endpoint({
  method: 'DELETE',
  path: '/api/admin/orders-migration/runs',
  summary: 'Cancel the migration of all pharmacies',
  access: 'admin',
  audit: 'orders_migration_cancelled',
  response: z.object({}),
  errors: [],
})

/**
 * Moves a pharmacy to another phase. All processes follow within two seconds. From `database` to `airtable` a run of
 * the mode `back` is started and makes the move in the end; the answer then shows the old phase and that run.
 */
export const changeOrdersPhase = endpoint({
  method: 'POST',
  path: '/api/admin/orders-migration/pharmacies/:pharmacyId/phase',
  summary: "Move a pharmacy's orders to another phase of the migration",
  access: 'admin',
  audit: 'orders_phase_changed',
  params: pharmacyParams,
  body: z.strictObject({
    /** The phase on the screen: refused if it is another one by now. */
    from: OrdersPhase,
    to: OrdersPhase,
    /** For a move before its time. */
    reason: z.optional(z.string().check(z.trim(), z.minLength(10), z.maxLength(500))),
  }),
  response: MigrationDetail,
  errors: [
    'pharmacies.not_found',
    'migrations.phase_changed',
    'migrations.phase_refused',
    'migrations.other_running',
    'migrations.no_airtable',
    'migrations.not_configured',
  ],
})

/** Takes the deletion of the backup back, for 30 days. */
export const restoreBackupOrders = endpoint({
  method: 'POST',
  path: '/api/admin/orders-migration/pharmacies/:pharmacyId/backup',
  summary: 'Restore the deleted backup orders of a pharmacy',
  access: 'admin',
  audit: 'backup_orders_restored',
  params: pharmacyParams,
  response: MigrationDetail,
  errors: ['pharmacies.not_found', 'migrations.nothing_to_restore'],
})
