import { WEEKLY_MAILS_TASK } from '../features/analytics/weekly-mail/weekly-mail.service.ts'
import { BACKUP_TASK, BACKUP_TEST_TASK } from '../features/backups/backup-jobs.ts'
import { UNUSED_IMAGES_TASK } from '../features/images/images.service.ts'
import { MEDICINE_IMPORT_TASK } from '../features/medicines/medicines.wiring.ts'
import { REQUEST_CLEANUP_TASK } from '../features/orders/creation/new-orders.store.ts'
import { EXPORT_CLEANUP_TASK } from '../features/orders/exports/order-exports.store.ts'
import { IMAGE_CLEANUP_TASK } from '../features/orders/images/order-images.service.ts'
import { EXPIRY_TASK } from '../features/orders/orders.wiring.ts'
import { MIGRATION_CLEANUP_TASK } from '../features/orders/orders-migration.wiring.ts'
import { HISTORY_CLEANUP_TASK } from '../features/orders/records/order-history.store.ts'
import { PAGE_VIEW_DAYS_TASK } from '../features/page-views/page-views.wiring.ts'
import { PAST_SALTS_TASK } from '../features/page-views/visitor-salts.store.ts'
import { PLAN_EXPIRY_TASK } from '../features/pharmacies/admin-pharmacies.wiring.ts'
import { PURGE_TASK } from '../features/pharmacies/deletion/pharmacy-purge.ts'
import { IMPORT_CLEANUP_TASK } from '../features/pharmacy-imports/pharmacy-imports.wiring.ts'
import { PRIORITY_DAY_TASK } from '../features/priority/priority.wiring.ts'
import { WHATSAPP_DAY_TASK } from '../features/whatsapp/whatsapp.wiring.ts'
import { AUDIT_CHECK_TASK } from '../platform/audit-chain.ts'
import { AUTH_CLEANUP_TASK } from '../platform/auth/auth.service.ts'
import type { DailyTimes } from '../platform/jobs.ts'
import { FILES_CLEANUP_TASK } from '../platform/stored-files.ts'

/** The jobs that run every day, in UTC: at night or early in Italy, and no two at the same minute. */
export const dailyTimes: DailyTimes = {
  // Soon after midnight in Rome, in summer and in winter: the day of a plan ends there.
  [PLAN_EXPIRY_TASK]: '23:22',
  // After half past midnight in Rome. Each salt has a job of its own at that time; this one is for what it left.
  [PAST_SALTS_TASK]: '23:47',
  // Before the cleanups: what they remove by mistake is in it.
  [BACKUP_TASK]: '01:33',
  [AUTH_CLEANUP_TASK]: '02:17',
  // After the cleanup, which deletes the beginning of the chain.
  [AUDIT_CHECK_TASK]: '02:27',
  // Before the pictures, of which it leaves some unused.
  [EXPIRY_TASK]: '02:41',
  // After the accounts, whose orders it finds removed.
  [IMAGE_CLEANUP_TASK]: '02:47',
  [HISTORY_CLEANUP_TASK]: '02:50',
  [MIGRATION_CLEANUP_TASK]: '02:51',
  [EXPORT_CLEANUP_TASK]: '02:53',
  [REQUEST_CLEANUP_TASK]: '02:55',
  [PAGE_VIEW_DAYS_TASK]: '02:56',
  [IMPORT_CLEANUP_TASK]: '02:58',
  [PRIORITY_DAY_TASK]: '03:01',
  [WHATSAPP_DAY_TASK]: '03:04',
  [UNUSED_IMAGES_TASK]: '02:57',
  [MEDICINE_IMPORT_TASK]: '03:07',
  [PURGE_TASK]: '03:13',
  [BACKUP_TEST_TASK]: '03:41',
  // Before 07:30 in Rome, in summer and in winter: the mails of Mondays wait until then.
  [WEEKLY_MAILS_TASK]: '04:11',
  // After the rows that refer to files.
  [FILES_CLEANUP_TASK]: '03:17',
}
