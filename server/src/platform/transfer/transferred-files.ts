import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import PQueue from 'p-queue'
import { StartupError } from '../../base/startup-error.ts'
import type { FileStore } from '../../ports/file-store.ts'
import { BackupError } from '../backups/backup-error.ts'
import type { BackupStore } from '../backups/backup-store.ts'
import type { TemporaryFiles } from '../temporary-files.ts'
import { readHashed, writeHashed } from './table-copy.ts'
import { FILE_LIST, type TransferManifest, TransferredFile } from './transfer-manifest.ts'

export type FileKey = Pick<TransferredFile, 'folder' | 'key'>

/** Each costs a part of memory and a connection to the bucket. */
const FILES_AT_ONCE = 4

/** Stores the files, and then the list of them. */
export async function exportFiles(
  store: BackupStore,
  stores: Record<TransferredFile['folder'], Pick<FileStore, 'open'>>,
  keys: readonly FileKey[],
  { signal, onFile }: { signal?: AbortSignal | undefined; onFile?(done: number): void } = {},
): Promise<TransferManifest['files']> {
  const files: TransferredFile[] = []
  let missing = 0
  await together(keys, signal, async ({ folder, key }, stop) => {
    const file = await stores[folder].open(key)
    if (file) {
      const sha256 = await writeHashed(store, store.fileName(folder, key), file.stream, stop)
      files.push({ folder, key, sha256 })
    } else missing += 1
    onFile?.(files.length)
  })
  files.sort((one, other) => (one.key < other.key ? -1 : 1))
  const lines = files.map((file) => Buffer.from(`${JSON.stringify(file)}\n`))
  const sha256 = await writeHashed(store, FILE_LIST, chunksOf(lines), signal)
  return { rows: files.length, sha256, missing }
}

async function* chunksOf(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}

/** @throws BackupError `damaged` */
export async function readFileList(
  store: BackupStore,
  { files: { rows, sha256 } }: TransferManifest,
): Promise<TransferredFile[]> {
  const chunks: Buffer[] = []
  await readHashed(store, FILE_LIST, sha256, async (content) => {
    for await (const chunk of content) chunks.push(chunk)
  })
  const lines = Buffer.concat(chunks).toString().split('\n').slice(0, -1)
  if (lines.length !== rows) throw new BackupError('damaged', 'The list of the files is damaged.')
  return lines.map((line) => TransferredFile.parse(JSON.parse(line)))
}

type Target = {
  stores: Record<TransferredFile['folder'], Pick<FileStore, 'open' | 'put' | 'remove'>>
  temporaryFiles: Pick<TemporaryFiles, 'create'>
}

/**
 * Stores files, each after its content was checked. `work` runs when all of them are there. When something fails, those
 * that were not there before are removed again: the exporting server may use the same bucket.
 *
 * @throws BackupError `damaged`; StartupError when there is another file under a key; FileStoreError; what `work` throws
 */
export async function importFiles<T>(
  store: BackupStore,
  { stores, temporaryFiles }: Target,
  files: readonly TransferredFile[],
  { signal, onFile }: { signal?: AbortSignal | undefined; onFile?(done: number): void },
  work: () => Promise<T>,
): Promise<T> {
  const put: FileKey[] = []
  try {
    await together(files, signal, async ({ folder, key, sha256 }, stop) => {
      if (await isThere(stores[folder], key, sha256)) return
      await using file = await temporaryFiles.create()
      const written = createWriteStream(file.path, { flags: 'wx', mode: 0o600 })
      await readHashed(store, store.fileName(folder, key), sha256, written, stop)
      put.push({ folder, key })
      await stores[folder].put(key, { path: file.path }, 'application/octet-stream')
      onFile?.(put.length)
    })
    return await work()
  } catch (error) {
    await removeFiles(stores, put)
    throw error
  }
}

/** What cannot be removed has no row, and is written again by the next attempt. */
async function removeFiles(stores: Target['stores'], keys: readonly FileKey[]): Promise<void> {
  for (const { folder, key } of keys) await stores[folder].remove(key).catch(() => {})
}

/** @throws StartupError when the file that is there has other contents */
async function isThere(
  files: Pick<FileStore, 'open'>,
  key: string,
  sha256: string,
): Promise<boolean> {
  const found = await files.open(key)
  if (!found) return false
  const hash = createHash('sha256')
  await pipeline(found.stream, hash)
  if (hash.digest('hex') === sha256) return true
  throw new StartupError(`The store of the files has another file under the key ${key}.`)
}

/** Does the work for several items at once; the first failure stops the others. */
async function together<T>(
  items: readonly T[],
  signal: AbortSignal | undefined,
  work: (item: T, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const queue = new PQueue({ concurrency: FILES_AT_ONCE })
  const failed = new AbortController()
  const stop = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
  for (const item of items) {
    await queue.onSizeLessThan(FILES_AT_ONCE)
    if (stop.aborted) break
    queue.add(() => work(item, stop)).catch((error: unknown) => failed.abort(error))
  }
  await queue.onIdle()
  stop.throwIfAborted()
}
