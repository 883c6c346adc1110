import {
  getBackupStats,
  importBackupOrders,
  removeBackupOrders,
} from '@bancone/contract/backup-orders'
import {
  cancelMigration,
  downloadMigrationItems,
  getMigrationRun,
  listMigrationItems,
  listMigrationRuns,
  retryMigration,
} from '@bancone/contract/migration-runs'
import {
  cancelAllMigrations,
  changeOrdersPhase,
  getMigrationDetail,
  getMigrationOverview,
  restoreBackupOrders,
  startAllMigrations,
  startMigration,
} from '@bancone/contract/orders-migration'
import { z } from 'zod'
import { currentRequest, runInRequest } from '../../base/request-context.ts'
import type { AppModule, Http } from '../../http/app-module.ts'
import type { AdminSession } from '../../http/serve.ts'
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
import {
  createMigrationRunsStore,
  type MigrationRunsStore,
  type RunRequest,
} from './migration/migration-runs.store.ts'
import {
  type BackupOrdersStore,
  createBackupOrdersStore,
  createMigrationStatesStore,
} from './migration/migration-states.store.ts'
import type { ClaimedRun } from './migration/migration-work.store.ts'
import {
  createOrdersMigration,
  type MovePhase,
  type OrdersMigration,
} from './migration/orders-migration.service.ts'
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
  const runner = dependencies.source && runnerOf(dependencies, dependencies.source)
  const migration = createOrdersMigration({
    db,
    runs,
    records,
    states,
    movePhase,
    isConfigured: dependencies.source !== null,
    onWaiting: () => runner?.wake(),
    clock,
  })
  const backup = createBackupOrdersStore({ db, hooks, states, audit })
  return {
    returnToAirtable: (pharmacyId, userId) =>
      migration.start(pharmacyId, { mode: 'back' }, requestOf({ userId })),
    leaveAirtable: (pharmacyId, userId) =>
      migration.leaveAirtable(pharmacyId, requestOf({ userId })),
    routes: (http) => ordersMigrationRoutes(http, { migration, runs, backup }),
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

type Parts = { migration: OrdersMigration; runs: MigrationRunsStore; backup: BackupOrdersStore }

function ordersMigrationRoutes(
  { serve, serveFile }: Pick<Http, 'serve' | 'serveFile'>,
  { migration, runs, backup }: Parts,
) {
  serve(getMigrationOverview, () => migration.overview())

  serve(getMigrationDetail, ({ params }) => migration.detail(params.pharmacyId))

  serve(startMigration, ({ params, body }, session) =>
    migration.start(params.pharmacyId, body, requestOf(session)),
  )

  serve(startAllMigrations, (_input, session) => migration.startAll(requestOf(session)))

  serve(cancelAllMigrations, async () => {
    await runs.cancel('all')
    return {}
  })

  serve(listMigrationRuns, ({ query }) => migration.list(query))

  serve(getMigrationRun, ({ params }) => runs.find(params.runId))

  serve(cancelMigration, ({ params }) => migration.cancel(params.runId))

  serve(listMigrationItems, ({ params, query }) => migration.items(params.runId, query))

  serveFile(downloadMigrationItems, ({ params, query }) =>
    migration.itemsFile(params.runId, query.kind),
  )

  serve(retryMigration, ({ params }, session) => migration.retry(params.runId, requestOf(session)))

  serve(changeOrdersPhase, ({ params, body }, session) =>
    migration.changePhase(params.pharmacyId, body, requestOf(session)),
  )

  serve(restoreBackupOrders, async ({ params }) => {
    await backup.restore(params.pharmacyId)
    return migration.detail(params.pharmacyId)
  })

  serve(importBackupOrders, async ({ body: { pharmacyId, orders, overwrite } }) => ({
    inserted: await backup.import(pharmacyId, orders, { overwrite }),
  }))

  serve(getBackupStats, ({ query }) => backup.stats(query.pharmacyId))

  serve(removeBackupOrders, async ({ body }) => {
    await backup.remove(body.pharmacyId, body.code)
    return {}
  })
}

/** In whose name a run works that this request starts. */
function requestOf({ userId }: Pick<AdminSession, 'userId'>): RunRequest {
  const { requestId = '', address = '', agent = null } = currentRequest() ?? {}
  return { userId, context: { requestId, address, agent } }
}
