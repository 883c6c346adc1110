import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type ImageVariant, imageVariants } from '@bancone/contract/image-variants'
import type { KeptFiles } from '../../ports/file-store.ts'
import {
  HOSTED_FORMAT,
  type ImageHost,
  ImageHostError,
  type ServedFormat,
} from '../../ports/image-host.ts'
import { type Drawing, type PictureMaker, PictureMakerError } from '../../ports/picture-maker.ts'

type Options = {
  files: KeptFiles
  pictures: Pick<PictureMaker, 'make'>
  /** Places on this machine's disk; what was written there is gone when the place is disposed of. */
  scratch: { file(): Promise<AsyncDisposable & { path: string }> }
}

/** No slash and no dot: a name of ours leads to no other file. */
const PUBLIC_ID = /^[a-z0-9][a-z0-9-]*_\d+$/

/** Pictures as files of ours, and their variants as files drawn from them when they are asked for first. */
export function createDrawnImages({ files, pictures, scratch }: Options): ImageHost {
  /** Who asks for what is being drawn waits for that. */
  const drawings = new Map<string, Promise<boolean>>()

  async function draw(publicId: string, variant: ImageVariant, format: ServedFormat) {
    const original = originalKey(publicId)
    await using from = await scratch.file()
    await using to = await scratch.file()
    // Nothing that may fail between the two: what was opened must be taken.
    const found = await files.open(original)
    if (!found) return false
    await pipeline(found.stream, createWriteStream(from.path, { mode: 0o600 }))
    const drawing = drawingOf(variant, format)
    const made = await pictures.make(from.path, to.path, drawing, { urgency: 'looking' })
    if (typeof made === 'string') throw new ImageHostError('refused', `not drawn: ${made}`)
    const key = variantKey(publicId, variant, format)
    await files.put(key, { path: to.path }, typeOf(format), original)
    return true
  }

  function drawOnce(publicId: string, variant: ImageVariant, format: ServedFormat) {
    const key = variantKey(publicId, variant, format)
    const drawing =
      drawings.get(key) ?? draw(publicId, variant, format).finally(() => drawings.delete(key))
    drawings.set(key, drawing)
    return drawing
  }

  async function find(publicId: string, variant: ImageVariant, format: ServedFormat) {
    if (variant === 'original' && format === HOSTED_FORMAT) return files.open(originalKey(publicId))
    const key = variantKey(publicId, variant, format)
    const drawn = await files.open(key)
    if (drawn) return drawn
    return (await drawOnce(publicId, variant, format)) ? files.open(key) : undefined
  }

  return {
    put: (publicId, { path, width, height }, signal) =>
      orHostError(async () => {
        if (!PUBLIC_ID.test(publicId))
          throw new ImageHostError('refused', 'not a name of a picture')
        const version = await digestOf(path)
        signal?.throwIfAborted()
        await files.put(originalKey(publicId), { path }, typeOf(HOSTED_FORMAT))
        const fileKey = originalKey(publicId)
        return {
          url: `/images/${publicId}/${version}`,
          width,
          height,
          format: HOSTED_FORMAT,
          fileKey,
        }
      }),

    open: (publicId, variant, format) =>
      orHostError(async () => {
        if (!PUBLIC_ID.test(publicId)) return undefined
        const file = await find(publicId, variant, format)
        return file && { ...file, contentType: typeOf(format) }
      }),

    remove: (publicId) =>
      orHostError(async () => {
        if (PUBLIC_ID.test(publicId)) await files.remove(originalKey(publicId))
      }),
  }
}

const originalKey = (publicId: string) => `images/${publicId}`

const variantKey = (publicId: string, variant: ImageVariant, format: ServedFormat) =>
  `drawn/${publicId}/${variant}-${format}`

const typeOf = (format: ServedFormat) => `image/${format}`

function drawingOf(variant: ImageVariant, format: ServedFormat): Drawing {
  const { quality, ...size }: { width?: number; height?: number; quality: number } =
    imageVariants[variant]
  return {
    ...size,
    fit: size.height === undefined ? 'inside' : 'contain',
    format,
    quality: format === 'avif' ? quality - AVIF_LESS : quality,
  }
}

/**
 * AVIF counts quality otherwise: at so much less it looks like the others (80 of JPEG is 64 of AVIF, by
 * industrialempathy.com/posts/avif-webp-quality-settings). At the same number it would be the larger file.
 */
const AVIF_LESS = 15

/** The picture's address changes with it, so that it may be remembered for ever. */
async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex').slice(0, 16)
}

async function orHostError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ImageHostError || error instanceof PictureMakerError) throw error
    throw new ImageHostError('unavailable', 'the files of pictures cannot be used', {
      cause: error,
    })
  }
}
