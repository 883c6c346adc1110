import sharp from 'sharp'
import { Refusal } from './refusal.ts'
import type { ImageRequest, Transformation } from './transformation.ts'

export type Format = 'avif' | 'webp' | 'jpg' | 'png'

const FITS = {
  pad: 'contain',
  limit: 'inside',
  fit: 'inside',
  fill: 'cover',
  scale: 'fill',
} as const

const COLOURS = { white: '#fff', black: '#000', transparent: '#0000' }

/** Format and size of a picture. @throws Refusal */
export async function measure(file: Buffer) {
  const found = await sharp(file)
    .metadata()
    .catch(() => undefined)
  const format = found && formatOf(found.format === 'heif' ? 'avif' : found.format)
  if (!found || !format) throw new Refusal(400, 'Invalid image file')
  return { width: found.width, height: found.height, format }
}

/** The response format: the requested one, or the best that the client accepts. */
export function chosenFormat(
  { transformation, extension }: ImageRequest,
  accept: string,
  own: Format,
) {
  const { f } = transformation
  if (f && f !== 'auto') return f
  if (f === 'auto') {
    for (const better of ['avif', 'webp'] as const) {
      if (accept.includes(`image/${better}`)) return better
    }
  }
  if (extension === undefined) return own
  const named = formatOf(extension)
  if (!named) throw new Refusal(400, `Invalid extension in transformation: ${extension}`)
  return named
}

export async function render(file: Buffer, how: Transformation, format: Format): Promise<Buffer> {
  const background = COLOURS[how.b ?? 'white']
  const picture = sharp(file).autoOrient()
  if (how.w !== undefined || how.h !== undefined) {
    picture.resize({
      ...(how.w !== undefined && { width: how.w }),
      ...(how.h !== undefined && { height: how.h }),
      fit: FITS[how.c ?? 'scale'],
      withoutEnlargement: how.c === 'limit',
      background,
    })
  }
  if (how.b || format === 'jpg') picture.flatten({ background })
  const quality = how.q === undefined || how.q === 'auto' ? 80 : how.q
  if (format === 'png') return picture.png().toBuffer()
  if (format === 'jpg') return picture.jpeg({ quality }).toBuffer()
  return format === 'avif'
    ? picture.avif({ quality, effort: 0 }).toBuffer()
    : picture.webp({ quality, effort: 0 }).toBuffer()
}

export function typeOf(format: Format): string {
  return `image/${format === 'jpg' ? 'jpeg' : format}`
}

function formatOf(name: string): Format | undefined {
  if (name === 'jpeg' || name === 'jpg') return 'jpg'
  return name === 'avif' || name === 'webp' || name === 'png' ? name : undefined
}
