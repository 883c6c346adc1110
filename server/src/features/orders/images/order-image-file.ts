import { type ImageReason, imageFormat, isTooWide, mostPixels } from './order-images.rules.ts'

/** A picture as it is kept. */
export type ImageFile = { bytes: Buffer; contentType: string; width: number; height: number }

/** Pixels a side of what is kept: writing on a photograph of a sheet can be read. */
const KEPT_SIDE = 4096

/** Seconds to read and write one; a normal one takes less than two. */
const MOST_SECONDS = 20

/**
 * Makes of what came a picture that nothing is hidden in: read by its content, and written anew, upright,
 * as one WebP, without where and when it was taken.
 */
export async function imageFile(bytes: Uint8Array): Promise<ImageFile | ImageReason> {
  const format = imageFormat(bytes)
  if (!format) return 'not_a_picture'
  const sharp = await loadSharp()
  try {
    // Its beginning alone: nothing is unpacked before it is known how large that would be.
    const found = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (found.format !== format) return 'not_a_picture'
    if (isTooWide(format, found)) return 'too_wide'
    const { data, info } = await sharp(bytes, {
      limitInputPixels: mostPixels(format),
      failOn: 'error',
    })
      .autoOrient()
      .resize({ width: KEPT_SIDE, height: KEPT_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82, effort: 1 })
      .timeout({ seconds: MOST_SECONDS })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, contentType: 'image/webp', width: info.width, height: info.height }
  } catch {
    // What the library says may quote the picture.
    return 'unreadable'
  }
}

/** Loaded with the first picture: many processes never see one. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  // Nothing is kept of a picture, and one thread reads it: memory stays flat however many there are.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
