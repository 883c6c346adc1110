import { writeFile } from 'node:fs/promises'
import type { UploadedImage } from '@bancone/contract/images'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../app-error.ts'
import { createAtOnce } from '../../platform/at-once.ts'
import type { Limit, RateLimits } from '../../platform/rate-limits.ts'
import type { Scratch } from '../../platform/scratch.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ProductImages } from '../../ports/product-images.ts'
import { tooManyAs } from '../../too-many.ts'
import type { ProductImagesStore } from './product-images.store.ts'

export const productImageLimits = {
  // Of a pharmacy, of what is not in the archive.
  'product-images': { points: 30, seconds: 600 },
} as const satisfies Record<string, Limit>

export type ProductImageLimitName = keyof typeof productImageLimits

/** Pictures that a pharmacy has the provider asked for at once. */
const AT_ONCE = 4

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
  const atOnce = createAtOnce('product images at once', AT_ONCE)
  const underWay = new Map<string, Promise<Found>>()
  const notThere = new LRUCache<string, true>({
    max: MOST_NOT_THERE,
    ttl: NOT_THERE_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now() },
  })

  async function archive(minsan: string, path: string): Promise<Found> {
    const image = await keep(path)
    if (await store.add(minsan, image.publicId)) return { source: 'download', image }
    const first = await store.find(minsan)
    return first ? { source: 'cache', image: first } : { source: 'download', image }
  }

  /** By itself, so that the picture is not in memory while it waits for its turn to be drawn. */
  async function fetchTo(path: string, minsan: string) {
    const picture = await provider.download(minsan).catch((error: unknown) => {
      log.warn({ err: error }, 'a picture of a product could not be downloaded')
      return 'failed' as const
    })
    if (typeof picture === 'string') return picture
    await writeFile(path, picture, { flag: 'wx', mode: 0o600 })
    return 'fetched'
  }

  /** @returns `failed` when that may pass, `unusable` when it would be the same again */
  async function download(minsan: string): Promise<Found | 'failed' | 'unusable'> {
    await using file = await scratch.file()
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

  function begin(minsan: string, url: string): Promise<Found> {
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
      await limits
        .take({ limit: 'product-images', of: pharmacyId })
        .catch(tooManyAs('images.too_many'))
      // Who asks while it is under way gets the same; whoever asked first may have left.
      const same = underWay.get(minsan)
      return (
        same ?? atOnce(pharmacyId, () => begin(minsan, url)).catch(tooManyAs('images.too_many'))
      )
    },
  }
}

function isOfImages(error: unknown): error is AppError {
  return error instanceof AppError && error.code.startsWith('images.')
}
