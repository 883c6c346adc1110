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
import { currentRequest } from '../../../base/request-context.ts'
import type { Http } from '../../../http/app-module.ts'
import type { AdminSession } from '../../../http/serve.ts'
import type { RunRequest } from './migration-runs.store.ts'
import type { BackupOrdersStore } from './migration-states.store.ts'
import type { OrdersMigration } from './orders-migration.service.ts'

type Parts = { migration: OrdersMigration; backup: BackupOrdersStore }

export function ordersMigrationRoutes(
  { serve, serveFile }: Pick<Http, 'serve' | 'serveFile'>,
  { migration, backup }: Parts,
) {
  serve(getMigrationOverview, () => migration.overview())

  serve(getMigrationDetail, ({ params }) => migration.detail(params.pharmacyId))

  serve(startMigration, ({ params, body }, session) =>
    migration.start(params.pharmacyId, body, requestOf(session)),
  )

  serve(startAllMigrations, (_input, session) => migration.startAll(requestOf(session)))

  serve(cancelAllMigrations, async () => {
    await migration.cancelAll()
    return {}
  })

  serve(listMigrationRuns, ({ query }) => migration.list(query))

  serve(getMigrationRun, ({ params }) => migration.find(params.runId))

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
export function requestOf({ userId }: Pick<AdminSession, 'userId'>): RunRequest {
  const { requestId = '', address = '', agent = null } = currentRequest() ?? {}
  return { userId, context: { requestId, address, agent } }
}
