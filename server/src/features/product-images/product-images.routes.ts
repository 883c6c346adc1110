import { findProductImage, removeProductImage } from '@bancone/contract/product-images'
import type { Serve } from '../../http/serve.ts'
import type { ProductImagesService } from './product-images.service.ts'
import type { ProductImagesStore } from './product-images.store.ts'

export function productImageRoutes(
  serve: Serve,
  productImages: ProductImagesService,
  store: Pick<ProductImagesStore, 'remove'>,
) {
  serve(findProductImage, ({ body }, { pharmacy }) => productImages.find(pharmacy.id, body.minsan))

  serve(removeProductImage, async ({ params }) => {
    await store.remove(params.minsan)
    return {}
  })
}
