import { importImage, removeImage, uploadImage } from '@bancone/contract/images'
import type { Serve } from '../../http/serve.ts'
import type { ServeUpload } from '../../http/serve-upload.ts'
import type { ImagesService } from './images.service.ts'

export function imageRoutes(serve: Serve, serveUpload: ServeUpload, images: ImagesService) {
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
}
