import { writeFile } from 'node:fs/promises'
import { MAX_IMAGE_BYTES, type UploadedImage } from '@bancone/contract/images'
import { AppError } from '../../base/app-error.ts'
import { createBoundedQueue } from '../../platform/bounded-queue.ts'
import type { Tasks } from '../../platform/jobs.ts'
import { type Limit, type RateLimits, rethrowRateLimitAs } from '../../platform/rate-limits.ts'
import type { TemporaryFiles } from '../../platform/temporary-files.ts'
import type { Clock } from '../../ports/clock.ts'
import { HOSTED_FORMAT, type ImageHost, ImageHostError } from '../../ports/image-host.ts'
import type { Log } from '../../ports/log.ts'
import { type Outbound, OutboundError } from '../../ports/outbound.ts'
import type { PictureRenderer } from '../../ports/picture-renderer.ts'
import { MAX_STORED_SIDE, refusals, STORED_QUALITY } from './images.rules.ts'
import type { ImageOrigin, ImagesStore } from './images.store.ts'

export const imageLimits = {
  // Per pharmacy, for uploads and links together.
  'images-sent': { points: 60, seconds: 600 },
} as const satisfies Record<string, Limit>

/** Concurrent pictures of a pharmacy. */
const AT_ONCE = 4

/** Pictures of a query when many are removed. */
const PER_QUERY = 500

/** Milliseconds for the download of a linked picture. */
const LINK_MS = 15_000

type Dependencies = {
  store: ImagesStore
  /** Stores new pictures. */
  host: ImageHost
  /** Hosts that may hold older pictures: the current one and those used before. */
  hosts: readonly Pick<ImageHost, 'remove'>[]
  pictures: Pick<PictureRenderer, 'render'>
  temporaryFiles: Pick<TemporaryFiles, 'create'>
  outbound: Pick<Outbound, 'fetch'>
  limits: RateLimits<keyof typeof imageLimits>
  clock: Clock
  /** The picture must no longer be served. */
  onRemoved(publicId: string): void
}

/** An upload whose body has not been read yet. */
type Upload = { receive(): Promise<{ path: string }> }

export type ImagesService = ReturnType<typeof createImages>

