import { stat } from 'node:fs/promises'
import type { ImageHost } from '../src/ports/image-host.ts'

export type MemoryImages = ImageHost & {
  stored: Set<string>
  /** The error of all calls from now on; null for none. */
  failure: Error | null
}

/** An image host in memory. */
export function memoryImages(): MemoryImages {
  const images: MemoryImages = {
    stored: new Set(),
    failure: null,
    async put(publicId, { path, width, height }) {
      if (images.failure) throw images.failure
      await stat(path)
      images.stored.add(publicId)
      const url = `https://images.example.it/image/upload/v1/${publicId}.webp`
      return { url, width, height, format: 'webp', fileKey: null }
    },
    open: async () => undefined,
    async remove(publicId) {
      if (images.failure) throw images.failure
      images.stored.delete(publicId)
    },
  }
  return images
}
