import { readFile, writeFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import type {
  Drawing,
  MadePicture,
  PictureFormat,
  PictureReason,
} from '../../ports/picture-maker.ts'
import { isTooWide, mostPixels, readFormat } from './picture-formats.ts'

// Nothing is kept of a picture, and one thread reads it.
sharp.concurrency(1)
sharp.cache(false)
// Only what reads the formats that are taken. What else reads a JPEG (as a picture for bright screens, which
// phones put beside the usual one) is left out as well: the usual one is in every such file.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
})

const WHITE = '#ffffff'

/** Pixels a side from which a picture is written the quick way, a little larger in bytes. */
const LARGE_SIDE = 1_000

const written: Record<PictureFormat, (picture: Sharp, quality: number, large: boolean) => Sharp> = {
  avif: (picture, quality, large) =>
    picture.avif({ quality, effort: large ? 0 : 2, chromaSubsampling: '4:2:0' }),
  webp: (picture, quality, large) => picture.webp({ quality, effort: large ? 1 : 4 }),
  jpeg: (picture, quality) => picture.jpeg({ quality, progressive: true }),
  // As it is: fewer colours would be another picture.
  png: (picture) => picture.png(),
}

/**
 * Reads a picture by its content and writes it anew: upright, its first moment if it moves, in sRGB with
 * eight bits a colour, and without what else is in the file.
 */
export async function drawPicture(
  from: string,
  to: string,
  drawing: Drawing,
): Promise<MadePicture | PictureReason> {
  const picture = await openPicture(from)
  if (typeof picture === 'string') return picture
  const drawn = await read(shaped(picture, drawing).toBuffer({ resolveWithObject: true }))
  if (!drawn) return 'unreadable'
  await writeFile(to, drawn.data, { mode: 0o600 })
  return { width: drawn.info.width, height: drawn.info.height, bytes: drawn.data.byteLength }
}

/** A picture that can be read as far as its beginning tells, and is not too large for it. */
export async function openPicture(from: string): Promise<Sharp | PictureReason> {
  const bytes = await readFile(from)
  const format = readFormat(bytes)
  if (!format) return 'not_a_picture'
  // Its beginning alone: nothing is unpacked before it is known how large that would be.
  const found = await read(sharp(bytes, { limitInputPixels: false }).metadata())
  if (!found) return 'unreadable'
  if (found.format !== format) return 'not_a_picture'
  if (isTooWide(format, found)) return 'too_wide'
  return sharp(bytes, { limitInputPixels: mostPixels(format), failOn: 'error' })
}

function shaped(
  picture: Sharp,
  { width, height, fit = 'inside', format, quality }: Drawing,
): Sharp {
  picture.autoOrient()
  if (width ?? height) {
    const withoutEnlargement = fit === 'inside' || !width || !height
    picture.resize({ width, height, fit, withoutEnlargement, background: WHITE })
  }
  if (format === 'jpeg' || fit === 'contain') picture.flatten({ background: WHITE })
  const large = Math.max(width ?? 0, height ?? 0) > LARGE_SIDE || !(width ?? height)
  return written[format](picture, quality, large)
}

/** Undefined when the picture cannot be read: what the library says of that may quote it. */
async function read<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(() => undefined)
}
