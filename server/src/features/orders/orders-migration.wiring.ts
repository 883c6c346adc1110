import { z } from 'zod'
import { runInRequest } from '../../base/request-context.ts'
import type { AppModule } from '../../http/app-module.ts'
import type { Audit } from '../../platform/audit.ts'
import type { Context } from '../../platform/context.ts'
import type { FileStore } from '../../ports/file-store.ts'
import type { OrderSource } from '../../ports/order-source.ts'
import { createOrderImagesStore } from './images/order-images.store.ts'
import {
  createMigrationStores,
  type MigrationTiming,
  migrationTiming,
} from './migration/migration.context.ts'
import { createMigrationRecordsStore } from './migration/migration-records.store.ts'
import { createMigrationRunner } from './migration/migration-runner.ts'
import { createMigrationRunsStore } from './migration/migration-runs.store.ts'
import {
  createBackupOrdersStore,
  createMigrationStatesStore,
} from './migration/migration-states.store.ts'
import { type ClaimedRun } from './migration/migration-work.store.ts'
import { ordersMigrationRoutes, requestOf } from './migration/orders-migration.routes.ts'
import { createOrdersMigration, type MovePhase } from './migration/orders-migration.service.ts'
import type { OrdersSync } from './orders-sync.wiring.ts'
import type { OrderHooks } from './records/order-hooks.ts'

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
  const { db, sync, hooks, movePhase, log, pictureFiles: files, timing } = dependencies
  const stores = createMigrationStores(db, hooks)
  return createMigrationRunner({
    ...stores,
    db,
    source,
    files,
    log,
    timing: { ...migrationTiming, ...timing },
    refresh: sync.copy.poll,
    changes: sync.changes,
    pushPending: sync.copy.pushPending,
    copyPicturesAgain: createOrderImagesStore(db).copyAgain,
    moveBack: (tx, run) =>
      inRequestOf(run, async () => {
        await movePhase(tx, run.pharmacyId, { from: 'database', to: 'airtable' })
      }),
  })
}

/** In the name of the administrator who started the run. */
function inRequestOf<T>(run: ClaimedRun, act: () => Promise<T>): Promise<T> {
  const request = Request.safeParse(run.request)
  if (!request.success) return act()
  const actor = { id: run.startedBy, role: 'admin', pharmacyId: null } as const
  return runInRequest({ ...request.data, actor }, act)
}
