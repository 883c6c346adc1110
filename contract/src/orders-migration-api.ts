import { getBackupStats, importBackupOrders, removeBackupOrders } from './backup-orders.ts'
import type { Endpoint } from './endpoint.ts'
import {
  cancelMigration,
  downloadMigrationItems,
  getMigrationRun,
  listMigrationItems,
  listMigrationRuns,
  retryMigration,
} from './migration-runs.ts'
import {
  cancelAllMigrations,
  changeOrdersPhase,
  getMigrationDetail,
  getMigrationOverview,
  restoreBackupOrders,
  startAllMigrations,
  startMigration,
} from './orders-migration.ts'

/** The endpoints of the migration of orders, which are part of the list of all endpoints. */
export const migrationEndpoints: readonly Endpoint[] = [
  getMigrationOverview,
  getMigrationDetail,
  startMigration,
  startAllMigrations,
  cancelAllMigrations,
  listMigrationRuns,
  getMigrationRun,
  cancelMigration,
  listMigrationItems,
  downloadMigrationItems,
  retryMigration,
  changeOrdersPhase,
  restoreBackupOrders,
  importBackupOrders,
  getBackupStats,
  removeBackupOrders,
]
