import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import {
  copyFile,
  type FileHandle,
  mkdir,
  open,
  readdir,
  rename,
  rm,
  stat,
  unlink,
} from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { FileSource, ListableFiles } from '../../ports/file-store.ts'
import { FileStoreError, isFileKey } from '../../ports/file-store.ts'

/** The folder of incomplete files. Keys cannot contain dots. On the same disk as the files, so that `rename` is atomic. */
const UNFINISHED = '.unfinished'

/** Incomplete files older than so many milliseconds are not in use any more. */
const ABANDONED_MS = 60 * 60_000

export type LocalFiles = ListableFiles & {
  /** Removes incomplete files left behind by processes that ended. @param now milliseconds since 1970 */
  clean(now: number): Promise<void>
}

/** A file store in a local folder, which is created with the first file. Content types are not stored. */
export function createLocalFiles({ folder }: { folder: string }): LocalFiles {
  const unfinishedFolder = join(folder, UNFINISHED)

  function pathOf(key: string): string {
    if (!isFileKey(key)) throw new Error('not a key of a file')
    return join(folder, ...key.split('/'))
  }

  return {
    async put(key, source) {
      const path = pathOf(key)
      const unfinished = join(unfinishedFolder, randomUUID())
      try {
        // The files may be prescriptions: other users of this machine must not read them.
        await mkdir(unfinishedFolder, { recursive: true, mode: 0o700 })
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await write(unfinished, source)
        await rename(unfinished, path)
        await syncFolder(dirname(path))
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => {})
        throw failure('a file could not be kept', error)
      }
    },

    async open(key, range) {
      const path = pathOf(key)
      let handle: FileHandle | undefined
      try {
        handle = await open(path)
        const found = await handle.stat()
        if (found.isFile()) return { bytes: found.size, stream: handle.createReadStream(range) }
        // A folder: the key is the prefix of other keys.
        await handle.close()
        return undefined
      } catch (error) {
        await handle?.close()
        if (isMissing(error)) return undefined
        throw failure('a file could not be opened', error)
      }
    },

    async remove(key) {
      const path = pathOf(key)
      try {
        await unlink(path)
      } catch (error) {
        if (isMissing(error)) return
        throw failure('a file could not be removed', error)
      }
    },

    async *list(prefix) {
      const found = await readdir(join(folder, ...prefix.split('/')), {
        recursive: true,
        withFileTypes: true,
      }).catch((error: unknown) => {
        if (isMissing(error)) return []
        throw failure('a folder could not be listed', error)
      })
      for (const entry of found) {
        const path = join(entry.parentPath, entry.name)
        const key = relative(folder, path).split(sep).join('/')
        if (!entry.isFile() || !isFileKey(key)) continue
        const about = await stat(path).catch(() => undefined)
        if (about) yield { key, bytes: about.size, modifiedAt: about.mtimeMs }
      }
    },

    async clean(now) {
      const names = await readdir(unfinishedFolder).catch(() => [])
      for (const name of names) {
        const path = join(unfinishedFolder, name)
        const found = await stat(path).catch(() => undefined)
        if (found && now - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true })
      }
    },
  }
}

/** Writes the file and flushes it to disk, so that a file with its final name is always complete. */
async function write(path: string, source: FileSource): Promise<void> {
  if (!(source instanceof Uint8Array)) {
    // Copied by the system, without cost on file systems with copy-on-write.
    await copyFile(source.path, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  }
  const handle = await open(path, source instanceof Uint8Array ? 'wx' : 'r+', 0o600)
  try {
    if (source instanceof Uint8Array) await handle.writeFile(source)
    // A copy has the mode of its source.
    else await handle.chmod(0o600)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Flushes the folder entry: otherwise a file with a committed database row could be lost in a power failure. */
async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders.
  if (process.platform === 'win32') return
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const missing = new Set(['ENOENT', 'ENOTDIR', 'EISDIR'])

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && missing.has(code)
}

function failure(what: string, cause: unknown): FileStoreError {
  return new FileStoreError(what, { cause })
}
