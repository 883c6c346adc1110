import { chown } from 'node:fs/promises'
import { join } from 'node:path'
import { exists, makeFolder } from './folders.ts'
import type { ClusterLocation } from './location.ts'

/** The bound of what is lost with the machine, besides the time of the upload. */
const SEGMENT_SECONDS = 60

// Beside the database: PostgreSQL's account may not reach the data folder.
const archiveFolder = ({ cluster }: ClusterLocation) => `${cluster}.archive`

/** Whether the log was ever archived. */
export function hasArchive(location: ClusterLocation): Promise<boolean> {
  return exists(archiveFolder(location))
}

/** Creates the folder of the archive, and the settings that make PostgreSQL use it. */
export async function prepareArchive(location: ClusterLocation) {
  const { cluster, account } = location
  const folder = archiveFolder(location)
  await makeFolder(folder, 0o700)
  if (account) await chown(folder, account.uid, account.gid)
  return {
    folder,
    log: join(cluster, 'pg_wal'),
    settings: {
      archive_mode: 'on',
      archive_timeout: String(SEGMENT_SECONDS),
      archive_library: 'basic_archive',
      'basic_archive.archive_directory': folder,
    },
  }
}
