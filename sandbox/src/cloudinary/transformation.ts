import { z } from 'zod'
import { Refusal } from './refusal.ts'

const Side = z.coerce.number().int().min(1).max(8_000)

/** The parts of an address that say how a picture is drawn, of which there are more at Cloudinary. */
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

export type Asked = {
  transformation: Transformation
  /** The public id, folders and all. */
  name: string
  /** After the last dot of the address. */
  ending: string | undefined
}

/**
 * What comes after `/image/upload/`: transformations, a version and the name. The version says nothing
 * here; that there is one ends the transformations.
 *
 * @throws Refusal
 */
export function readAddress(path: string): Asked {
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
  const [, name = '', ending] = /^(.+?)(?:\.([a-z]{3,4}))?$/.exec(parts.join('/')) ?? []
  return { transformation: read.data, name, ending }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new Refusal(400, 'Invalid URL encoding')
  }
}
