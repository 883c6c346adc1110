import type { MadePicture, Urgency } from './picture-maker.ts'

/** What a preview of a link says of one offer. Null: it is not said. */
export type OfferCard = {
  kind: 'offer'
  name: string
  /** As it is shown: `9,90 €`. */
  price: string
  /** The price that is struck out. */
  before: string | null
  /** `-20%` or `In Evidenza`. */
  badge: string | null
  pharmacy: string
  /** Where its picture is: an address, and for `drawCard` a file. */
  photo: string | null
}

/** What a preview of a link says of all offers of a pharmacy. */
export type PharmacyCard = {
  kind: 'pharmacy'
  name: string
  address: string | null
  /** How many offers there are. */
  count: string | null
  logo: string | null
  /** Four at most are shown. */
  photos: string[]
}

/** A picture that is shown beside a link in a chat: a JPEG of 1200 × 630 pixels, of less than 300 kB. */
export type ShareCard = OfferCard | PharmacyCard

/** Raised by whoever changes how a card looks: chats keep a picture by its address, which follows from this. */
export const SHARE_CARD_LAYOUT = 2

export const SHARE_CARD = { width: 1200, height: 630 } as const

export type CardMaker = {
  /**
   * Draws a card to `to`, which is the caller's to remove, whatever came of it. Its pictures are files, read by
   * their content; one that cannot be read is left out, as are letters that there is no font for.
   * @returns `unreadable` when it took too long, or ended what draws: with fewer pictures it may succeed
   * @throws PictureMakerError; and the reason of `signal`
   */
  drawCard(
    card: ShareCard,
    to: string,
    options: { urgency: Urgency; signal?: AbortSignal | undefined },
  ): Promise<MadePicture | 'unreadable'>
}
