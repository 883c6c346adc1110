import { stat } from 'node:fs/promises'
import { createLocalFiles } from '../adapters/local-files/local-files.ts'
import { createS3Files } from '../adapters/s3-files/s3-files.ts'
import type { BackupPlace as PlaceConfig } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import type { BackupPlace } from '../features/backups/backup-jobs.ts'
import { enqueueBackupOfFile } from '../features/backups/backups.wiring.ts'
import { BackupError } from '../platform/backups/backup-error.ts'
import { type KeySource, loadKeys } from '../platform/backups/backup-key.ts'
import { createBackupStore } from '../platform/backups/backup-store.ts'
import type { FileStore, ListableFiles } from '../ports/file-store.ts'

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
  place: PlaceConfig,
): Promise<ListableFiles & { close(): void }> {
  if ('s3' in place) {
    const { s3, folder } = place
    return createS3Files({ ...s3, folder, timeLimitMs: PART_TIME_LIMIT_MS })
  }
  const found = await stat(place.folder).catch(() => undefined)
  if (!found?.isDirectory()) {
    throw new BackupError('target', `The folder of the back-ups does not exist: ${place.folder}.`)
  }
  const files = createLocalFiles({ folder: place.folder })
  await files.clean(Date.now())
  return { ...files, close() {} }
}

/** A place as in BACKUP_TO. */
export function nameOfPlace(place: PlaceConfig): string {
  return 's3' in place ? `s3://${place.s3.bucket}/${place.folder}` : place.folder
}

export type BackupSettings = {
  to: PlaceConfig
  key: KeySource
  /** The account that owns the database. */
  ownerUrl: string
  /** Of the embedded database. */
  databasePassword: string | undefined
  archive: { folder: string; log: string } | undefined
  /** Where a copy is tested. */
  dataDir: string
  /** Of the PostgreSQL that a test starts, if not the default ones. */
  postgresSettings?: Record<string, string>
}

/** The place of the back-ups and what is put there. The key is read for each use. */
export function createBackupPlace(
  settings: BackupSettings,
  stores: Record<'images' | 'files', Pick<FileStore, 'open'>>,
  appSecret: string,
): BackupPlace {
  const { to, key, ownerUrl, databasePassword, archive, dataDir, postgresSettings } = settings
  return {
    name: nameOfPlace(to),
    keys: () => loadKeys(key),
    async withStore(work) {
      const keys = await loadKeys(key)
      const files = await openBackupPlace(to)
      try {
        return await work(createBackupStore(files, keys))
      } finally {
        files.close()
      }
    },
    source: { url: ownerUrl, databasePassword, appSecret, stores, countedTables },
    dataDir,
    archive,
    postgresSettings,
  }
}

/** Adds the job that copies each file which was stored; undefined where there are no back-ups. */
export function copyToBackup(db: Database, settings: BackupSettings | undefined) {
  if (!settings) return undefined
  return (folder: 'images' | 'files', key: string) => enqueueBackupOfFile(db, folder, key)
}
