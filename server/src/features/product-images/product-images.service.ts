import { writeFile } from 'node:fs/promises'
import type { UploadedImage } from '@bancone/contract/images'
import { AppError } from '../../base/app-error.ts'
import { createBoundedQueue } from '../../platform/bounded-queue.ts'
import { createCache, createSingleFlight } from '../../platform/cache.ts'
import { type Limit, type RateLimits, rethrowRateLimitAs } from '../../platform/rate-limits.ts'
import type { TemporaryFiles } from '../../platform/temporary-files.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ProductImages } from '../../ports/product-images.ts'
import type { ProductImagesStore } from './product-images.store.ts'

export const productImageLimits = {
  // Per pharmacy, for codes that are not in the archive.
  'product-images': { points: 30, seconds: 600 },
} as const satisfies Record<string, Limit>

/** Concurrent requests of a pharmacy to the provider. */
const AT_ONCE = 4

/** Milliseconds for which a missing picture is not requested again, and maximum number of remembered codes. */
const NOT_THERE_MS = 60 * 60_000
const MAX_NOT_THERE = 5_000

type Dependencies = {
  store: ProductImagesStore
  provider: ProductImages
  temporaryFiles: Pick<TemporaryFiles, 'create'>
  /** Stores a picture for all pharmacies. @throws AppError `images.*` when it cannot be stored */
  keep(path: string): Promise<UploadedImage>
  limits: RateLimits<keyof typeof productImageLimits>
  clock: Clock
  log: { warn(details: object, message: string): void }
}

type Found =
  | { source: 'cache' | 'download'; image: UploadedImage }
  | { source: 'fallback'; url: string }

/** Finds the picture of a product in the archive, or downloads it from the provider into the archive. */
export function createProductImagesService(dependencies: Dependencies) {
  const { store, provider, temporaryFiles, keep, limits, clock, log } = dependencies
  const atOnce = createBoundedQueue({ concurrency: AT_ONCE, maxWaiting: 0 })
  const searches = createSingleFlight<Found>()
  /** When a picture was found missing. */
  const notThere = createCache<number>({ max: MAX_NOT_THERE })

  async function archive(minsan: string, path: string): Promise<Found> {
    const image = await keep(path)
    if (await store.add(minsan, image.publicId)) return { source: 'download', image }
    const first = await store.find(minsan)
    return first ? { source: 'cache', image: first } : { source: 'download', image }
  }

  /** A separate function, so that the picture is not held in memory while it waits to be processed. */
  async function fetchTo(path: string, minsan: string) {
    const picture = await provider.download(minsan).catch((error: unknown) => {
      log.warn({ err: error }, 'a picture of a product could not be downloaded')
      return 'failed' as const
    })
    if (typeof picture === 'string') return picture
    await writeFile(path, picture, { flag: 'wx', mode: 0o600 })
    return 'fetched'
  }

  /** @returns `failed` for a temporary failure, `unusable` when a retry would fail too */
  async function download(minsan: string): Promise<Found | 'failed' | 'unusable'> {
    await using file = await temporaryFiles.create()
    const outcome = await fetchTo(file.path, minsan)
    if (outcome === 'none') return notFound(minsan)
    if (outcome !== 'fetched') return outcome
    try {
      return await archive(minsan, file.path)
    } catch (error) {
      if (!isOfImages(error)) throw error
      return error.code === 'images.host_failed' ? 'failed' : 'unusable'
    }
  }

  function notFound(minsan: string): never {
    notThere.set(minsan, clock.now())
    throw new AppError('product_images.not_found')
  }

  async function fromProvider(minsan: string, url: string): Promise<Found> {
    const outcome = await download(minsan)
    if (typeof outcome !== 'string') return outcome
    if (await provider.exists(minsan)) return { source: 'fallback', url }
    if (outcome === 'failed') throw new AppError('product_images.failed')
    return notFound(minsan)
  }

  return {
    async find(pharmacyId: string, minsan: string): Promise<Found> {
      const image = await store.find(minsan)
      if (image) return { source: 'cache', image }
      const url = provider.url(minsan)
      if (url === null) throw new AppError('product_images.not_configured')
      const missingAt = notThere.get(minsan) ?? Number.NEGATIVE_INFINITY
      if (clock.now() - missingAt < NOT_THERE_MS) throw new AppError('product_images.not_found')
      await limits
        .take({ limit: 'product-images', subject: pharmacyId })
        .catch(rethrowRateLimitAs('images.too_many'))
      // Concurrent requests share one download; the first client may have disconnected.
      const search = () => atOnce(() => fromProvider(minsan, url), { key: pharmacyId })
      return searches.run(minsan, search).catch(rethrowRateLimitAs('images.too_many'))
    },
  }
}

function isOfImages(error: unknown): error is AppError {
  return error instanceof AppError && error.code.startsWith('images.')
}
