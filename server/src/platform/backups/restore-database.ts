import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import type { Unpack } from 'tar'
import { StartupError } from '../../base/startup-error.ts'
import type { EmbeddedDatabase } from '../../database/embedded.ts'
import {
  addRestoredLog,
  OtherVersionError,
  placeRestored,
  type RecoveryTarget,
  RestoreError,
  removeRestoredLog,
  startRestored,
} from '../../database/restored.ts'
import type { Log } from '../../ports/log.ts'
import { romeTimeText } from '../rome-time.ts'
import { BackupError } from './backup-error.ts'
import type { BackupStore, Stored } from './backup-store.ts'
import { logFileOf } from './log-archive.ts'
import {
  archiveName,
  backupIds,
  logPrefix,
  type Manifest,
  postgresManifestName,
  readManifest,
  timeOfBackup,
} from './manifest.ts'

const SEGMENT_BYTES = 16n * 1024n * 1024n
const SEGMENTS_OF_A_FILE = 0x1_0000_0000n / SEGMENT_BYTES

export type RestoreProgress = { step: 'database' | 'log'; done: number; total: number }

type Restore = {
  store: BackupStore
  manifest: Manifest
  /** The new data folder. */
  dataDir: string
  target: RecoveryTarget
  log: Log
  settings?: Record<string, string> | undefined
  onProgress?: ((progress: RestoreProgress) => void) | undefined
  signal?: AbortSignal | undefined
}

/** `id`: that back-up. `until`: the state at a time (milliseconds since 1970). Neither: the last state. */
export type RestoreChoice = { id?: string | undefined; until?: number | undefined }

/**
 * The chosen back-up: that of the id, or else the newest that was complete at the time.
 *
 * @throws BackupError `no_backup`
 */
export async function chooseBackup(
  store: BackupStore,
  { id: chosen, until }: RestoreChoice = {},
): Promise<Manifest> {
  for (const id of await backupIds(store)) {
    if (chosen !== undefined && id !== chosen) continue
    if (until !== undefined && (timeOfBackup(id) ?? 0) > until) continue
    const manifest = await readManifest(store, id)
    if (until === undefined || Date.parse(manifest.finishedAt) <= until) return manifest
  }
  const which = chosen === undefined ? '' : ` ${chosen}`
  const time = until === undefined ? '' : ` that was complete at ${romeTimeText(until)}`
  throw new BackupError('no_backup', `There is no back-up${which} in this place${time}.`)
}

/** What a restore will do. `isWithoutLog`: no log leads to the chosen time. */
export type RestorePlan = { manifest: Manifest; target: RecoveryTarget; isWithoutLog: boolean }

/**
 * A back-up that is chosen by its id is restored as it was at its end. Without a log in its place, as for those made by hand
 * and those of an operator's PostgreSQL, so is the last one before a time.
 *
 * @throws BackupError `no_backup`, `damaged`
 */
export async function planRestore(store: BackupStore, choice: RestoreChoice): Promise<RestorePlan> {
  const manifest = await chooseBackup(store, choice)
  const { id, until } = choice
  if (until === undefined) {
    return { manifest, target: id === undefined ? 'latest' : 'consistent', isWithoutLog: false }
  }
  const stored = await store.list(logPrefix(manifest.database.system))
  const { chain, isBroken } = logAfter(stored.values(), manifest)
  const isWithoutLog = chain.length === 0 && !isBroken
  const target = isWithoutLog ? 'consistent' : { time: new Date(until).toISOString() }
  return { manifest, target, isWithoutLog }
}

/**
 * Restores the database into a new data folder and recovers it. The caller stops it, also before it uses the folder.
 *
 * @throws BackupError when something is damaged or missing; nothing of the folder may be used then
 */
export async function restoreDatabase(restore: Restore): Promise<EmbeddedDatabase> {
  const { store, manifest, dataDir, target, onProgress, signal } = restore
  const { id, secrets } = manifest
  // Before the database, which may take an hour: whether the log can be used.
  const segments = target === 'consistent' ? [] : await logFor(restore)
  try {
    await placeRestored({
      dataDir,
      // A copy of an operator's database gets the account of the embedded one.
      password: secrets.databasePassword || randomBytes(32).toString('base64url'),
      manifest: (await store.readAll(postgresManifestName(id))).toString(),
      async extract(folder) {
        const { Unpack } = await import('tar')
        const untar = new Unpack({ cwd: folder, strict: true, preserveOwner: false })
        await store.read(
          archiveName(id),
          writableOf(untar, (done) => onProgress?.({ step: 'database', done, total: 0 })),
          signal,
        )
      },
    })
  } catch (error) {
    if (!(error instanceof RestoreError) || error.kind !== 'damaged') throw error
    throw new BackupError('damaged', `The back-up ${id} is damaged: ${error.message}.`)
  }
  await addLog(restore, segments)
  try {
    const { embedded, name } = manifest.database
    return await startRestored({ ...restore, foreignName: embedded ? undefined : name })
  } catch (error) {
    throw explained(error, target)
  } finally {
    await removeRestoredLog(dataDir)
  }
}

