import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** The largest upload in bytes: the 5 MB that the error message states. */
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024

/** The storage quota for the pictures of one pharmacy, in bytes. */
export const IMAGE_QUOTA_BYTES = 200 * 1024 * 1024

/** The types offered in file pickers. The server decides the type of a file by its content. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/webp'] as const

/** The response of `POST /api/images`. `publicId` is the picture's id: `{pharmacyId}_{milliseconds}`. */
export const UploadedImage = z.object({
  url: z.string(),
  publicId: z.string(),
  width: z.int(),
  height: z.int(),
  format: z.string(),
})
export type UploadedImage = z.infer<typeof UploadedImage>

/** The errors of a picture, whether uploaded or imported. */
export const pictureErrors = [
  'images.too_large',
  'images.not_a_picture',
  'images.too_wide',
  'images.unreadable',
  'images.quota_reached',
  'images.too_many',
  'images.host_failed',
] as const

/** The body is the bytes of the picture. A picture that nothing refers to is removed after a day. */
export const uploadImage = endpoint({
  method: 'POST',
  path: '/api/images',
  summary: 'Upload a picture',
  access: 'pharmacy',
  audit: { none: 'recorded with the offer that shows the picture' },
  upload: { maxBytes: MAX_IMAGE_BYTES, tooLargeCode: 'images.too_large' },
  response: UploadedImage,
  status: 201,
  errors: pictureErrors,
})

/** Fetches a picture from a public https URL. */
export const importImage = endpoint({
  method: 'POST',
  path: '/api/images/imports',
  summary: 'Import a picture from a URL',
  access: 'pharmacy',
  audit: { none: 'recorded with the offer that shows the picture' },
  body: z.strictObject({ url: z.url({ protocol: /^https?$/ }).check(z.maxLength(2_000)) }),
  response: UploadedImage,
  status: 201,
  errors: [...pictureErrors, 'images.not_reached'],
})

/** Only for a picture that nothing refers to. */
export const removeImage = endpoint({
  method: 'DELETE',
  path: '/api/images/:publicId',
  summary: 'Delete a picture',
  access: 'pharmacy',
  audit: { none: 'only pictures that no offer shows' },
  params: z.object({ publicId: z.string().check(z.maxLength(100)) }),
  response: z.object({}),
  errors: ['images.not_found', 'images.in_use', 'images.host_failed'],
})
