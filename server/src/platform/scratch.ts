import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A place on this machine's disk for what is worked on; the file itself is for who asks for it to write. */
export type ScratchFile = AsyncDisposable & { path: string }

export type Scratch = {
  /** It is removed, if it was written, when it is disposed of. */
  file(): Promise<ScratchFile>
  /** Removes what a process that ended left behind. */
  clean(now: number): Promise<void>
}

/** Milliseconds after which nobody works on a file any more. */
const ABANDONED_MS = 60 * 60_000

export function createScratch(folder: string): Scratch {
  return {
    async file() {
      // They may be prescriptions: nobody else on this machine sees them.
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
