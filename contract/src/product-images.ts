import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { UploadedImage } from './images.ts'
import { Minsan } from './minsan.ts'

/**
 * Where the picture of a product comes from.
 * - `cache`: it was in the archive
 * - `download`: the provider had it, and it is in the archive now
 * - `fallback`: the provider has it, but it could not be kept: its address is the provider's own
 * - `manual`: somebody sent it, or it is the placeholder
 */
export const ImageSource = z.enum(['cache', 'download', 'fallback', 'manual'])
export type ImageSource = z.infer<typeof ImageSource>

/** Looks for the picture of a product in the archive, and then at the provider's. */
export const findProductImage = endpoint({
  method: 'POST',
  path: '/api/product-images',
  summary: 'The picture of a product by its code',
  access: 'pharmacy',
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
