import { Readable } from 'node:stream'
import type { ImageHost } from '../src/ports/image-host.ts'

export type MemoryImages = ImageHost & {
  files: Map<string, Uint8Array>
  /** How it fails from now on; null for not at all. */
  failure: Error | null
}

/** A place for pictures in memory, that a test can look into. */
export function memoryImages(): MemoryImages {
  const files = new Map<string, Uint8Array>()
  const images: MemoryImages = {
    files,
    failure: null,
    async put(key, bytes) {
      if (images.failure) throw images.failure
      files.set(key, bytes)
    },
    async open(key) {
      const file = files.get(key)
      return file && { bytes: file.byteLength, stream: Readable.from([file]) }
    },
    async remove(key) {
      if (images.failure) throw images.failure
      files.delete(key)
    },
  }
  return images
}
