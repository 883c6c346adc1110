import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FileStore } from '../src/ports/file-store.ts'

export type MemoryFiles = FileStore & {
  files: Map<string, Uint8Array>
  /** The error of all calls from now on; null for none. */
  failure: Error | null
}

/** A file store in memory, open to inspection. */
export function memoryFiles(): MemoryFiles {
  const files = new Map<string, Uint8Array>()
  const images: MemoryFiles = {
    files,
    failure: null,
    async put(key, source) {
      if (images.failure) throw images.failure
      files.set(key, source instanceof Uint8Array ? source : await readFile(source.path))
    },
    async open(key, range) {
      const file = files.get(key)
      const part = range ? file?.subarray(range.start, range.end + 1) : file
      return file && part && { bytes: file.byteLength, stream: Readable.from([part]) }
    },
    async remove(key) {
      if (images.failure) throw images.failure
      files.delete(key)
    },
  }
  return images
}
