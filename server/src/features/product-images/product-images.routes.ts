import { findProductImage } from '@bancone/contract/product-images'
import type { Serve } from '../../http/serve.ts'
import type { ProductImagesService } from './product-images.service.ts'

export function productImageRoutes(serve: Serve, productImages: ProductImagesService) {
  serve(findProductImage, ({ body }, { pharmacy }) => productImages.find(pharmacy.id, body.minsan))
}
