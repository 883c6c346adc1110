import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { PublicOffers } from '@bancone/contract/public-offers'
import { createBoundedQueue } from '../../../platform/bounded-queue.ts'
import { createCache } from '../../../platform/cache.ts'
import { TooManyRequests } from '../../../platform/rate-limits.ts'
import type { TemporaryFile, TemporaryFiles } from '../../../platform/temporary-files.ts'
import { PictureRendererError } from '../../../ports/picture-renderer.ts'
import { type CardRenderer, SHARE_CARD_VERSION, type ShareCard } from '../../../ports/share-card.ts'
import { shareCard } from './share-images.rules.ts'
import type { SharePhotos } from './share-photos.ts'

/** Number of cached pictures, and their bytes. */
const MAX_CACHED = 32
const CACHE_BYTES = 3 * 1024 * 1024

/** Milliseconds for loading the photographs of a card: the preview of a chat does not wait longer. */
const PHOTOS_MS = 6_000

/** Concurrent renderings, so that uploaded pictures do not wait for many. */
const AT_ONCE = 2
const MAX_WAITING = 100

type Dependencies = {
  /** What the public page of the code shows now; the code's case is ignored. */
  content(code: string): Promise<PublicOffers>
  photos: SharePhotos
  cards: CardRenderer
  temporaryFiles: Pick<TemporaryFiles, 'create'>
  log: { warn(details: object, message: string): void }
  /** Milliseconds after which a card with a missing photograph is rendered again. */
  retryMs?: number
}

export type ShareImageRequest = { code: string; offerId: string | null; version: string }

/** `tag`: entity tag of the bytes. `isLasting`: they match the version in the URL and will not change. */
export type ShareImage = { bytes: Buffer; tag: string; isLasting: boolean }

type RenderedCard = { bytes: Buffer; isWhole: boolean }

export type ShareImages = ReturnType<typeof createShareImages>

/**
 * The preview pictures of links to offers. Only the current content is rendered, whichever version is requested:
 * chats remember older URLs, and made-up versions cost nothing.
 */
export function createShareImages(dependencies: Dependencies) {
  const { content, photos, cards, temporaryFiles, log, retryMs = 60_000 } = dependencies
  const cache = createCache<RenderedCard | undefined>({
    max: CACHE_BYTES,
    sizeOf: (card) => (card ? Math.max(card.bytes.byteLength, CACHE_BYTES / MAX_CACHED) : 0),
    ttlMs: (card) => (card?.isWhole ? 0 : retryMs),
  })
  const inTurn = createBoundedQueue({ concurrency: AT_ONCE, maxWaiting: MAX_WAITING })

  async function renderFrom(card: ShareCard): Promise<Buffer | undefined> {
    await using to = await temporaryFiles.create()
    const made = await cards.renderCard(card, to.path, { priority: 'normal' })
    return made === 'unreadable' ? undefined : await readFile(to.path)
  }

  async function render(card: ShareCard): Promise<RenderedCard | undefined> {
    const files: TemporaryFile[] = []
    const signal = AbortSignal.timeout(PHOTOS_MS)
    const obtain = async (url: string) => {
      const file = await photos.file(url, signal, PHOTOS_MS)
      if (file) files.push(file)
      return file
    }
    try {
      const { pictured, isWhole } = await withFiles(card, obtain)
      const bytes = await renderFrom(pictured)
      if (bytes) return { bytes, isWhole }
    } finally {
      for (const file of files) await file[Symbol.asyncDispose]()
    }
    // A photograph may have caused the failure, so the card is rendered without any.
    const plain = await renderFrom((await withFiles(card, async () => undefined)).pictured)
    return plain && { bytes: plain, isWhole: false }
  }

  async function make(card: ShareCard): Promise<RenderedCard | undefined> {
    try {
      return await inTurn(() => render(card))
    } catch (error) {
      if (error instanceof TooManyRequests) return undefined
      if (!(error instanceof PictureRendererError)) throw error
      log.warn({ err: error }, 'the picture of a link was not drawn')
      return undefined
    }
  }

  return {
    /**
     * @returns `gone` when the offer or the whole page is not published; undefined when the picture cannot be
     * rendered now
     */
    async find({
      code,
      offerId,
      version,
    }: ShareImageRequest): Promise<ShareImage | 'gone' | undefined> {
      const shown = await content(code)
      const card = shareCard(shown, offerId)
      if (!card || (offerId !== null && card.kind !== 'offer')) return 'gone'
      const current = shareVersion(card)
      const key = `${shown.pharmacy?.pharmacy_id}/${offerId}/${current}`
      const rendered = cache.get(key) ?? (await cache.load(key, () => make(card)))
      if (!rendered) return undefined
      const { bytes, isWhole } = rendered
      const tag = isWhole ? `"${current}"` : `"${current}-part"`
      return { bytes, tag, isLasting: isWhole && version === current }
    },
  }
}

/** Replaces the URLs on the card by files. @returns the card, and whether all were loaded */
async function withFiles(
  card: ShareCard,
  obtain: (url: string) => Promise<TemporaryFile | undefined>,
): Promise<{ pictured: ShareCard; isWhole: boolean }> {
  let isWhole = true
  const fileOf = async (url: string | null) => {
    if (url === null) return null
    const file = await obtain(url)
    isWhole &&= file !== undefined
    return file?.path ?? null
  }
  if (card.kind === 'offer') {
    const pictured = { ...card, photo: await fileOf(card.photo) }
    return { pictured, isWhole }
  }
  const [logo = null, ...found] = await Promise.all([card.logo, ...card.photos].map(fileOf))
  return { pictured: { ...card, logo, photos: found.filter((path) => path !== null) }, isWhole }
}

/**
 * URL path of the preview picture of the page, or of one of its offers; null when there is none. The path changes
 * with everything that the picture shows, because chats cache a picture by its URL.
 */
export function shareImagePath(content: PublicOffers, offerId: string | null): string | null {
  const card = shareCard(content, offerId)
  if (!card || !content.pharmacy) return null
  const code = encodeURIComponent(content.pharmacy.pharmacy_id)
  const offer = card.kind === 'offer' ? `/${offerId}` : ''
  return `/share/offers/${code}${offer}/${shareVersion(card)}.jpg`
}

/** Hash of everything that the picture shows. */
function shareVersion(card: ShareCard): string {
  return createHash('sha256')
    .update(JSON.stringify([SHARE_CARD_VERSION, card]))
    .digest('base64url')
    .slice(0, 12)
}
