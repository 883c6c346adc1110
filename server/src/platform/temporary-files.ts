import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A path on the local disk. The caller writes the file; it is removed on disposal. */
export type TemporaryFile = AsyncDisposable & { path: string }

export type TemporaryFiles = {
  /** Reserves a path for a file, which is removed on disposal if it exists. */
  create(): Promise<TemporaryFile>
  /** Removes files left behind by processes that ended. @param now milliseconds since 1970 */
  clean(now: number): Promise<void>
}

/** Files older than so many milliseconds are not in use any more. */
const ABANDONED_MS = 60 * 60_000

/** Temporary files in a folder of the local disk. */
export function createTemporaryFiles(folder: string): TemporaryFiles {
  return {
    async create() {
      // The files may be prescriptions: other users of this machine must not read them.
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, randomUUID())
      return { path, [Symbol.asyncDispose]: () => rm(path, { force: true }) }
    },
    async clean(now) {
      const names = await readdir(folder).catch(() => [])
      for (const name of names) {
        const path = join(folder, name)
        const found = await stat(path).catch(() => undefined)
        if (found && now - found.mtimeMs > ABANDONED_MS) await rm(path, { force: true })
      }
    },
  }
}
