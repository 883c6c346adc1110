import type { UploadedImage } from '@bancone/contract/images'
import { PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import { ImageSource } from '@bancone/contract/product-images'
import { z } from 'zod/mini'

/** A picture, whatever its source. */
export const ChosenImage = z.object({
  url: z.string(),
  /** Null for the provider's own picture, which is not stored here. */
  publicId: z.nullable(z.string()),
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  source: ImageSource,
})
export type ChosenImage = z.infer<typeof ChosenImage>

export function uploadedImage(
  { url, publicId, width, height }: UploadedImage,
  source: ImageSource,
) {
  return { url, publicId, width, height, source } satisfies ChosenImage
}

/** Chosen by users without a picture. */
export const placeholderImage: ChosenImage = {
  url: PLACEHOLDER_IMAGE,
  publicId: null,
  width: null,
  height: null,
  source: 'manual',
}

export function providerImage(url: string): ChosenImage {
  return { url, publicId: null, width: null, height: null, source: 'fallback' }
}
