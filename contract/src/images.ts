import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Bytes of a picture that is sent: 5 MB, as the message says it. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024

/** Bytes of all pictures of a pharmacy. */
export const IMAGE_QUOTA_BYTES = 200 * 1024 * 1024

/** The types of files that are offered to be chosen; what a file is, its content decides. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/webp'] as const

/** What `POST /api/images` answers. `publicId` is the name it is kept under: `{pharmacyId}_{milliseconds}`. */
export const UploadedImage = z.object({
  url: z.string(),
  publicId: z.string(),
  width: z.number().int(),
  height: z.number().int(),
  format: z.string(),
})
export type UploadedImage = z.infer<typeof UploadedImage>

/** What may be wrong with a picture, however it came. */
const ofPictures = [
  'images.too_large',
  'images.not_a_picture',
  'images.too_wide',
  'images.unreadable',
  'images.quota_reached',
  'images.too_many',
  'images.host_failed',
] as const

/** Its body is the picture's bytes. Unless something comes to show it, the picture is removed after a day. */
export const uploadImage = endpoint({
  method: 'POST',
  path: '/api/images',
  summary: 'Keeps a picture',
  access: 'pharmacy',
  upload: { mostBytes: MOST_IMAGE_BYTES, tooLarge: 'images.too_large' },
  response: UploadedImage,
  status: 201,
  errors: ofPictures,
})

/** Takes a picture from a public https address. */
export const importImage = endpoint({
  method: 'POST',
  path: '/api/images/imports',
  summary: 'Keeps a picture that is elsewhere',
  access: 'pharmacy',
  body: z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(2_000) }),
  response: UploadedImage,
  status: 201,
  errors: [...ofPictures, 'images.not_reached'],
})

/** Only one that nothing shows. */
export const removeImage = endpoint({
  method: 'DELETE',
  path: '/api/images/:publicId',
  summary: 'Removes a picture',
  access: 'pharmacy',
  params: z.object({ publicId: z.string().max(100) }),
  response: z.object({}),
  errors: ['images.not_found', 'images.in_use', 'images.host_failed'],
})
