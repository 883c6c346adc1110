import { readFile } from 'node:fs/promises'
import type { PublicOffers } from '@bancone/contract/public-offers'
import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import type { Scratch, ScratchFile } from '../../../platform/scratch.ts'
import { PictureMakerError } from '../../../ports/picture-maker.ts'
import type { CardMaker, ShareCard } from '../../../ports/share-card.ts'
import { shareVersion } from './share-image-path.ts'
import { shareCard } from './share-images.rules.ts'
import type { SharePhotos } from './share-photos.ts'

/** Pictures that are remembered, and their bytes. */
const REMEMBERED = { max: 32, maxSize: 3 * 1024 * 1024 }

/** Milliseconds for the photographs of a card: whoever writes in a chat does not wait for more. */
const PHOTOS_MS = 6_000

/** Cards that are made at once, so that pictures which people send need not wait for many. */
const AT_ONCE = 2
const MOST_WAITING = 100

type Dependencies = {
  /** What the public page of that code shows now, whatever the case of the code. */
  content(code: string): Promise<PublicOffers>
  photos: SharePhotos
  cards: CardMaker
  scratch: Pick<Scratch, 'file'>
  log: { warn(details: object, message: string): void }
  /** Milliseconds after which a card is drawn again for which a photograph was not to be had. */
  retryMs?: number
}

export type WantedShareImage = { code: string; offerId: string | null; version: string }

/** `tag`: of these very bytes. `isLasting`: they are what the address says, and will not change. */
export type ShareImage = { bytes: Buffer; tag: string; isLasting: boolean }

type Drawn = { bytes: Buffer; isWhole: boolean }

export type ShareImages = ReturnType<typeof createShareImages>

/**
 * The pictures that chats show beside a link to offers. Only what is shown now is ever drawn, whichever version is
 * asked for: older addresses are remembered by chats, and made-up ones cost nothing.
 */
export function createShareImages(dependencies: Dependencies) {
  const { content, photos, cards, scratch, log, retryMs = 60_000 } = dependencies
  const remembered = new LRUCache<string, Drawn>({
    ...REMEMBERED,
    sizeCalculation: ({ bytes }) => bytes.byteLength,
  })
  /** Who asks for what is being drawn waits for that. */
  const drawings = new Map<string, Promise<Drawn | undefined>>()
  const queue = new PQueue({ concurrency: AT_ONCE })

  async function drawFrom(card: ShareCard): Promise<Buffer | undefined> {
    await using to = await scratch.file()
    const made = await cards.drawCard(card, to.path, { urgency: 'sending' })
    return made === 'unreadable' ? undefined : await readFile(to.path)
  }

  async function draw(card: ShareCard): Promise<Drawn | undefined> {
    const files: ScratchFile[] = []
    const signal = AbortSignal.timeout(PHOTOS_MS)
    const obtain = async (url: string) => {
      const file = await photos.file(url, signal, PHOTOS_MS)
      if (file) files.push(file)
      return file
    }
    try {
      const { pictured, isWhole } = await withFiles(card, obtain)
      const bytes = await drawFrom(pictured)
      if (bytes) return { bytes, isWhole }
    } finally {
      for (const file of files) await file[Symbol.asyncDispose]()
    }
    // One of them may be what ended it.
    const plain = await drawFrom((await withFiles(card, async () => undefined)).pictured)
    return plain && { bytes: plain, isWhole: false }
  }

  async function make(key: string, card: ShareCard): Promise<Drawn | undefined> {
    try {
      const drawn = await queue.add(() => draw(card))
      if (drawn) remembered.set(key, drawn, drawn.isWhole ? {} : { ttl: retryMs })
      return drawn
    } catch (error) {
      if (!(error instanceof PictureMakerError)) throw error
      log.warn({ err: error }, 'the picture of a link was not drawn')
      return undefined
    }
  }

  function makeOnce(key: string, card: ShareCard): Promise<Drawn | undefined> {
    const under = drawings.get(key)
    if (under) return under
    if (queue.size >= MOST_WAITING) return Promise.resolve(undefined)
    const drawing = make(key, card).finally(() => drawings.delete(key))
    drawings.set(key, drawing)
    return drawing
  }

  return {
    /** @returns `gone` where nothing is shown, or no such offer; undefined when it cannot be drawn now */
    async find({
      code,
      offerId,
      version,
    }: WantedShareImage): Promise<ShareImage | 'gone' | undefined> {
      const shown = await content(code)
      const card = shareCard(shown, offerId)
      if (!card || (offerId !== null && card.kind !== 'offer')) return 'gone'
      const current = shareVersion(card)
      const key = `${shown.pharmacy?.pharmacy_id}/${offerId}/${current}`
      const drawn = remembered.get(key) ?? (await makeOnce(key, card))
      if (!drawn) return undefined
      const { bytes, isWhole } = drawn
      const tag = isWhole ? `"${current}"` : `"${current}-part"`
      return { bytes, tag, isLasting: isWhole && version === current }
    },
  }
}

/** The card with files for addresses. @returns and whether it has them all */
async function withFiles(
  card: ShareCard,
  obtain: (url: string) => Promise<ScratchFile | undefined>,
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
