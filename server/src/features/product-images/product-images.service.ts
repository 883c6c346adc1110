import { writeFile } from 'node:fs/promises'
import type { UploadedImage } from '@bancone/contract/images'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../app-error.ts'
import { type Limit, type RateLimits, TooManyRequests } from '../../platform/rate-limits.ts'
import type { Scratch } from '../../platform/scratch.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ProductImages } from '../../ports/product-images.ts'
import type { ProductImagesStore } from './product-images.store.ts'

export const productImageLimits = {
  // Of a pharmacy, of what is not in the archive.
  'product-images': { points: 30, seconds: 600 },
} as const satisfies Record<string, Limit>

export type ProductImageLimitName = keyof typeof productImageLimits

/** Milliseconds for which the provider is not asked again for what it does not have, and codes of those. */
const NOT_THERE_MS = 60 * 60_000
const MOST_NOT_THERE = 5_000

type Dependencies = {
  store: ProductImagesStore
  provider: ProductImages
  scratch: Pick<Scratch, 'file'>
  /** Keeps a picture for all pharmacies. @throws AppError of `images.*` when it cannot be kept */
  keep(path: string): Promise<UploadedImage>
  limits: RateLimits<ProductImageLimitName>
  clock: Clock
  log: { warn(details: object, message: string): void }
}

type Found =
  | { source: 'cache' | 'download'; image: UploadedImage }
  | { source: 'fallback'; url: string }

export type ProductImagesService = ReturnType<typeof createProductImagesService>

/** Finds the picture of a product: in the archive, or at the provider's, from where it goes there. */
export function createProductImagesService(dependencies: Dependencies) {
  const { store, provider, scratch, keep, limits, clock, log } = dependencies
  const underWay = new Map<string, Promise<Found>>()
  const notThere = new LRUCache<string, true>({
    max: MOST_NOT_THERE,
    ttl: NOT_THERE_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now() },
  })

  async function archive(minsan: string, picture: Uint8Array): Promise<Found> {
    await using file = await scratch.file()
    await writeFile(file.path, picture, { flag: 'wx', mode: 0o600 })
    const image = await keep(file.path)
    if (await store.add(minsan, image.publicId)) return { source: 'download', image }
    const first = await store.find(minsan)
    return first ? { source: 'cache', image: first } : { source: 'download', image }
  }

  /** @returns `failed` when that may pass, `unusable` when it would be the same again */
  async function download(minsan: string): Promise<Found | 'failed' | 'unusable'> {
    const picture = await provider.download(minsan).catch((error: unknown) => {
      log.warn({ err: error }, 'a picture of a product could not be downloaded')
      return 'failed' as const
    })
    if (picture === 'none') return notFound(minsan)
    if (picture === 'failed' || picture === 'unusable') return picture
    try {
      return await archive(minsan, picture)
    } catch (error) {
      if (!isOfImages(error)) throw error
      return error.code === 'images.host_failed' ? 'failed' : 'unusable'
    }
  }

  function notFound(minsan: string): never {
    notThere.set(minsan, true)
    throw new AppError('product_images.not_found')
  }

  async function fromProvider(minsan: string, url: string): Promise<Found> {
    const outcome = await download(minsan)
    if (typeof outcome !== 'string') return outcome
    if (await provider.exists(minsan)) return { source: 'fallback', url }
    if (outcome === 'failed') throw new AppError('product_images.failed')
    return notFound(minsan)
  }

  /** Who asks while it is under way gets the same; whoever asked first may have left. */
  function once(minsan: string, url: string): Promise<Found> {
    const same = underWay.get(minsan)
    if (same) return same
    const work = fromProvider(minsan, url).finally(() => underWay.delete(minsan))
    underWay.set(minsan, work)
    return work
  }

  return {
    async find(pharmacyId: string, minsan: string): Promise<Found> {
      const image = await store.find(minsan)
      if (image) return { source: 'cache', image }
      const url = provider.url(minsan)
      if (url === null) throw new AppError('product_images.not_configured')
      if (notThere.has(minsan)) throw new AppError('product_images.not_found')
      await limits.take({ limit: 'product-images', of: pharmacyId }).catch(tooMany)
      return once(minsan, url)
    },
  }
}

function isOfImages(error: unknown): error is AppError {
  return error instanceof AppError && error.code.startsWith('images.')
}

function tooMany(error: unknown): never {
  if (!(error instanceof TooManyRequests)) throw error
  throw new AppError('images.too_many', { retryAfter: error.retryAfter })
}
