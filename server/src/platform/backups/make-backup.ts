import PQueue from 'p-queue'
import { takeBaseBackup } from '../../database/base-backup.ts'
import { withClient } from '../../database/client.ts'
import { appliedMigrations } from '../../database/migrate.ts'
import type { FileStore } from '../../ports/file-store.ts'
import { BackupError } from './backup-error.ts'
import type { BackupStore } from './backup-store.ts'
import { countRows, databaseFacts, type RowCounts, storedFileKeys } from './database-facts.ts'
import {
  archiveName,
  fileListName,
  type Manifest,
  manifestName,
  newBackupId,
  postgresManifestName,
} from './manifest.ts'

/** What is backed up. */
export type BackupSource = {
  /** The account that owns the database. */
  url: string
  /** The password of the embedded database; undefined for one of the operator. */
  databasePassword: string | undefined
  appSecret: string
  stores: Record<'images' | 'files', Pick<FileStore, 'open'>>
  /** Tables whose rows are counted, for the test of the copy. */
  countedTables: readonly string[]
}

/** `total` is an estimate of PostgreSQL, of bytes before compression; 0 before it is known, and for files. */
export type BackupProgress = { step: 'database' | 'files'; done: number; total: number }

export type BackupOptions = {
  signal?: AbortSignal | undefined
  onProgress?: ((progress: BackupProgress) => void) | undefined
  now?: () => number
}

/** Files that are copied at once: each costs a part of memory and a connection to the bucket. */
const FILES_AT_ONCE = 4

/** A row may refer to a file that a job removes at the same time. More than so many is no coincidence. */
const MISSING_ALLOWED = 20

/**
 * Makes a back-up: the database, the files that are not in the target yet, and, last, the manifest.
 *
 * @throws BackupError, StartupError
 */
export async function makeBackup(
  store: BackupStore,
  source: BackupSource,
  { signal, onProgress, now = Date.now }: BackupOptions = {},
): Promise<Manifest> {
  const startedAt = now()
  const id = newBackupId(startedAt)
  const before = await withClient(source.url, (client) => countRows(client, source.countedTables))
  let total = 0
  let bytes = 0
  const report = (done: number) => onProgress?.({ step: 'database', done, total })
  const base = await takeBaseBackup(
    source.url,
    async (archive) => {
      bytes = await store.write(archiveName(id), watched(archive, report), withSignal(signal))
    },
    {
      signal,
      onSize(size) {
        total = size
      },
    },
  )
  bytes += await store.write(postgresManifestName(id), [Buffer.from(base.manifest)])
  return withClient(source.url, async (client) => {
    const after = await countRows(client, source.countedTables)
    const files = await copyFiles(store, source, storedFileKeys(client), { signal, onProgress })
    await store.write(fileListName(id), [Buffer.from(files.names.join('\n'))])
    const facts = await databaseFacts(client)
    const manifest: Manifest = {
      version: 1,
      id,
      startedAt: new Date(startedAt).toISOString(),
      finishedAt: new Date(now()).toISOString(),
      database: {
        ...facts,
        embedded: source.databasePassword !== undefined,
        start: base.start,
        end: base.end,
      },
      migrations: await appliedMigrations(client),
      rows: bounds(before, after),
      secrets: { appSecret: source.appSecret, databasePassword: source.databasePassword ?? '' },
      bytes: bytes + files.bytes,
      files: files.names.length,
    }
    signal?.throwIfAborted()
    await store.write(manifestName(id), [Buffer.from(JSON.stringify(manifest))])
    return manifest
  })
}

type FileKey = { folder: 'images' | 'files'; key: string }

/** Copies the files that the target does not have. @throws BackupError `files_missing` */
async function copyFiles(
  store: BackupStore,
  source: BackupSource,
  keys: AsyncIterable<FileKey>,
  { signal, onProgress }: BackupOptions,
) {
  const known = new Set((await store.list('files/')).keys())
  const names: string[] = []
  const queue = new PQueue({ concurrency: FILES_AT_ONCE })
  let bytes = 0
  let missing = 0
  const failed = new AbortController()
  const stop = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
  for await (const { folder, key } of keys) {
    const name = store.fileName(folder, key)
    const copy = async () => {
      const stored = known.has(name) ? 0 : await copyFile(store, source, { folder, key }, stop)
      if (stored === undefined) missing += 1
      else names.push(name)
      bytes += stored ?? 0
      onProgress?.({ step: 'files', done: names.length, total: 0 })
    }
    queue.add(copy).catch((error: unknown) => failed.abort(error))
    await queue.onSizeLessThan(FILES_AT_ONCE * 2)
    stop.throwIfAborted()
  }
  await queue.onIdle()
  stop.throwIfAborted()
  if (missing > MISSING_ALLOWED && missing > names.length / 100) {
    const which = `${missing} of ${missing + names.length} files`
    throw new BackupError('files_missing', `${which} are not in the store of the files.`)
  }
  return { names, bytes }
}

/** @returns the number of stored bytes; undefined when there is no such file */
export async function copyFile(
  store: BackupStore,
  { stores }: Pick<BackupSource, 'stores'>,
  { folder, key }: FileKey,
  signal?: AbortSignal,
): Promise<number | undefined> {
  const file = await stores[folder].open(key)
  return file && store.write(store.fileName(folder, key), file.stream, withSignal(signal))
}

function withSignal(signal: AbortSignal | undefined) {
  return signal ? { signal } : {}
}

async function* watched(source: AsyncIterable<Buffer>, report: (bytes: number) => void) {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.byteLength
    report(bytes)
    yield chunk
  }
}

/**
 * The copy is of a moment between the two counts. Rows that came and went in between change neither, so that one in a
 * hundred is allowed for.
 */
function bounds(before: RowCounts, after: RowCounts): Manifest['rows'] {
  return Object.fromEntries(
    Object.entries(after).map(([table, later]) => {
      const earlier = before[table] ?? later
      const slack = Math.floor(Math.max(earlier, later) / 100)
      const least = Math.max(0, Math.min(earlier, later) - slack)
      return [table, { least, most: Math.max(earlier, later) + slack }]
    }),
  )
}
