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
import { dirname, join } from 'node:path'
import type { FileSource, FileStore } from '../../ports/file-store.ts'
import { FileStoreError, isFileKey } from '../../ports/file-store.ts'

/** Has a dot, which no key has. On the same disk as the files, so that one becomes the other at once. */
const UNFINISHED = '.unfinished'

/** Milliseconds after which nobody writes a file any more. */
const ABANDONED_MS = 60 * 60_000

export type LocalFiles = FileStore & {
  /** Removes what a process that ended left unfinished. */
  clean(now: number): Promise<void>
}

/** Files of a folder, which is made with the first. Their types are known to who put them. */
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
        // They may be prescriptions: nobody else on this machine sees them.
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
        // The beginning of other keys.
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

/** All of it is on the disk when this returns: who finds a file by its name may rely on it. */
async function write(path: string, source: FileSource): Promise<void> {
  if (!(source instanceof Uint8Array)) {
    // By the system, at no cost where the disk can share what is the same.
    await copyFile(source.path, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  }
  const handle = await open(path, source instanceof Uint8Array ? 'wx' : 'r+', 0o600)
  try {
    if (source instanceof Uint8Array) await handle.writeFile(source)
    // A copy has the mode of what it was made of.
    else await handle.chmod(0o600)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The name as well: without this a file whose row the database has kept could be gone after a power cut. */
async function syncFolder(path: string): Promise<void> {
  // It cannot open folders.
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
