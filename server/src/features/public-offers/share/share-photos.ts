import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { variantUrl } from '@bancone/contract/image-variants'
import { MAX_IMAGE_BYTES } from '@bancone/contract/images'
import type { TemporaryFiles } from '../../../platform/temporary-files.ts'
import type { Outbound } from '../../../ports/outbound.ts'

/** `/images/{publicId}/{version}`: a stored picture. */
const OURS = /^\/images\/([^/?#]+)\/([^/?#]+)$/

/** A stored picture in its largest variant; undefined when it does not exist. */
export type StoredPictures = (picture: {
  publicId: string
  version: string
}) => Promise<Buffer | Readable | undefined>

type Dependencies = {
  storedPicture: StoredPictures
  fetch: Outbound['fetch']
  temporaryFiles: Pick<TemporaryFiles, 'create'>
}

export type SharePhotos = ReturnType<typeof createSharePhotos>

/** Loads pictures of products and pharmacies by their URLs into files for rendering. */
export function createSharePhotos({ storedPicture, fetch, temporaryFiles }: Dependencies) {
  async function open(url: string, signal: AbortSignal, timeLimitMs: number) {
    const [, publicId, version] = OURS.exec(url) ?? []
    if (publicId && version) return storedPicture({ publicId, version })
    const { status, body } = await fetch(variantUrl(url, 'dialog-2x'), {
      headers: { accept: 'image/jpeg, image/png, image/webp, image/*;q=0.5' },
      timeLimitMs,
      sizeLimit: MAX_IMAGE_BYTES,
      redirects: 3,
      signal,
    })
    return status === 200 ? body : undefined
  }

  return {
    /** @returns undefined when the picture cannot be loaded; the caller disposes of the file */
    async file(url: string, signal: AbortSignal, timeLimitMs: number) {
      const file = await temporaryFiles.create()
      try {
        const found = await open(url, signal, timeLimitMs)
        if (!found) return undefined
        // Wrapped in an array: a bare buffer would be iterated byte by byte.
        const stream = found instanceof Readable ? found : Readable.from([found])
        await pipeline(stream, createWriteStream(file.path, { mode: 0o600 }), { signal })
        return file
      } catch {
        // Whatever the error is, the card is rendered without the picture.
        await file[Symbol.asyncDispose]()
        return undefined
      }
    },
  }
}
