import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Drawing, PictureFormat } from '../../ports/picture-maker.ts'

const Size = z.coerce.number().int().min(1).max(2000)

/** How a picture is wanted, in the words of the protocol. */
export const Wish = z.object({
  width: Size.optional(),
  height: Size.optional(),
  resize: z.enum(['cover', 'contain', 'fill']).default('cover'),
  /** `origin`: as it is. Without one, the best that who asks takes. */
  format: z.enum(['origin', 'avif', 'webp']).optional(),
  quality: z.coerce.number().int().min(20).max(100).default(80),
})
export type Wish = z.output<typeof Wish>

/** In the protocol `contain` leaves nothing around the picture, as `inside` does. */
const fits = { cover: 'cover', contain: 'inside', fill: 'fill' } as const

/** The same for the same wish, short enough for a token: `width:100,resize:cover,quality:80`. */
export function wishText(wish: Wish): string {
  const { width, height, resize, format, quality } = wish
  return Object.entries({ width, height, resize, format, quality })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}:${value}`)
    .join(',')
}

/** @throws ZodError when `wishText` has not written it */
export function parseWishText(text: string): Wish {
  return Wish.parse(Object.fromEntries(text.split(',').map((part) => part.split(':'))))
}

const ORIGINAL: Record<string, PictureFormat> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
}

/**
 * How it is drawn for who asks. A format that cannot be written becomes PNG, which loses nothing.
 *
 * @param contentType what the object is
 * @param accept the header of the request; a browser names there what an old one cannot show
 */
export function drawingOf(wish: Wish, contentType: string, accept: string): Drawing {
  const { width, height, quality } = wish
  return {
    ...(width && { width }),
    ...(height && { height }),
    fit: fits[wish.resize],
    format: formatOf(wish.format, ORIGINAL[contentType] ?? 'png', accept),
    quality,
  }
}

function formatOf(wanted: Wish['format'], original: PictureFormat, accept: string): PictureFormat {
  if (wanted === 'origin') return original
  if (wanted) return wanted
  const taken = accept
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim())
  return (['avif', 'webp'] as const).find((format) => taken.includes(`image/${format}`)) ?? original
}

/** A name for what is drawn so, of letters and digits. */
export function drawingName(drawing: Drawing): string {
  const { width = 0, height = 0, fit, format, quality } = drawing
  const text = [width, height, fit, format, quality].join(' ')
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
