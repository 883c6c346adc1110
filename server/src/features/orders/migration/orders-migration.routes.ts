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
import type { Http } from '../../../app-module.ts'
import type { AdminSession, CallContext } from '../../../http/serve.ts'
import { callerFrom } from '../../../platform/auth/protocol.ts'
import { currentRequest } from '../../../platform/request-context.ts'
import type { BackupOrdersStore } from './backup-orders.store.ts'
import type { RunRequest } from './migration-runs.store.ts'
import type { OrdersMigration } from './orders-migration.service.ts'

type Parts = { migration: OrdersMigration; backup: BackupOrdersStore }

export function ordersMigrationRoutes(
  { serve, serveFile }: Pick<Http, 'serve' | 'serveFile'>,
  { migration, backup }: Parts,
) {
  serve(getMigrationOverview, () => migration.overview())

  serve(getMigrationDetail, ({ params }) => migration.detail(params.pharmacyId))

  serve(startMigration, ({ params, body }, session, call) =>
    migration.start(params.pharmacyId, body, requestOf(session, call)),
  )

  serve(startAllMigrations, (_input, session, call) => migration.startAll(requestOf(session, call)))

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

  serve(retryMigration, ({ params }, session, call) =>
    migration.retry(params.runId, requestOf(session, call)),
  )

  serve(changeOrdersPhase, ({ params, body }, session, call) =>
    migration.changePhase(params.pharmacyId, body, requestOf(session, call)),
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

function requestOf({ userId }: AdminSession, call: CallContext): RunRequest {
  const requestId = currentRequest()?.requestId ?? ''
  return { userId, context: { requestId, ...callerFrom(call) } }
}
