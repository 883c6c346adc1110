import { z } from 'zod/mini'

/**
 * The sizes in which pictures are served. Variants with a height have exactly that size, padded with white, because
 * a package must not be cropped. The others have at most that width and keep the aspect ratio. The `2x` variants are
 * for high-density screens. `original` has the full size. `quality` is from 1 to 100.
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

// Object.keys returns string[].
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const names = Object.keys(imageVariants) as [ImageVariant, ...ImageVariant[]]
export const ImageVariant = z.enum(names)

/** `/images/{publicId}/{version}`: a picture that this server serves. */
const OURS = /^\/images\/[^/?#]+\/[^/?#]+$/

/**
 * `https://res.cloudinary.com/{cloud}/image/upload/v{version}/{folder}/{publicId}.{format}`: an untransformed picture
 * on Cloudinary. With a custom host name the path has no `{cloud}`.
 */
const CLOUDINARY =
  /^(https?:\/\/[^/?#]+\/(?:[^/?#]+\/)?image\/upload\/)(v\d+\/[^?#]+?)(?:\.[a-z]{3,4})?$/

/**
 * The URL of a variant of the picture at `url`. Pictures on other hosts have no variants: their URL is returned
 * unchanged.
 */
export function variantUrl(url: string, variant: ImageVariant): string {
  if (OURS.test(url)) return `${url}/${variant}`
  const [, before, name] = CLOUDINARY.exec(url) ?? []
  // The extension is the format for browsers that accept neither AVIF nor WebP.
  return before && name ? `${before}${cloudinaryTransformation(variant)}/${name}.jpg` : url
}

/** The variant as a Cloudinary transformation; `auto` is the best format that the browser accepts. */
export function cloudinaryTransformation(variant: ImageVariant, format = 'auto'): string {
  const { width, height, quality }: { width?: number; height?: number; quality: number } =
    imageVariants[variant]
  const size = height
    ? [`w_${width}`, `h_${height}`, 'c_pad', 'b_white']
    : width
      ? [`w_${width}`, 'c_limit']
      : []
  return [...size, `q_${quality}`, `f_${format === 'jpeg' ? 'jpg' : format}`].join(',')
}
