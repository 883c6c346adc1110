import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type ImageVariant, imageVariants } from '@bancone/contract/image-variants'
import type { StoredFiles } from '../../ports/file-store.ts'
import {
  HOSTED_FORMAT,
  type ImageHost,
  ImageHostError,
  type ServedFormat,
} from '../../ports/image-host.ts'
import {
  type PictureRenderer,
  PictureRendererError,
  type Rendition,
} from '../../ports/picture-renderer.ts'

type Options = {
  files: StoredFiles
  pictures: Pick<PictureRenderer, 'render'>
  /** Temporary files on the local disk. */
  temporaryFiles: { create(): Promise<AsyncDisposable & { path: string }> }
}

/** Without slashes and dots, so that a public id cannot lead to another file. */
const PUBLIC_ID = /^[a-z0-9][a-z0-9-]*_\d+$/

/** An image host in a file store. A variant is rendered on its first request and stored, too. */
export function createRenderedImages({ files, pictures, temporaryFiles }: Options): ImageHost {
  /** The renderings in progress: concurrent requests for the same variant share one. */
  const renderings = new Map<string, Promise<boolean>>()

  async function render(publicId: string, variant: ImageVariant, format: ServedFormat) {
    const original = originalKey(publicId)
    await using from = await temporaryFiles.create()
    await using to = await temporaryFiles.create()
    // Nothing may fail between opening the stream and reading it, or the stream would leak.
    const found = await files.open(original)
    if (!found) return false
    await pipeline(found.stream, createWriteStream(from.path, { mode: 0o600 }))
    const rendition = renditionOf(variant, format)
    const made = await pictures.render(from.path, to.path, rendition, { priority: 'high' })
    if (typeof made === 'string') throw new ImageHostError('refused', `not drawn: ${made}`)
    const key = variantKey(publicId, variant, format)
    await files.put(key, { path: to.path }, typeOf(format), original)
    return true
  }

  function renderOnce(publicId: string, variant: ImageVariant, format: ServedFormat) {
    const key = variantKey(publicId, variant, format)
    const rendering =
      renderings.get(key) ?? render(publicId, variant, format).finally(() => renderings.delete(key))
    renderings.set(key, rendering)
    return rendering
  }

  async function find(publicId: string, variant: ImageVariant, format: ServedFormat) {
    if (variant === 'original' && format === HOSTED_FORMAT) return files.open(originalKey(publicId))
    const key = variantKey(publicId, variant, format)
    const rendered = await files.open(key)
    if (rendered) return rendered
    return (await renderOnce(publicId, variant, format)) ? files.open(key) : undefined
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

function renditionOf(variant: ImageVariant, format: ServedFormat): Rendition {
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
 * The quality scale of AVIF differs: with so much less it looks like the others (JPEG 80 corresponds to AVIF 64,
 * industrialempathy.com/posts/avif-webp-quality-settings). With the same number the file would be larger.
 */
const AVIF_LESS = 15

/** A hash of the content, part of the URL, so that pictures can be cached for ever. */
async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex').slice(0, 16)
}

async function orHostError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ImageHostError || error instanceof PictureRendererError) throw error
    throw new ImageHostError('unavailable', 'the files of pictures cannot be used', {
      cause: error,
    })
  }
}
