import { UNUSED_IMAGES_TASK } from './features/images/images-job.ts'
import { MEDICINE_IMPORT_TASK } from './features/medicines/medicine-import-job.ts'
import { REQUEST_CLEANUP_TASK } from './features/orders/creation/new-orders-job.ts'
import { HISTORY_CLEANUP_TASK } from './features/orders/details/order-history-job.ts'
import { EXPORT_CLEANUP_TASK } from './features/orders/exports/order-exports-job.ts'
import { IMAGE_CLEANUP_TASK } from './features/orders/images/order-images-job.ts'
import { MIGRATION_CLEANUP_TASK } from './features/orders/migration/orders-migration.wiring.ts'
import { PURGE_TASK } from './features/pharmacies/life/pharmacy-purge.ts'
import { PLAN_EXPIRY_TASK } from './features/pharmacies/plan-expiry-job.ts'
import { IMPORT_CLEANUP_TASK } from './features/pharmacy-imports/pharmacy-imports-job.ts'
import { PRIORITY_DAY_TASK } from './features/priority/priority-jobs.ts'
import { OLD_VISITS_TASK } from './features/visits/old-visits-job.ts'
import { PAST_SALTS_TASK } from './features/visits/visitor-salts-job.ts'
import { AUDIT_CHECK_TASK } from './platform/audit-chain.ts'
import { AUTH_CLEANUP_TASK } from './platform/auth/auth.service.ts'
import type { DailyTimes } from './platform/jobs.ts'
import { FILES_CLEANUP_TASK } from './platform/stored-files-job.ts'

/** The jobs that run every day, in UTC: at night in Italy, and no two at the same minute. */
export const dailyTimes: DailyTimes = {
  // Soon after midnight in Rome, in summer and in winter: its day ends the visitors' pseudonyms.
  [PAST_SALTS_TASK]: '23:17',
  // The day of a plan ends there, too.
  [PLAN_EXPIRY_TASK]: '23:22',
  [AUTH_CLEANUP_TASK]: '02:17',
  // After the cleanup, which deletes the beginning of the chain.
  [AUDIT_CHECK_TASK]: '02:27',
  // After the accounts, whose orders it finds removed.
  [IMAGE_CLEANUP_TASK]: '02:47',
  [HISTORY_CLEANUP_TASK]: '02:50',
  [EXPORT_CLEANUP_TASK]: '02:53',
  [REQUEST_CLEANUP_TASK]: '02:55',
  [MIGRATION_CLEANUP_TASK]: '02:51',
  [OLD_VISITS_TASK]: '02:56',
  [IMPORT_CLEANUP_TASK]: '02:58',
  [PRIORITY_DAY_TASK]: '03:01',
  [UNUSED_IMAGES_TASK]: '02:57',
  [MEDICINE_IMPORT_TASK]: '03:07',
  [PURGE_TASK]: '03:13',
  // After the rows that refer to files.
  [FILES_CLEANUP_TASK]: '03:17',
}
