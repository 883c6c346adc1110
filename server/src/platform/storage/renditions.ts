import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { PictureFormat, Rendition } from '../../ports/picture-renderer.ts'

const Size = z.coerce.number().int().min(1).max(2000)

/** The transform options of Supabase Storage. */
export const TransformOptions = z.object({
  width: Size.optional(),
  height: Size.optional(),
  resize: z.enum(['cover', 'contain', 'fill']).default('cover'),
  /** `origin`: the object's own format. Absent: the best format that the client accepts. */
  format: z.enum(['origin', 'avif', 'webp']).optional(),
  quality: z.coerce.number().int().min(20).max(100).default(80),
})
export type TransformOptions = z.output<typeof TransformOptions>

/** The protocol's `contain` adds no margins, like `inside`. */
const fits = { cover: 'cover', contain: 'inside', fill: 'fill' } as const

/** Canonical, and short enough for a token: `width:100,resize:cover,quality:80`. */
export function serializeTransform(transform: TransformOptions): string {
  const { width, height, resize, format, quality } = transform
  return Object.entries({ width, height, resize, format, quality })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}:${value}`)
    .join(',')
}

/** @throws ZodError when the text does not come from `serializeTransform` */
export function parseTransform(text: string): TransformOptions {
  return TransformOptions.parse(Object.fromEntries(text.split(',').map((part) => part.split(':'))))
}

/** The resizing types of imgproxy, in which the reference server names them. */
const resizingTypes = { cover: 'fill', contain: 'fit', fill: 'force' } as const

/** The value of the header `X-Transformations`, as in the reference server. */
export function transformationsOf(transform: TransformOptions): string {
  const { width, height, resize, quality, format } = transform
  return [
    ...(height ? [`height:${height}`] : []),
    ...(width ? [`width:${width}`] : []),
    ...(width || height ? [`resizing_type:${resizingTypes[resize]}`] : []),
    `quality:${quality}`,
    ...(format && format !== 'origin' ? [`format:${format}`] : []),
  ].join(',')
}

const ORIGINAL: Record<string, PictureFormat> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
}

/**
 * The rendition for a request. A format that cannot be written becomes PNG, which is lossless.
 *
 * @param contentType of the object
 * @param accept the `Accept` header, in which browsers name newer formats
 */
export function renditionOf(
  transform: TransformOptions,
  contentType: string,
  accept: string,
): Rendition {
  const { width, height, quality } = transform
  return {
    ...(width && { width }),
    ...(height && { height }),
    fit: fits[transform.resize],
    format: formatOf(transform.format, ORIGINAL[contentType] ?? 'png', accept),
    quality,
  }
}

function formatOf(
  wanted: TransformOptions['format'],
  original: PictureFormat,
  accept: string,
): PictureFormat {
  if (wanted === 'origin') return original
  if (wanted) return wanted
  const taken = accept
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.split(';')[0]?.trim())
  return (['avif', 'webp'] as const).find((format) => taken.includes(`image/${format}`)) ?? original
}

/** A unique name for the rendition, of hexadecimal digits. */
export function renditionName(rendition: Rendition): string {
  const { width = 0, height = 0, fit, format, quality } = rendition
  const text = [width, height, fit, format, quality].join(' ')
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
