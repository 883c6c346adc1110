import { createHmac } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { FileStoreError, type ListableFiles } from '../../ports/file-store.ts'
import { BackupError } from './backup-error.ts'
import type { Keyring } from './backup-key.ts'
import { seal, unseal } from './sealed.ts'

/** The size of a part in bytes. One is in memory at a time. */
const PART = 8 * 1024 * 1024

const MAX_TRIES = 3
const RETRY_MS = 500

export type BackupStore = ReturnType<typeof createBackupStore>

/** A thing that is backed up, with the size of all its parts. */
export type Stored = { name: string; bytes: number; parts: number; modifiedAt: number }

/**
 * Compressed and encrypted streams in a folder or a bucket. A stream is cut into parts, each an object of its own
 * (`name/00001`), rather than one object of a multipart upload: a part is retried alone, and an interrupted upload
 * leaves nothing that is charged and invisible.
 */
export function createBackupStore(files: ListableFiles, keys: Keyring) {
  async function* partsOf(name: string): AsyncGenerator<Buffer> {
    for (let number = 1; ; number += 1) {
      const part = await readPart(files, partKey(name, number))
      if (!part) return
      yield part
    }
  }

  return {
    keyId: keys[0].id,

    /** @returns the number of stored bytes @throws BackupError `target` when the target refuses */
    async write(
      name: string,
      source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
      options: { signal?: AbortSignal; onBytes?: (bytes: number) => void } = {},
    ): Promise<number> {
      const { signal, onBytes } = options
      let stored = 0
      let number = 0
      const storePart = async (part: Buffer) => {
        number += 1
        await files
          .put(partKey(name, number), part, 'application/octet-stream')
          .catch(rethrowTarget)
        stored += part.byteLength
        onBytes?.(stored)
      }
      await pipeline(
        source,
        createGzip({ level: 3 }),
        (compressed: AsyncIterable<Buffer>) => seal(compressed, keys[0], name),
        async (sealed: AsyncIterable<Buffer>) => {
          let waiting: Buffer[] = []
          let size = 0
          for await (const chunk of sealed) {
            waiting.push(chunk)
            size += chunk.byteLength
            if (size < PART) continue
            await storePart(Buffer.concat(waiting))
            waiting = []
            size = 0
          }
          if (size > 0) await storePart(Buffer.concat(waiting))
        },
        ...(signal ? [{ signal }] : []),
      )
      // Of an earlier attempt that was longer.
      await files.remove(partKey(name, number + 1)).catch(rethrowTarget)
      return stored
    },

    /**
     * Hands the content to `sink`, which must not use it before the promise resolves: only then it is known to be
     * complete.
     *
     * @throws BackupError `damaged`, `key_unusable`, `target`
     */
    async read(
      name: string,
      sink: NodeJS.WritableStream | ((content: AsyncIterable<Buffer>) => Promise<unknown>),
      signal?: AbortSignal,
    ): Promise<void> {
      const gunzip = createGunzip()
      try {
        await pipeline(
          unseal(partsOf(name), keys, name),
          gunzip,
          sink,
          ...(signal ? [{ signal }] : []),
        )
      } catch (error) {
        if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
          throw new BackupError('damaged', `The back-up is damaged at ${name}.`, { cause: error })
        }
        throw error
      }
    },

    async readAll(name: string): Promise<Buffer> {
      const chunks: Buffer[] = []
      await this.read(name, async (content) => {
        for await (const chunk of content) chunks.push(chunk)
      })
      return Buffer.concat(chunks)
    },

    /** @param prefix names, each followed by a slash */
    async list(prefix: string): Promise<Map<string, Stored>> {
      const found = new Map<string, Stored>()
      try {
        for await (const { key, bytes, modifiedAt } of files.list(prefix)) {
          const name = key.slice(0, key.lastIndexOf('/'))
          const known = found.get(name) ?? { name, bytes: 0, parts: 0, modifiedAt }
          known.bytes += bytes
          known.parts += 1
          known.modifiedAt = Math.max(known.modifiedAt, modifiedAt)
          found.set(name, known)
        }
      } catch (error) {
        rethrowTarget(error)
      }
      return found
    },

    async exists(name: string): Promise<boolean> {
      const part = await files.open(partKey(name, 1)).catch(rethrowTarget)
      part?.stream.destroy()
      return part !== undefined
    },

    /** The last part first, so that a removal that is interrupted leaves nothing that looks complete. */
    async remove({ name, parts }: Pick<Stored, 'name' | 'parts'>): Promise<void> {
      for (let number = parts; number > 0; number -= 1) {
        await files.remove(partKey(name, number)).catch(rethrowTarget)
      }
    },

    /**
     * The name of the copy of a stored file. A keyed hash: keys of files contain the ids of pharmacies. Files never
     * change under their key, so that each is copied once.
     */
    fileName(folder: string, key: string, keyId = keys[0].id): string {
      const keyOfName = keys.find(({ id }) => id === keyId) ?? keys[0]
      const hash = createHmac('sha256', keyOfName.bytes).update(`${folder}/${key}`).digest('hex')
      return `files/${keyId}/${hash.slice(0, 2)}/${hash}`
    },

    keyIds: keys.map(({ id }) => id),
  }
}

function partKey(name: string, number: number): string {
  return `${name}/${String(number).padStart(5, '0')}`
}

/** Reads a part as a whole, so that a connection that breaks in the middle is retried. */
async function readPart(files: ListableFiles, key: string): Promise<Buffer | undefined> {
  for (let tries = 1; ; tries += 1) {
    try {
      const part = await files.open(key)
      return part && Buffer.concat(await part.stream.toArray())
    } catch (error) {
      if (tries === MAX_TRIES) rethrowTarget(error)
      await pause(RETRY_MS * tries)
    }
  }
}

function rethrowTarget(error: unknown): never {
  if (error instanceof BackupError) throw error
  const reason =
    error instanceof FileStoreError
      ? [error.message, systemReason(error.cause)].filter(Boolean).join(': ')
      : String(error)
  throw new BackupError('target', `The place of the back-ups cannot be used: ${reason}.`, {
    cause: error,
  })
}

/** The code of a system error, such as ENOSPC. Its message would name the path. */
function systemReason(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
}
