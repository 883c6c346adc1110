import { z } from 'zod'
import { Refusal } from './refusal.ts'

const Side = z.coerce.number().int().min(1).max(8_000)

/** The supported transformation parameters; Cloudinary has more. */
const Transformation = z.object({
  w: Side.optional(),
  h: Side.optional(),
  c: z.enum(['pad', 'limit', 'fit', 'fill', 'scale']).optional(),
  b: z.enum(['white', 'black', 'transparent']).optional(),
  q: z.union([z.literal('auto'), z.coerce.number().int().min(1).max(100)]).optional(),
  f: z.enum(['auto', 'avif', 'webp', 'jpg', 'png']).optional(),
})
export type Transformation = z.output<typeof Transformation>

/** Such as `w_300,c_limit`. */
const COMPONENT = /^[a-z]{1,3}_[^/]*$/

export type ImageRequest = {
  transformation: Transformation
  /** The public id, including folders. */
  name: string
  /** The file extension in the URL. */
  extension: string | undefined
}

/**
 * Parses the part after `/image/upload/`: transformations, a version and the public id. The version has no
 * effect, except that it ends the transformations.
 *
 * @throws Refusal
 */
export function parsePath(path: string): ImageRequest {
  const parts = path.split('/').map(decoded)
  const given: Record<string, string> = {}
  while (parts.length > 1 && COMPONENT.test(parts[0] ?? '')) {
    for (const part of (parts.shift() ?? '').split(',')) {
      const cut = part.indexOf('_')
      const name = part.slice(0, cut)
      if (cut < 1 || !(name in Transformation.shape)) {
        throw new Refusal(400, `Invalid transformation component - ${part}`)
      }
      given[name] = part.slice(cut + 1)
    }
  }
  const read = Transformation.safeParse(given)
  if (!read.success) {
    const wrong = String(read.error.issues[0]?.path[0])
    throw new Refusal(400, `Invalid value ${given[wrong]} in transformation - ${wrong}`)
  }
  if (parts.length > 1 && /^v\d+$/.test(parts[0] ?? '')) parts.shift()
  const [, name = '', extension] = /^(.+?)(?:\.([a-z]{3,4}))?$/.exec(parts.join('/')) ?? []
  return { transformation: read.data, name, extension }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Refusal(400, 'Invalid URL encoding')
  }
}
