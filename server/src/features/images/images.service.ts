import { writeFile } from 'node:fs/promises'
import { MOST_IMAGE_BYTES, type UploadedImage } from '@bancone/contract/images'
import { AppError } from '../../app-error.ts'
import { createAtOnce } from '../../platform/at-once.ts'
import type { Limit, RateLimits } from '../../platform/rate-limits.ts'
import type { Scratch } from '../../platform/scratch.ts'
import type { Clock } from '../../ports/clock.ts'
import { HOSTED_FORMAT, type ImageHost, ImageHostError } from '../../ports/image-host.ts'
import { type Outbound, OutboundError } from '../../ports/outbound.ts'
import type { PictureMaker } from '../../ports/picture-maker.ts'
import { tooManyAs } from '../../too-many.ts'
import { KEPT_QUALITY, KEPT_SIDE, refusals } from './images.rules.ts'
import type { ImageOrigin, ImagesStore } from './images.store.ts'

export const imageLimits = {
  // Of a pharmacy, however they come.
  'images-sent': { points: 60, seconds: 600 },
} as const satisfies Record<string, Limit>

export type ImageLimitName = keyof typeof imageLimits

/** Pictures of a pharmacy that are taken at once. */
const AT_ONCE = 4

/** Milliseconds for a picture of a link to arrive. */
const LINK_MS = 15_000

type Dependencies = {
  store: ImagesStore
  /** Where new pictures go. */
  host: ImageHost
  /** Where there may be older ones: that one, and others that were used before it. */
  hosts: readonly Pick<ImageHost, 'remove'>[]
  pictures: Pick<PictureMaker, 'make'>
  scratch: Pick<Scratch, 'file'>
  outbound: Pick<Outbound, 'fetch'>
  limits: RateLimits<ImageLimitName>
  clock: Clock
  /** Nobody is to be shown it any more. */
  onRemoved(publicId: string): void
}

/** A picture that waits to be taken. */
type Upload = { receive(): Promise<{ path: string }> }

export type ImagesService = ReturnType<typeof createImages>

/** Takes the pictures that customers see, keeps them drawn anew, and removes them. */
export function createImages(dependencies: Dependencies) {
  const { store, host, hosts, pictures, scratch, outbound, limits, clock, onRemoved } = dependencies
  const atOnce = createAtOnce('images at once', AT_ONCE)

  /** Nothing of a picture is read before that: who sends too many costs nothing. */
  function oneOf<T>(pharmacyId: string, work: () => Promise<T>): Promise<T> {
    return atOnce(pharmacyId, async () => {
      await limits.take({ limit: 'images-sent', of: pharmacyId })
      return work()
    }).catch(tooManyAs('images.too_many'))
  }

  async function put(publicId: string, path: string, made: Made, signal?: AbortSignal) {
    try {
      return await host.put(publicId, { ...made, path }, signal)
    } catch (error) {
      await store.abandon(publicId)
      throw hostFailed(error)
    }
  }

  /**
   * Keeps a picture that is a file of this machine, drawn anew.
   *
   * @param owner a pharmacy, which it counts against; null for the archive of products
   * @throws AppError of `images.*`, or of the request when it was given up
   */
  async function keep(
    owner: string | null,
    path: string,
    source: ImageOrigin,
    signal?: AbortSignal,
  ): Promise<UploadedImage> {
    await using drawn = await scratch.file()
    try {
      const made = await pictures.make(path, drawn.path, KEPT, { urgency: 'sending', signal })
      if (typeof made === 'string') throw new AppError(refusals[made])
      const publicId = await store.expect(owner, made, source, clock.now())
      if (publicId === undefined) throw new AppError('images.quota_reached')
      const hosted = await put(publicId, drawn.path, made, signal)
      if (!(await store.complete(publicId, hosted))) throw new AppError('images.host_failed')
      const { url, width, height, format } = hosted
      return { url, publicId, width, height, format }
    } catch (error) {
      // Nobody is there to be told, and nothing is wrong.
      if (signal?.aborted) throw new AppError('request.invalid', { cause: error })
      throw error
    }
  }

  async function download(url: string, signal?: AbortSignal): Promise<Uint8Array> {
    try {
      const reply = await outbound.fetch(url, {
        headers: { accept: 'image/*' },
        timeLimitMs: LINK_MS,
        sizeLimit: MOST_IMAGE_BYTES,
        redirects: 3,
        signal,
      })
      if (reply.status === 200) return reply.body
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      if (error.kind === 'too_large') throw new AppError('images.too_large', { cause: error })
      throw new AppError('images.not_reached', { cause: error })
    }
    throw new AppError('images.not_reached')
  }

  /** It is not there any more for anybody; what the host has of it goes now, or by the job. */
  async function clear(publicId: string): Promise<void> {
    onRemoved(publicId)
    for (const each of hosts) await each.remove(publicId)
    await store.forget(publicId)
  }

  return {
    keep,

    /** A picture that somebody sends. */
    upload(pharmacyId: string, upload: Upload, signal?: AbortSignal): Promise<UploadedImage> {
      return oneOf(pharmacyId, async () =>
        keep(pharmacyId, (await upload.receive()).path, 'upload', signal),
      )
    },

    /** The picture of a link. */
    import(pharmacyId: string, url: string, signal?: AbortSignal): Promise<UploadedImage> {
      return oneOf(pharmacyId, async () => {
        await using file = await scratch.file()
        await writeFile(file.path, await download(url, signal), { flag: 'wx', mode: 0o600 })
        // Awaited here: the file goes when this is left.
        return await keep(pharmacyId, file.path, 'link', signal)
      })
    },

    async remove(pharmacyId: string, publicId: string): Promise<void> {
      const outcome = await store.withdraw(pharmacyId, publicId)
      if (outcome !== 'withdrawn') throw new AppError(`images.${outcome}`)
      await clear(publicId).catch((error: unknown) => {
        throw hostFailed(error)
      })
    },

    /** Removes a picture that nobody has shown for a day. @returns whether it was one */
    async removeUnused(publicId: string): Promise<boolean> {
      if (!(await store.withdrawUnused(publicId))) return false
      await clear(publicId)
      return true
    },
  }
}

type Made = { width: number; height: number; bytes: number }

const KEPT = {
  width: KEPT_SIDE,
  height: KEPT_SIDE,
  fit: 'inside',
  format: HOSTED_FORMAT,
  quality: KEPT_QUALITY,
} as const

function hostFailed(error: unknown): unknown {
  return error instanceof ImageHostError
    ? new AppError('images.host_failed', { cause: error })
    : error
}
