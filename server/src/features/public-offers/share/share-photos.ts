import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { variantUrl } from '@bancone/contract/image-variants'
import { MOST_IMAGE_BYTES } from '@bancone/contract/images'
import type { Scratch, ScratchFile } from '../../../platform/scratch.ts'
import type { Outbound } from '../../../ports/outbound.ts'

/** `/images/{publicId}/{version}`: a picture that we keep. */
const OURS = /^\/images\/([^/?#]+)\/([^/?#]+)$/

/** A picture that we keep, as large as there is; undefined when there is none. */
export type KeptPictures = (picture: {
  publicId: string
  version: string
}) => Promise<Buffer | Readable | undefined>

type Dependencies = {
  kept: KeptPictures
  fetch: Outbound['fetch']
  scratch: Pick<Scratch, 'file'>
}

export type SharePhotos = ReturnType<typeof createSharePhotos>

/** Pictures of products and pharmacies, by their addresses, as files that they can be drawn from. */
export function createSharePhotos({ kept, fetch, scratch }: Dependencies) {
  async function open(url: string, signal: AbortSignal, timeLimitMs: number) {
    const [, publicId, version] = OURS.exec(url) ?? []
    if (publicId && version) return kept({ publicId, version })
    const { status, body } = await fetch(variantUrl(url, 'dialog-2x'), {
      headers: { accept: 'image/jpeg, image/png, image/webp, image/*;q=0.5' },
      timeLimitMs,
      sizeLimit: MOST_IMAGE_BYTES,
      redirects: 3,
      signal,
    })
    return status === 200 ? body : undefined
  }

  return {
    /** @returns undefined when it is not to be had; whoever has the file disposes of it */
    async file(
      url: string,
      signal: AbortSignal,
      timeLimitMs: number,
    ): Promise<ScratchFile | undefined> {
      const file = await scratch.file()
      try {
        const found = await open(url, signal, timeLimitMs)
        if (!found) return undefined
        // An array: a buffer by itself would be read byte by byte.
        const stream = found instanceof Readable ? found : Readable.from([found])
        await pipeline(stream, createWriteStream(file.path, { mode: 0o600 }), { signal })
        return file
      } catch {
        // Whatever is wrong with it, there is a card without it.
        await file[Symbol.asyncDispose]()
        return undefined
      }
    },
  }
}
