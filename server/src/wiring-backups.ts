import { stat } from 'node:fs/promises'
import { createLocalFiles } from './adapters/local-files/local-files.ts'
import { createS3Files } from './adapters/s3-files/s3-files.ts'
import type { BackupPlace } from './config.ts'
import { BackupError } from './platform/backups/backup-error.ts'
import type { ListableFiles } from './ports/file-store.ts'

/** A part of 8 MB takes so long on a slow line. */
const PART_TIME_LIMIT_MS = 5 * 60_000

/**
 * Tables with few rows that come and go in the minutes of a back-up: their numbers are compared in its test.
 */
export const countedTables = [
  'admin_users',
  'audit_events',
  'auth_users',
  'images',
  'order_image_files',
  'pharmacies',
  'pharmacy_members',
  'pharmacy_orders',
  'pharmacy_profiles',
  'product_offers',
] as const

/**
 * The files in a place of back-ups.
 *
 * @throws BackupError `target` when the folder does not exist: it may be a disk that is not mounted
 */
export async function openBackupPlace(
  place: BackupPlace,
): Promise<ListableFiles & { close(): void }> {
  if ('s3' in place) {
    const { s3, folder } = place
    return createS3Files({ ...s3, folder, timeLimitMs: PART_TIME_LIMIT_MS })
  }
  const found = await stat(place.folder).catch(() => undefined)
  if (!found?.isDirectory()) {
    throw new BackupError('target', `The folder of the back-ups does not exist: ${place.folder}.`)
  }
  return { ...createLocalFiles({ folder: place.folder }), close() {} }
}
