import { chown, readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { exists, makeFolder } from '../base/files.ts'
import { readOrCreateSecret, readSecret } from '../base/secret-file.ts'
import { StartupError } from '../base/startup-error.ts'
import type { Log } from '../ports/log.ts'
import { runsAsRoot } from './embedded/account.ts'
import { type Binaries, findBinaries } from './embedded/binaries.ts'
import { claimCluster, findRunningDatabase } from './embedded/claim.ts'
import {
  type ClusterLocation,
  createCluster,
  locateCluster,
  removeUnfinishedClusters,
  systemFolder,
} from './embedded/cluster.ts'
import { createDatabase, urlOf } from './embedded/database-session.ts'
import { checkDiskSpace, openDataFolder } from './embedded/folders.ts'
import { supervise } from './embedded/supervisor.ts'

export type EmbeddedOptions = {
  /** Created when it is missing. It contains the database, or a file that names the database's location. */
  dataDir: string
  log: Log
  /** Called once when PostgreSQL keeps crashing; the database is unavailable from then on. */
  onLost(error: Error): void
  /** PostgreSQL settings that override the defaults, such as `{ fsync: 'off' }` for tests. */
  settings?: Record<string, string>
  /** Whether PostgreSQL archives its write-ahead log (see `EmbeddedDatabase.archive`); `as-before`: if it did once. */
  archive?: boolean | 'as-before' | undefined
}

export type EmbeddedDatabase = {
  /** The same until `stop`, even if PostgreSQL is restarted. */
  url: string
  /**
   * The folder into which PostgreSQL copies each completed segment of its write-ahead log, a minute after its first
   * record at the latest, and the folder of the log itself. What the archive contains is to be carried away. Undefined
   * when it does not archive.
   */
  archive: { folder: string; log: string } | undefined
  /** Shuts PostgreSQL down; idempotent. */
  stop(): Promise<void>
}

/**
 * Runs and supervises the bundled PostgreSQL on the files in `dataDir`. Only one server at a time can use a data folder;
 * the remains of a killed server are cleaned up first.
 *
 * @throws StartupError when PostgreSQL cannot run here, or when it is unclear whether starting it is safe
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { log, settings = {} } = options
  const dataDir = await openDataFolder(options.dataDir)
  let location = await locateCluster(dataDir)
  await checkDiskSpace(dataDir)
  await removeUnfinishedClusters(location)
  const binaries = await findBinaries(location.account, runsAsRoot ? systemFolder : dataDir)
  if (!location.exists) {
    const password = await readOrCreateSecret(passwordFile(dataDir))
    await createCluster({ location, binaries, password, sync: settings['fsync'] !== 'off' })
    // The new cluster, or that of a concurrent first start that was faster.
    location = await locateCluster(dataDir)
  }
  await checkDiskSpace(location.cluster)
  await checkVersion(location, binaries)
  const password = await readSecret(passwordFile(dataDir))
  if (!password) {
    throw new StartupError(
      `The password of the database is missing: restore ${passwordFile(dataDir)} from a back-up.`,
    )
  }
  const isArchiving =
    options.archive === 'as-before' ? await hasArchive(location) : options.archive === true
  const archive = isArchiving ? await prepareArchive(location) : undefined
  const config = {
    location,
    binaries,
    password,
    settings: { ...archive?.settings, ...settings },
    log,
  }
  const claimed = await claimCluster(config)
  const connection = { port: claimed.port, password }
  const supervisor = supervise(config, claimed, (error) => options.onLost(error))
  try {
    await createDatabase(connection)
  } catch (error) {
    await supervisor.stop()
    throw error
  }
  log.info({ dataDir, port: claimed.port }, 'the embedded PostgreSQL serves')
  return { url: urlOf(connection), archive, stop: () => supervisor.stop() }
}

/**
 * The URL of the embedded database of a running server, for a command that runs beside it. Undefined when no server
 * runs: then the caller uses `startEmbedded`.
 *
 * @throws StartupError when the database files cannot be accessed
 */
export async function joinEmbedded(dataDir: string): Promise<string | undefined> {
  const folder = await realpath(resolve(dataDir)).catch(() => undefined)
  if (!folder) return undefined
  const location = await locateCluster(folder)
  const password = await readSecret(passwordFile(folder))
  return location.exists && password ? findRunningDatabase(location, password) : undefined
}

/** The file with the password of the account `bancone`. */
export function passwordFile(dataDir: string): string {
  return join(dataDir, 'postgres-password')
}

async function checkVersion(
  { cluster, dataDir }: ClusterLocation,
  { major }: Binaries,
): Promise<void> {
  const text = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (text === undefined) {
    throw new StartupError(
      `${cluster} is not a database of PostgreSQL (it has no readable PG_VERSION): ` +
        'restore it from a back-up, or set DATA_DIR to a new folder.',
    )
  }
  if (text.trim() === major) return
  throw new StartupError(
    `The database in ${dataDir} was made by PostgreSQL ${text.trim()} and this version brings ` +
      `${major}: dump and restore it, see docs/operations.md, or set DATA_DIR to a new folder.`,
  )
}

/** The bound of what is lost with the machine, besides the time of the upload. */
const SEGMENT_SECONDS = 60

// Beside the database: PostgreSQL's account may not reach the data folder.
const archiveFolder = ({ cluster }: ClusterLocation) => `${cluster}.archive`

/** Whether the log was ever archived. */
function hasArchive(location: ClusterLocation): Promise<boolean> {
  return exists(archiveFolder(location))
}

/** Creates the folder of the archive, and the settings that make PostgreSQL use it. */
async function prepareArchive(location: ClusterLocation) {
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
