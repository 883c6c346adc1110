import { createHash } from 'node:crypto'
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
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { readSecret, writePrivateFile } from '../secret-file.ts'
import type { Account } from './embedded/account.ts'
import { adoptCluster } from './embedded/adopt.ts'
import { openDataFolder } from './embedded/data-folder.ts'
import { placeCluster } from './embedded/first-start.ts'
import { codeOf } from './embedded/folders.ts'
import { type ClusterLocation, locateCluster } from './embedded/location.ts'
import type { Log } from './embedded/log.ts'
import { readLogFrom } from './embedded/postgres-log.ts'
import { type EmbeddedDatabase, passwordFile, startEmbedded } from './embedded.ts'

/** A file differs from PostgreSQL's manifest, or is missing. */
export class CopyDamagedError extends Error {
  override readonly name = 'CopyDamagedError'
}

/** The log ends before the time to which it was to be recovered. */
export class LogEndsError extends Error {
  override readonly name = 'LogEndsError'
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
 * @throws CopyDamagedError when a file is not what was copied
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
 * @throws LogEndsError when the log ends before the target; OtherVersionError when the package cannot serve the copy;
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
  const { target, foreignName, log } = options
  const dataDir = await openDataFolder(options.dataDir)
  const location = await locateCluster(dataDir)
  const before = await readLogFrom(dataDir)
  const settings = { ...recoverySettings(location, target), ...options.settings }
  try {
    if (foreignName !== undefined) {
      const password = (await readSecret(passwordFile(dataDir))) ?? ''
      await adoptCluster(location, foreignName, password, settings)
    }
    return await startEmbedded({ dataDir, log, onLost: () => {}, settings })
  } catch (error) {
    // PostgreSQL's last line says only that it was shut down.
    const text = `${await before.text()}${error instanceof Error ? error.message : ''}`
    if (text.includes('before configured recovery target was reached')) throw new LogEndsError()
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

/** The package has no pg_verifybackup. @throws CopyDamagedError */
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
      throw new CopyDamagedError(`the file ${name} of the database is not what was backed up`)
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
