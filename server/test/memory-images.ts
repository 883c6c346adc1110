import { stat } from 'node:fs/promises'
import type { ImageHost } from '../src/ports/image-host.ts'

export type MemoryImages = ImageHost & {
  kept: Set<string>
  /** How it fails from now on; null for not at all. */
  failure: Error | null
}

/** A service that keeps pictures, as far as a test can see. */
export function memoryImages(): MemoryImages {
  const images: MemoryImages = {
    kept: new Set(),
    failure: null,
    async put(publicId, { path, width, height }) {
      if (images.failure) throw images.failure
      await stat(path)
      images.kept.add(publicId)
      const url = `https://images.example.it/image/upload/v1/${publicId}.webp`
      return { url, width, height, format: 'webp', fileKey: null }
    },
    open: async () => undefined,
    async remove(publicId) {
      if (images.failure) throw images.failure
      images.kept.delete(publicId)
    },
  }
  return images
}
