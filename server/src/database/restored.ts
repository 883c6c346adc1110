import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import {
  chown,
  lchown,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { codeOf } from '../base/files.ts'
import { readSecret, writePrivateFile } from '../base/secret-file.ts'
import { StartupError } from '../base/startup-error.ts'
import { KindError } from '../ports/kind-error.ts'
import type { Log } from '../ports/log.ts'
import { type Account, cleanEnvironment, runsAsRoot } from './embedded/account.ts'
import { findBinaries } from './embedded/binaries.ts'
import {
  type ClusterLocation,
  databaseName,
  locateCluster,
  placeCluster,
  systemFolder,
} from './embedded/cluster.ts'
import { openDataFolder } from './embedded/folders.ts'
import { lastMeaningfulLine, readLogFrom } from './embedded/postgres-log.ts'
import { settingsArguments } from './embedded/postmaster.ts'
import { type EmbeddedDatabase, passwordFile, startEmbedded } from './embedded.ts'

/**
 * `damaged`: a file differs from PostgreSQL's manifest, or is missing. `log_ends`: the log ends before the time to which
 * it was to be recovered.
 */
export class RestoreError extends KindError<'damaged' | 'log_ends'> {
  override readonly name = 'RestoreError'
}

/** Where a recovery ends: at the first consistent state, at a time (ISO 8601), or with the log. */
export type RecoveryTarget = 'consistent' | 'latest' | { time: string }

type Copy = {
  /** The new data folder. */
  dataDir: string
  /** That of the account `bancone` in the copy. */
  password: string
  /** PostgreSQL's manifest of the copy. */
  manifest: string
  /** Writes the files of the copy into a folder. */
  extract(folder: string): Promise<void>
}

/** Beside the database, because PostgreSQL's account may not reach the data folder. */
const logFolder = ({ cluster }: ClusterLocation) => `${cluster}.recovery`

/**
 * Puts a base back-up into a new data folder, ready for `startRestored`.
 *
 * @throws RestoreError `damaged` when a file is not what was copied
 */
export async function placeRestored(copy: Copy): Promise<void> {
  const dataDir = await openDataFolder(copy.dataDir)
  const location = await locateCluster(dataDir)
  await placeCluster(location, async (folder) => {
    await copy.extract(folder)
    await checkFiles(folder, copy.manifest)
    // It begins a new timeline, so that its log is never taken for that of the original.
    await writeFile(join(folder, 'recovery.signal'), '', { mode: 0o600 })
    if (location.account) await giveTo(location.account, folder)
  })
  await writePrivateFile(passwordFile(dataDir), copy.password)
}

/** Adds a segment or a history file of the write-ahead log, from which the recovery reads. */
export async function addRestoredLog(
  dataDir: string,
  name: string,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  const location = await locateCluster(await openDataFolder(dataDir))
  const folder = logFolder(location)
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  const path = join(folder, name)
  await writeSparse(path, content)
  const { account } = location
  if (!account) return
  await chown(folder, account.uid, account.gid)
  await chown(path, account.uid, account.gid)
}

/**
 * Starts a restored database. It is recovered when the promise resolves.
 *
 * @throws RestoreError `log_ends` when the log ends before the target; OtherVersionError when the package cannot serve the copy;
 * StartupError when PostgreSQL does not start
 */
export async function startRestored(options: {
  dataDir: string
  target: RecoveryTarget
  /** The name of the database in the copy of one that is not the embedded one. */
  foreignName?: string | undefined
  log: Log
  settings?: Record<string, string> | undefined
}): Promise<EmbeddedDatabase> {
  const { target, foreignName } = options
  const dataDir = await openDataFolder(options.dataDir)
  const location = await locateCluster(dataDir)
  const before = await readLogFrom(dataDir)
  const settings = { ...recoverySettings(location, target), ...options.settings }
  try {
    if (foreignName !== undefined) {
      const password = (await readSecret(passwordFile(dataDir))) ?? ''
      await adoptCluster(location, foreignName, password, settings)
    }
    return await startEmbedded({ dataDir, log: options.log, onLost: () => {}, settings })
  } catch (error) {
    // PostgreSQL's last line says only that it was shut down.
    const log = `${await before.text()}${error instanceof Error ? error.message : ''}`
    if (log.includes('before configured recovery target was reached'))
      throw new RestoreError('log_ends', 'the log ends before the target')
    throw error
  }
}

function recoverySettings(location: ClusterLocation, target: RecoveryTarget) {
  return {
    // Otherwise it would serve before it is recovered.
    hot_standby: 'off',
    archive_mode: 'off',
    restore_command: copyCommand(logFolder(location)),
    // The timeline of the copy: another one may be that of an experiment with an older copy.
    recovery_target_timeline: 'current',
    ...(target === 'consistent' && { recovery_target: 'immediate' }),
    ...(typeof target === 'object' && { recovery_target_time: postgresTime(target.time) }),
    recovery_target_action: 'promote',
  }
}

/** Removes the log that was added for the recovery. */
export async function removeRestoredLog(dataDir: string): Promise<void> {
  const location = await locateCluster(await openDataFolder(dataDir))
  await rm(logFolder(location), { recursive: true, force: true })
}

/** Removes a restored data folder, with a database that lies elsewhere. */
export async function removeRestored(dataDir: string): Promise<void> {
  const location = await locateCluster(dataDir).catch(() => undefined)
  if (location) {
    await rm(logFolder(location), { recursive: true, force: true })
    if (location.exists) await rm(location.cluster, { recursive: true, force: true })
  }
  await rm(dataDir, { recursive: true, force: true })
}

/** PostgreSQL does not read the Z of ISO 8601 in a setting. */
function postgresTime(time: string): string {
  return new Date(time).toISOString().replace('T', ' ').replace('Z', '+00')
}

function copyCommand(folder: string): string {
  const path = folder.replaceAll('%', '%%')
  return process.platform === 'win32'
    ? `copy "${path}\\%f" "%p"`
    : `cp '${path.replaceAll("'", String.raw`'\''`)}/%f' '%p'`
}

const PostgresManifest = z.object({
  Files: z.array(
    z.object({
      Path: z.string().optional(),
      'Encoded-Path': z.string().optional(),
      Size: z.number(),
      Checksum: z.string(),
    }),
  ),
})

const READ_AT_ONCE = 1024 * 1024

/** The package has no pg_verifybackup. @throws RestoreError `damaged` */
async function checkFiles(folder: string, manifest: string): Promise<void> {
  const json: unknown = JSON.parse(manifest)
  for (const file of PostgresManifest.parse(json).Files) {
    const name = file.Path ?? Buffer.from(file['Encoded-Path'] ?? '', 'hex').toString()
    const path = join(folder, name)
    const size = await stat(path).then(
      (found) => found.size,
      () => undefined,
    )
    if (size !== file.Size || (await sha256(path, size)) !== file.Checksum) {
      throw new RestoreError(
        'damaged',
        `the file ${name} of the database is not what was backed up`,
      )
    }
  }
}

async function sha256(path: string, size: number): Promise<string> {
  const hash = createHash('sha256')
  // Most of two thousand files have a page or two: a stream for each takes five times as long.
  if (size <= READ_AT_ONCE) return hash.update(await readFile(path)).digest('hex')
  await pipeline(createReadStream(path, { highWaterMark: READ_AT_ONCE }), hash)
  return hash.digest('hex')
}

async function giveTo({ uid, gid }: Account, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await lchown(join(entry.parentPath, entry.name), uid, gid)
  }
}

