import type { PublicOffers } from '@bancone/contract/public-offers'
import { createOutbound } from '../../../platform/outbound.ts'
import type { Scratch } from '../../../platform/scratch.ts'
import type { CardMaker } from '../../../ports/share-card.ts'
import { createShareImages } from './share-images.service.ts'
import { createSharePhotos, type KeptPictures } from './share-photos.ts'

type Dependencies = {
  content(code: string): Promise<PublicOffers>
  kept: KeptPictures
  cards: CardMaker
  scratch: Pick<Scratch, 'file'>
  /** Origins where pictures of products are, wherever those are. */
  pictureOrigins: readonly string[]
  log: { warn(details: object, message: string): void }
}

/** Puts together the pictures for previews of links. */
export function wireShareImages({ kept, pictureOrigins, ...rest }: Dependencies) {
  const outbound = createOutbound({ allow: pictureOrigins })
  const photos = createSharePhotos({ kept, fetch: outbound.fetch, scratch: rest.scratch })
  return {
    services: { shareImages: createShareImages({ ...rest, photos }) },
    close: () => outbound.close(),
  }
}
