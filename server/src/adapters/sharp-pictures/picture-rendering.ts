import { readFile, writeFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'
import type {
  PictureFormat,
  PictureRejection,
  RenderedPicture,
  Rendition,
} from '../../ports/picture-renderer.ts'

/** The accepted input formats, by sharp's names. */
export type ReadFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'heif'

const MAX_SIDE = 12_000

/** The ISO base media brands of AVIF and HEIF pictures. */
const BRANDS = new Set(['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'mif1', 'msf1'])

/**
 * Detects the format by the first bytes, regardless of name and type. Called before any decoder, so that decoders of
 * other formats, such as SVG and PDF, are never reached.
 */
export function readFormat(bytes: Uint8Array): ReadFormat | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
  if (text(0, 3) === '\xff\xd8\xff') return 'jpeg'
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (text(0, 6) === 'GIF87a' || text(0, 6) === 'GIF89a') return 'gif'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp'
  if (text(4, 8) === 'ftyp' && BRANDS.has(text(8, 12))) return 'heif'
  return undefined
}

/**
 * The most pixels of a picture. JPEG is scaled down while it is decoded; a small file in another format can need twenty
 * bytes of memory per pixel.
 */
export function maxPixels(format: ReadFormat): number {
  return format === 'jpeg' ? 40_000_000 : 16_000_000
}

export function isTooWide(
  format: ReadFormat,
  { width, height }: { width: number; height: number },
): boolean {
  return Math.max(width, height) > MAX_SIDE || width * height > maxPixels(format)
}

// No cache, and one thread per picture.
sharp.concurrency(1)
sharp.cache(false)
// Only the decoders of the accepted formats. Ultra HDR, another decoder for JPEG, stays blocked: such files contain
// a standard picture as well.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map((name) => `VipsForeignLoad${name}Buffer`),
})

const WHITE = '#ffffff'

/** Above this many pixels a side, a faster compression is used that gives slightly larger files. */
const LARGE_SIDE = 1_000

const encoders: Record<PictureFormat, (picture: Sharp, quality: number, large: boolean) => Sharp> =
  {
    avif: (picture, quality, large) =>
      picture.avif({ quality, effort: large ? 0 : 2, chromaSubsampling: '4:2:0' }),
    webp: (picture, quality, large) => picture.webp({ quality, effort: large ? 1 : 4 }),
    jpeg: (picture, quality) => picture.jpeg({ quality, progressive: true }),
    // Lossless: fewer colours would change the picture.
    png: (picture) => picture.png(),
  }

/**
 * Decodes a picture by its content and encodes it again: upright, only the first frame of an animation, in sRGB with
 * eight bits per channel, and without metadata.
 */
export async function renderPicture(
  from: string,
  to: string,
  rendition: Rendition,
): Promise<RenderedPicture | PictureRejection> {
  const picture = await openPicture(from)
  if (typeof picture === 'string') return picture
  const rendered = await read(resized(picture, rendition).toBuffer({ resolveWithObject: true }))
  if (!rendered) return 'unreadable'
  await writeFile(to, rendered.data, { mode: 0o600 })
  return {
    width: rendered.info.width,
    height: rendered.info.height,
    bytes: rendered.data.byteLength,
  }
}

/** Opens a picture after checking its header: the format, and the size in pixels. */
export async function openPicture(from: string): Promise<Sharp | PictureRejection> {
  const bytes = await readFile(from)
  const format = readFormat(bytes)
  if (!format) return 'not_a_picture'
  // Reads only the header: nothing is decoded before the size is known.
  const found = await read(sharp(bytes, { limitInputPixels: false }).metadata())
  if (!found) return 'unreadable'
  if (found.format !== format) return 'not_a_picture'
  if (isTooWide(format, found)) return 'too_wide'
  return sharp(bytes, { limitInputPixels: maxPixels(format), failOn: 'error' })
}

function resized(
  picture: Sharp,
  { width, height, fit = 'inside', format, quality }: Rendition,
): Sharp {
  picture.autoOrient()
  if (width ?? height) {
    const withoutEnlargement = fit === 'inside' || !width || !height
    picture.resize({ width, height, fit, withoutEnlargement, background: WHITE })
  }
  if (format === 'jpeg' || fit === 'contain') picture.flatten({ background: WHITE })
  const large = Math.max(width ?? 0, height ?? 0) > LARGE_SIDE || !(width ?? height)
  return encoders[format](picture, quality, large)
}

/** Undefined if decoding fails. The error is dropped, because its message may quote the content. */
async function read<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch(() => undefined)
}