const ZEROS = Buffer.alloc(64 * 1024)

/** Leaves out what is zero: a segment of 16 MB that was closed after a minute is nearly empty, and there may be a thousand. */
async function writeSparse(path: string, content: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    let position = 0
    for await (const chunk of content) {
      for (let start = 0; start < chunk.length; start += ZEROS.length) {
        const block = chunk.subarray(start, start + ZEROS.length)
        if (!block.equals(ZEROS.subarray(0, block.length))) {
          await file.write(block, 0, block.length, position + start)
        }
      }
      position += chunk.length
    }
    await file.truncate(position)
  } finally {
    await file.close()
  }
}

/** The copy is of another major version of PostgreSQL than the package. */
export class OtherVersionError extends StartupError {}

/** Only those who know the password, and only from this machine. */
const HBA = 'host all all 127.0.0.1/32 scram-sha-256\nhost all all ::1/128 scram-sha-256\n'

/**
 * Makes the copy of an operator's database one that the embedded PostgreSQL can serve: with its own settings, and with the
 * account and the name that it expects. It is recovered on the way, in single-user mode, which needs no password.
 *
 * @param database the name of the application's database in the copy
 * @throws OtherVersionError, StartupError
 */
async function adoptCluster(
  location: ClusterLocation,
  database: string,
  password: string,
  settings: Record<string, string>,
): Promise<void> {
  const { account, cluster, dataDir } = location
  const binaries = await findBinaries(account, runsAsRoot ? systemFolder : dataDir)
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  if (version !== binaries.major) {
    throw new OtherVersionError(
      `The copy is of PostgreSQL ${version} and this version brings ${binaries.major}: ` +
        'a PostgreSQL of yours can serve it, see docs/operations.md.',
    )
  }
  // Written over, and so still owned by PostgreSQL's account.
  await writeFile(join(cluster, 'pg_hba.conf'), HBA, { mode: 0o644 })
  for (const name of ['postgresql.auto.conf', 'postgresql.conf', 'pg_ident.conf']) {
    await writeFile(join(cluster, name), '', { mode: 0o644 })
  }
  const statements = [
    `create role ${databaseName} superuser login;`,
    `alter role ${databaseName} superuser login password '${password.replaceAll("'", "''")}';`,
    ...(database === databaseName
      ? []
      : [
          // Another application's; that there is none is an error that ends nothing.
          `alter database ${databaseName} rename to ${databaseName}_other;`,
          `alter database "${database.replaceAll('"', '""')}" rename to ${databaseName};`,
        ]),
  ]
  const args = ['--single', '-D', cluster, ...settingsArguments(1, settings), 'template1']
  const child = spawn(binaries.postgres, args, {
    ...account,
    cwd: cluster,
    env: cleanEnvironment(),
    stdio: ['pipe', 'ignore', 'pipe'],
    windowsHide: true,
  })
  child.stdin.on('error', () => {})
  child.stdin.end(`${statements.join('\n')}\n`)
  const [said] = await Promise.all([text(child.stderr), once(child, 'close')])
  if (child.exitCode === 0) return
  const reason = lastMeaningfulLine(said)
  throw new StartupError(`PostgreSQL does not recover the copy: ${reason}`)
}
