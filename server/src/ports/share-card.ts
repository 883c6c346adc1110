import type { RenderedPicture, RenderPriority } from './picture-renderer.ts'

/** The content of the link preview of one offer. Null values are omitted. */
export type OfferCard = {
  kind: 'offer'
  name: string
  /** Formatted: `9,90 €`. */
  price: string
  /** The struck-out price. */
  before: string | null
  /** `-20%` or `In Evidenza`. */
  badge: string | null
  pharmacy: string
  /** The picture: a URL, or for `renderCard` the path of a file. */
  photo: string | null
}

/** The content of the link preview of a pharmacy's offers. */
export type PharmacyCard = {
  kind: 'pharmacy'
  name: string
  address: string | null
  /** The number of offers, as a text. */
  count: string | null
  logo: string | null
  /** `#rrggbb`, readable on white; null for the accent of the application. */
  accent: string | null
  /** At most four are shown. */
  photos: string[]
}

/** The picture of a link preview (`og:image`): a JPEG of 1200 × 630 pixels and less than 300 kB. */
export type ShareCard = OfferCard | PharmacyCard

/** To be increased when the layout changes: chats cache pictures by their URL, which contains a hash of it. */
export const SHARE_CARD_VERSION = 2

export const SHARE_CARD_SIZE = { width: 1200, height: 630 } as const

/** Renders link previews, under the same conditions as `PictureRenderer`. */
export type CardRenderer = {
  /**
   * Renders a card to the file `to`, which the caller removes in any case. The pictures of the card are files. Pictures
   * that cannot be decoded and characters without a font are omitted.
   * @returns `unreadable` when rendering took too long or crashed its process; with fewer pictures it may succeed
   * @throws PictureRendererError; the reason of `signal` when it is aborted
   */
  renderCard(
    card: ShareCard,
    to: string,
    options: { priority: RenderPriority; signal?: AbortSignal | undefined },
  ): Promise<RenderedPicture | 'unreadable'>
}
