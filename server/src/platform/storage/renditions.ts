import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import type { PictureFormat, Rendition } from '../../ports/picture-renderer.ts'

export type RenderedFilesStore = ReturnType<typeof createRenderedFilesStore>

/** Reads which renditions exist. The files themselves are written and removed by `StoredFiles`. */
export function createRenderedFilesStore(db: Database) {
  return {
    /** At most `limit` renditions of a file, in random order, after the first `skip`. */
    async ofFile(fileKey: string, { skip = 0, limit }: { skip?: number; limit: number }) {
      const rows = await db
        .selectFrom('stored_files')
        .select('key')
        .where('drawn_from', '=', fileKey)
        // Random, so that a caller who requests very many renditions cannot choose which of them stay.
        .orderBy(sql`random()`)
        .offset(skip)
        .limit(limit)
        .execute()
      return rows.map((row) => row.key)
    },

    /** The same for the objects of a folder, in all buckets. */
    async ofFolder(folder: string, { skip, limit }: { skip: number; limit: number }) {
      const rows = await db
        .selectFrom('storage_objects as object')
        .innerJoin('stored_files as file', 'file.drawn_from', 'object.file_key')
        .select('file.key')
        .where('object.folder', '=', folder)
        .orderBy(sql`random()`)
        .offset(skip)
        .limit(limit)
        .execute()
      return rows.map((row) => row.key)
    },

    /** At most `limit` renditions of the objects in a bucket. */
    async ofBucket(bucket: string, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('stored_files as file')
        .innerJoin('storage_objects as object', 'object.file_key', 'file.drawn_from')
        .select('file.key')
        .where('object.bucket_id', '=', bucket)
        .limit(limit)
        .execute()
      return rows.map((row) => row.key)
    },
  }
}

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
