import type { UploadedImage } from '@bancone/contract/images'
import { PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import { ImageSource } from '@bancone/contract/product-images'
import { z } from 'zod'

/** The picture of something, wherever it comes from. */
export const ChosenImage = z.object({
  url: z.string(),
  /** Null: it is the provider's own, and not kept by us. */
  publicId: z.string().nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
  source: ImageSource,
})
export type ChosenImage = z.infer<typeof ChosenImage>

export function keptImage({ url, publicId, width, height }: UploadedImage, source: ImageSource) {
  return { url, publicId, width, height, source } satisfies ChosenImage
}

/** Chosen by who has no picture, and wants to go on. */
export const placeholderImage: ChosenImage = {
  url: PLACEHOLDER_IMAGE,
  publicId: null,
  width: null,
  height: null,
  source: 'manual',
}

export function providersImage(url: string): ChosenImage {
  return { url, publicId: null, width: null, height: null, source: 'fallback' }
}
