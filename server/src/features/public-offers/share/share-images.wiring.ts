import type { PublicOffers } from '@bancone/contract/public-offers'
import type { AppModule } from '../../../app-module.ts'
import { createOutbound } from '../../../platform/outbound.ts'
import type { TemporaryFiles } from '../../../platform/temporary-files.ts'
import type { CardRenderer } from '../../../ports/share-card.ts'
import { shareImageRoutes } from './share-images.routes.ts'
import { createShareImages } from './share-images.service.ts'
import { createSharePhotos, type StoredPictures } from './share-photos.ts'

type Dependencies = {
  content(code: string): Promise<PublicOffers>
  storedPicture: StoredPictures
  cards: CardRenderer
  temporaryFiles: Pick<TemporaryFiles, 'create'>
  /** Origins from which pictures of products may be loaded. */
  pictureOrigins: readonly string[]
  log: { warn(details: object, message: string): void }
}

/** Wires the preview pictures of links. */
export function wireShareImages({
  storedPicture,
  pictureOrigins,
  ...rest
}: Dependencies): AppModule {
  const outbound = createOutbound({ allow: pictureOrigins })
  const photos = createSharePhotos({
    storedPicture,
    fetch: outbound.fetch,
    temporaryFiles: rest.temporaryFiles,
  })
  const shareImages = createShareImages({ ...rest, photos })
  return {
    routes: ({ app }) => shareImageRoutes(app, shareImages),
    close: () => outbound.close(),
  }
}
