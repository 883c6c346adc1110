import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ImageHost } from '../../ports/image-host.ts'

/** No dot, so that no key leads out of the folder or to a file that is not finished. */
const KEY = /^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)+$/

/** Pictures as files of a folder, which is made with the first. Their types are known to who put them. */
export function createLocalImages({ folder }: { folder: string }): ImageHost {
  function fileOf(key: string): string {
    if (!KEY.test(key)) throw new Error('not a key of a picture')
    return join(folder, ...key.split('/'))
  }

  return {
    async put(key, bytes) {
      const file = fileOf(key)
      const unfinished = `${file}.${randomBytes(6).toString('hex')}.tmp`
      try {
        // They may be prescriptions: nobody else on this machine sees them.
        await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        // On the disk before it has its name: who finds a file may rely on it.
        await writeFile(unfinished, bytes, { flag: 'wx', mode: 0o600, flush: true })
        await rename(unfinished, file)
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => {})
        throw error
      }
    },

    async open(key) {
      const file = fileOf(key)
      const handle = await open(file).catch((error: unknown) => {
        if (isMissing(error)) return undefined
        throw error
      })
      if (!handle) return undefined
      try {
        const { size } = await handle.stat()
        return { bytes: size, stream: handle.createReadStream() }
      } catch (error) {
        await handle.close()
        throw error
      }
    },

    async remove(key) {
      await rm(fileOf(key), { force: true })
    },
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
