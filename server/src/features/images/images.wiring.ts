import { importImage, removeImage, uploadImage } from '@bancone/contract/images'
import type { AppModule } from '../../http/app-module.ts'
import type { Context } from '../../platform/context.ts'
import type { TemporaryFiles } from '../../platform/temporary-files.ts'
import type { ImageHost } from '../../ports/image-host.ts'
import type { Outbound } from '../../ports/outbound.ts'
import type { PictureRenderer } from '../../ports/picture-renderer.ts'
import {
  createImages,
  type ImagesService,
  imageLimits,
  unusedImageTasks,
} from './images.service.ts'
import { createImagesStore } from './images.store.ts'
import { createServedImages, type ServedImages, servedImageRoutes } from './served-images.ts'

type Dependencies = Context & {
  /** Stores pictures as local files. */
  localHost: ImageHost
  /** External image service for new pictures; undefined when none is configured. */
  externalHost: ImageHost | undefined
  pictures: PictureRenderer
  temporaryFiles: TemporaryFiles
  outbound: Outbound
}

export function wireImages(dependencies: Dependencies): AppModule & {
  images: ImagesService
  servedImages: ServedImages
} {
  const { db, localHost, externalHost, log, ...rest } = dependencies
  const store = createImagesStore(db)
  const servedImages = createServedImages({ store, host: localHost })
  const images = createImages({
    ...rest,
    limits: rest.limits(imageLimits),
    store,
    host: externalHost ?? localHost,
    // Pictures from before the service was configured are still local.
    hosts: externalHost ? [localHost, externalHost] : [localHost],
    onRemoved: servedImages.forget,
  })
  return {
    images,
    servedImages,
    routes({ app, serve, serveUpload }) {
      servedImageRoutes(app, servedImages)

      serveUpload(uploadImage, (_input, { pharmacy }, upload, call) =>
        images.upload(pharmacy.id, upload, call.signal),
      )

      serve(importImage, ({ body }, { pharmacy }, call) =>
        images.import(pharmacy.id, body.url, call.signal),
      )

      serve(removeImage, async ({ params }, { pharmacy }) => {
        await images.remove(pharmacy.id, params.publicId)
        return {}
      })
    },
    tasks: unusedImageTasks({ images, store, log }),
  }
}
