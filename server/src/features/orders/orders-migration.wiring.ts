import { z } from 'zod'
import { runInRequest } from '../../base/request-context.ts'
import type { AppModule } from '../../http/app-module.ts'
import type { Audit } from '../../platform/audit.ts'
import type { Context } from '../../platform/context.ts'
import type { FileStore } from '../../ports/file-store.ts'
import type { OrderSource } from '../../ports/order-source.ts'
import { createOrderImagesStore } from './images/order-images.store.ts'
import { createMigrationBatchesStore } from './migration/migration-batches.store.ts'
import { createMigrationComparison, createPictureCheck } from './migration/migration-comparison.ts'
import {
  createMigrationReading,
  type MigrationTiming,
  migrationTiming,
} from './migration/migration-reading.ts'
import { createMigrationRecordsStore } from './migration/migration-records.store.ts'
import { createMigrationRunner, createMigrationShadow } from './migration/migration-runner.ts'
import { createMigrationRunsStore } from './migration/migration-runs.store.ts'
import {
  createBackupOrdersStore,
  createMigrationStatesStore,
} from './migration/migration-states.store.ts'
import { createMigrationTask } from './migration/migration-task.ts'
import { type ClaimedRun, createMigrationWorkStore } from './migration/migration-work.store.ts'
import { ordersMigrationRoutes, requestOf } from './migration/orders-migration.routes.ts'
import { createOrdersMigration, type MovePhase } from './migration/orders-migration.service.ts'
import type { OrdersSync } from './orders-sync.wiring.ts'
import type { OrderHooks } from './records/order-hooks.ts'
import { createOrderLeasesStore } from './records/order-leases.store.ts'
import { createOrderCopyStore } from './sync/order-copy.store.ts'

export const MIGRATION_CLEANUP_TASK = 'orders.migrations.cleanup'

type Dependencies = Pick<Context, 'db' | 'clock' | 'log'> & {
  /** Null where no order source is configured. */
  source: OrderSource | null
  sync: Pick<OrdersSync, 'copy' | 'changes'>
  hooks: OrderHooks
  pictureFiles: FileStore
  audit: Pick<Audit, 'recordChange'>
  movePhase: MovePhase
  timing: MigrationTiming | undefined
}

const Request = z.object({
  requestId: z.string(),
  address: z.string(),
  agent: z.string().nullable(),
})

/** Wires the migration of orders out of Airtable. */
export function wireOrdersMigration(dependencies: Dependencies): AppModule & {
  /** Starts the run that moves a pharmacy from the phase `database` back to `airtable`. */
  returnToAirtable(pharmacyId: string, userId: string): Promise<unknown>
  /** Moves a pharmacy to the phase `database`, if its conditions are met. */
  leaveAirtable(pharmacyId: string, userId: string): Promise<unknown>
} {
  const { db, hooks, audit, movePhase, clock, log } = dependencies
  const records = createMigrationRecordsStore(db)
  const states = createMigrationStatesStore(db)
  const runs = createMigrationRunsStore(db, audit)
  const migration = createOrdersMigration({
    db,
    runs,
    records,
    states,
    movePhase,
    isConfigured: dependencies.source !== null,
    clock,
  })
  const backup = createBackupOrdersStore({ db, hooks, states, audit })
  const runner = dependencies.source && runnerOf(dependencies, dependencies.source)
  return {
    returnToAirtable: (pharmacyId, userId) =>
      migration.start(pharmacyId, { mode: 'back' }, requestOf({ userId })),
    leaveAirtable: (pharmacyId, userId) =>
      migration.leaveAirtable(pharmacyId, requestOf({ userId })),
    routes: (http) => ordersMigrationRoutes(http, { migration, backup }),
    tasks: {
      [MIGRATION_CLEANUP_TASK]: {
        lane: 'maintenance',
        async run() {
          log.info({ runs: await runs.deleteOld() }, 'deleted old migrations of orders')
        },
      },
    },
    start: () => runner?.start(),
    close: () => runner?.stop(),
  }
}

function runnerOf(dependencies: Dependencies, source: OrderSource) {
  const { db, sync, hooks, movePhase, log, pictureFiles: files } = dependencies
  const work = createMigrationWorkStore(db)
  const copies = createOrderCopyStore(db, hooks)
  const parts = {
    db,
    source,
    work,
    copies,
    records: createMigrationRecordsStore(db),
    states: createMigrationStatesStore(db),
    batches: createMigrationBatchesStore(db, hooks, work),
    leases: createOrderLeasesStore(db),
    refresh: sync.copy.poll,
    files,
    log,
    timing: { ...migrationTiming, ...dependencies.timing },
  }
  const { compare, settle } = createMigrationComparison(parts)
  const task = createMigrationTask({
    ...parts,
    read: createMigrationReading(parts),
    compare,
    checkPictures: createPictureCheck(parts),
    changes: sync.changes,
    pushPending: sync.copy.pushPending,
    copyPicturesAgain: createOrderImagesStore(db).copyAgain,
    analyzeAfter: copies.analyzeAfter,
    moveBack: (tx, run) =>
      inRequestOf(run, async () => {
        await movePhase(tx, run.pharmacyId, { from: 'database', to: 'airtable' })
      }),
  })
  const checkShadows = createMigrationShadow({ ...parts, settle })
  return createMigrationRunner({ ...parts, task, checkShadows })
}

/** In the name of the administrator who started the run. */
function inRequestOf<T>(run: ClaimedRun, act: () => Promise<T>): Promise<T> {
  const request = Request.safeParse(run.request)
  if (!request.success) return act()
  const actor = { id: run.startedBy, role: 'admin', pharmacyId: null } as const
  return runInRequest({ ...request.data, actor }, act)
}