/** Receives the pictures that customers see, stores re-encoded copies, and removes them. */
export function createImages(dependencies: Dependencies) {
  const { store, host, hosts, pictures, temporaryFiles, outbound, limits, clock, onRemoved } =
    dependencies
  const atOnce = createBoundedQueue({ concurrency: AT_ONCE, maxWaiting: 0 })

  /** Nothing is read before the limits are checked, so that excess requests cost nothing. */
  function oneOf<T>(pharmacyId: string, work: () => Promise<T>): Promise<T> {
    const limited = async () => {
      await limits.take({ limit: 'images-sent', subject: pharmacyId })
      return work()
    }
    return atOnce(limited, { key: pharmacyId }).catch(rethrowRateLimitAs('images.too_many'))
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
   * Re-encodes and stores a local file.
   *
   * @param owner the pharmacy whose limit it counts against; null for the archive of products
   * @throws AppError `images.*`, or `request.invalid` when the request was aborted
   */
  async function keep(
    owner: string | null,
    path: string,
    source: ImageOrigin,
    signal?: AbortSignal,
  ): Promise<UploadedImage> {
    await using drawn = await temporaryFiles.create()
    try {
      const made = await pictures.render(path, drawn.path, KEPT, { priority: 'normal', signal })
      if (typeof made === 'string') throw new AppError(refusals[made])
      const publicId = await store.expect(owner, made, source, clock.now())
      if (publicId === undefined) throw new AppError('images.quota_reached')
      const hosted = await put(publicId, drawn.path, made, signal)
      if (!(await store.complete(publicId, hosted))) throw new AppError('images.host_failed')
      const { url, width, height, format } = hosted
      return { url, publicId, width, height, format }
    } catch (error) {
      // The client has disconnected; this is no error.
      if (signal?.aborted) throw new AppError('request.invalid', { cause: error })
      throw error
    }
  }

  async function download(url: string, signal?: AbortSignal): Promise<Uint8Array> {
    try {
      const reply = await outbound.fetch(url, {
        headers: { accept: 'image/*' },
        timeLimitMs: LINK_MS,
        sizeLimit: MAX_IMAGE_BYTES,
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

  /** The picture is no longer available; the host deletes it now, or the job does later. */
  async function clear(publicId: string): Promise<void> {
    onRemoved(publicId)
    for (const each of hosts) await each.remove(publicId)
    await store.forget(publicId)
  }

  return {
    keep,

    /** Stores an uploaded picture. */
    upload(pharmacyId: string, upload: Upload, signal?: AbortSignal): Promise<UploadedImage> {
      return oneOf(pharmacyId, async () =>
        keep(pharmacyId, (await upload.receive()).path, 'upload', signal),
      )
    },

    /** Stores the picture of a link. */
    import(pharmacyId: string, url: string, signal?: AbortSignal): Promise<UploadedImage> {
      return oneOf(pharmacyId, async () => {
        await using file = await temporaryFiles.create()
        await writeFile(file.path, await download(url, signal), { flag: 'wx', mode: 0o600 })
        // Awaited here, because the file is deleted on leaving this block.
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

    /**
     * Removes all pictures of a pharmacy that is being removed. Can be repeated.
     *
     * @param signal stops before the next picture
     * @returns the number of removed pictures
     */
    async removeAllOf(pharmacyId: string, signal?: AbortSignal): Promise<number> {
      let removed = 0
      let ids = await store.idsOf(pharmacyId, PER_QUERY)
      while (ids.length > 0) {
        for (const publicId of ids) {
          signal?.throwIfAborted()
          if (!(await store.withdrawOfRemoved(publicId))) continue
          await clear(publicId)
          removed += 1
        }
        ids = await store.idsOf(pharmacyId, PER_QUERY)
      }
      return removed
    },

    /** Removes a picture that has not been in use for a day. @returns whether it was one */
    async removeUnused(publicId: string): Promise<boolean> {
      if (!(await store.withdrawUnused(publicId))) return false
      await clear(publicId)
      return true
    },
  }
}

type Made = { width: number; height: number; bytes: number }

const KEPT = {
  width: MAX_STORED_SIDE,
  height: MAX_STORED_SIDE,
  fit: 'inside',
  format: HOSTED_FORMAT,
  quality: STORED_QUALITY,
} as const

function hostFailed(error: unknown): unknown {
  return error instanceof ImageHostError
    ? new AppError('images.host_failed', { cause: error })
    : error
}

export const UNUSED_IMAGES_TASK = 'images.cleanup'

/** After so many failures in a row the image host is taken to be down, and the job is retried later. */
const HOPELESS = 5

/** Removes pictures that are not in use, and uploads that a crashed process left behind. */
export function unusedImageTasks({
  images,
  store,
  log,
}: {
  images: Pick<ImagesService, 'removeUnused'>
  store: Pick<ImagesStore, 'unused'>
  log: Pick<Log, 'info' | 'warn'>
}): Tasks {
  return {
    [UNUSED_IMAGES_TASK]: {
      lane: 'maintenance',
      async run(_payload, signal) {
        const count = { removed: 0, failed: 0 }
        let inARow = 0
        let ids = await store.unused('', PER_QUERY)
        while (ids.length > 0) {
          for (const id of ids) {
            signal?.throwIfAborted()
            try {
              if (await images.removeUnused(id)) count.removed += 1
              inARow = 0
            } catch (error) {
              // A picture that the host cannot delete does not stop the others; it is retried the next day.
              count.failed += 1
              inARow += 1
              if (inARow === HOPELESS) throw error
              log.warn({ err: error, publicId: id }, 'a picture could not be removed')
            }
          }
          ids = await store.unused(ids.at(-1) ?? '', PER_QUERY)
        }
        log.info(count, 'cleaned up unused pictures')
      },
    },
  }
}
