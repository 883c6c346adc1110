import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { UploadedImage } from './images.ts'
import { Minsan } from './minsan.ts'

/**
 * The source of a product picture.
 * - `cache`: the archive
 * - `download`: the provider; the picture has been added to the archive
 * - `fallback`: the provider; the picture could not be stored, and its URL is the provider's
 * - `manual`: an upload, or the placeholder
 */
export const ImageSource = z.enum(['cache', 'download', 'fallback', 'manual'])
export type ImageSource = z.infer<typeof ImageSource>

/** Looks up the picture of a product in the archive, then at the provider. */
export const findProductImage = endpoint({
  method: 'POST',
  path: '/api/product-images',
  summary: 'Get the picture of a product by its code',
  access: 'pharmacy',
  audit: { none: 'reads' },
  body: z.strictObject({ minsan: Minsan }),
  response: z.discriminatedUnion('source', [
    z.object({ source: z.enum(['cache', 'download']), image: UploadedImage }),
    z.object({ source: z.literal('fallback'), url: z.url() }),
  ]),
  errors: [
    'product_images.not_found',
    'product_images.not_configured',
    'product_images.failed',
    'images.too_many',
  ],
})

/** Offers that show the picture keep it. The next search of the code asks the provider again. */
export const removeProductImage = endpoint({
  method: 'DELETE',
  path: '/api/admin/product-images/:minsan',
  summary: 'Remove the picture of a product from the archive of all pharmacies',
  access: 'admin',
  audit: 'product_image_removed',
  params: z.object({ minsan: Minsan }),
  response: z.object({}),
  errors: ['product_images.not_found'],
})
