import { z } from 'zod'

/**
 * The sizes in which pictures are shown. `product` and `thumbnail` are exactly that large, on white, since a
 * pack must not be cut; the others are as wide as that at most, and as high as follows. The `2x` are for
 * screens with more pixels than points. `original` is the largest there is.
 */
export const imageVariants = {
  product: { width: 500, height: 500, quality: 90 },
  thumbnail: { width: 100, height: 100, quality: 90 },
  'thumbnail-2x': { width: 200, height: 200, quality: 90 },
  card: { width: 300, quality: 80 },
  'card-2x': { width: 600, quality: 80 },
  dialog: { width: 400, quality: 90 },
  'dialog-2x': { width: 800, quality: 90 },
  original: { quality: 90 },
} as const satisfies Record<string, { width?: number; height?: number; quality: number }>

export type ImageVariant = keyof typeof imageVariants

// Object.keys forgets what the keys are.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const names = Object.keys(imageVariants) as [ImageVariant, ...ImageVariant[]]
export const ImageVariant = z.enum(names)

/** `/images/{publicId}/{version}`: a picture that we serve. */
const OURS = /^\/images\/[^/?#]+\/[^/?#]+$/

/**
 * `https://res.cloudinary.com/{cloud}/image/upload/v{version}/{folder}/{publicId}.{format}`: one that
 * Cloudinary serves as it was sent. Its cloud may have a host of its own, and then no part of the path.
 */
const CLOUDINARY =
  /^(https?:\/\/[^/?#]+\/(?:[^/?#]+\/)?image\/upload\/)(v\d+\/[^?#]+?)(?:\.[a-z]{3,4})?$/

/**
 * The address of a variant of a picture, by the picture's own address. One of another kind, such as that of
 * a provider, has no variants: it is its own address whichever is wanted.
 */
export function variantUrl(url: string, variant: ImageVariant): string {
  if (OURS.test(url)) return `${url}/${variant}`
  const [, before, name] = CLOUDINARY.exec(url) ?? []
  // The format for a browser that takes none of the better ones is that of the ending.
  return before && name ? `${before}${transformation(variant)}/${name}.jpg` : url
}

/** The variant in Cloudinary's words; the format is the best that the browser takes. */
export function transformation(variant: ImageVariant, format = 'auto'): string {
  const { width, height, quality }: { width?: number; height?: number; quality: number } =
    imageVariants[variant]
  const size = height
    ? [`w_${width}`, `h_${height}`, 'c_pad', 'b_white']
    : width
      ? [`w_${width}`, 'c_limit']
      : []
  return [...size, `q_${quality}`, `f_${format === 'jpeg' ? 'jpg' : format}`].join(',')
}