/** A segment or a history, as PostgreSQL names it. */
type LogFile = { file: string; stored: Stored }

/**
 * The segments that follow the back-up without a gap, oldest first, and all histories of timelines.
 *
 * @throws BackupError `damaged` when there is a gap and later segments
 */
export function logAfter(stored: Iterable<Stored>, { database }: Manifest) {
  const { timeline, lsn } = database.start
  const segments = new Map<string, Stored>()
  const histories: LogFile[] = []
  for (const each of stored) {
    const file = logFileOf(each.name)
    if (file?.endsWith('.history')) histories.push({ file, stored: each })
    else if (file) segments.set(file, each)
  }
  const chain: LogFile[] = []
  for (let number = segmentOf(lsn); ; number += 1n) {
    const file = segmentFile(timeline, number)
    const found = segments.get(file)
    if (!found) break
    chain.push({ file, stored: found })
    segments.delete(file)
  }
  const next = chain.at(-1)?.file ?? segmentFile(timeline, segmentOf(lsn))
  const later = [...segments.keys()].filter((file) => isLater(file, next))
  return { chain, histories, isBroken: later.length > 0 }
}

/** @throws BackupError `damaged` */
async function logFor({ store, manifest, target }: Restore): Promise<LogFile[]> {
  const stored = await store.list(logPrefix(manifest.database.system))
  const { chain, histories, isBroken } = logAfter(stored.values(), manifest)
  const last = chain.at(-1)?.stored.modifiedAt ?? 0
  // With a time before the gap, nothing after it is needed.
  if (isBroken && !(typeof target === 'object' && Date.parse(target.time) < last)) {
    throw new BackupError(
      'damaged',
      `The archive of the log has a gap after ${romeTimeText(last)}: give an earlier time with --until.`,
    )
  }
  return [...chain, ...histories]
}

async function addLog({ store, dataDir, onProgress, signal }: Restore, files: readonly LogFile[]) {
  for (const [index, { file, stored }] of files.entries()) {
    await store.read(stored.name, (content) => addRestoredLog(dataDir, file, content), signal)
    onProgress?.({ step: 'log', done: index + 1, total: files.length })
  }
}

/** What the operator can do. */
function explained(error: unknown, target: RecoveryTarget): unknown {
  if (error instanceof RestoreError && error.kind === 'log_ends') {
    const time = typeof target === 'object' ? romeTimeText(Date.parse(target.time)) : ''
    return new BackupError(
      'archive',
      `The archive of the log ends before ${time}: leave --until out for the last state, give an earlier time, or choose a back-up with --backup.`,
    )
  }
  if (!(error instanceof StartupError) || error instanceof OtherVersionError) return error
  return new BackupError('database', `The restored database does not start. ${error.message}`, {
    cause: error,
  })
}

/** `tar` has streams of its own, which `pipeline` does not know. */
function writableOf(untar: Unpack, report: (bytes: number) => void): Writable {
  let bytes = 0
  let failure: Error | undefined
  let waiting: ((error?: Error) => void) | undefined
  const goOn = () => {
    const done = waiting
    // Before the call, which may bring the next piece.
    waiting = undefined
    done?.(failure)
  }
  untar.on('error', (error) => {
    failure ??= error instanceof Error ? error : new Error(String(error))
    goOn()
  })
  untar.on('drain', goOn)
  untar.on('close', goOn)
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.byteLength
      report(bytes)
      waiting = done
      if (failure || untar.write(chunk)) goOn()
    },
    final(done) {
      waiting = done
      if (failure) goOn()
      else untar.end()
    },
    destroy(error, done) {
      // An error of its own, because `tar` changes what it is given.
      if (error) untar.abort(new Error('given up'))
      done(error)
    },
  })
}

function segmentOf(lsn: string): bigint {
  const [high = '0', low = '0'] = lsn.split('/')
  return ((BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)) / SEGMENT_BYTES
}

function segmentFile(timeline: number, number: bigint): string {
  const parts = [BigInt(timeline), number / SEGMENTS_OF_A_FILE, number % SEGMENTS_OF_A_FILE]
  return parts.map((part) => part.toString(16).padStart(8, '0').toUpperCase()).join('')
}

/** Whether a segment comes later on the same timeline. */
function isLater(file: string, than: string): boolean {
  return file.slice(0, 8) === than.slice(0, 8) && file > than
}
