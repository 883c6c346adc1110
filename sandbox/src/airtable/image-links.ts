import { z } from 'zod'
import { ApiError, notFound } from './api-error.ts'
import { picture } from './picture.ts'
import type { Field } from './schema.ts'

const OwnAttachment = z.looseObject({ url: z.string().startsWith('/') })

/** The error of an expired URL. */
const ended = () => new ApiError(410, { error: { type: 'GONE' } })

/**
 * URLs of pictures, which records name by path: `/images/{n}.png`. Those in URL columns last; attachment URLs
 * expire on request, as Airtable's do after two hours.
 */
export function createImageLinks(origin: () => string) {
  let newest = 1

  function ofAttachment(attachment: unknown): unknown {
    const { success, data } = OwnAttachment.safeParse(attachment)
    return success ? { ...data, url: `${origin()}${data.url}?link=${newest}` } : attachment
  }

  return {
    /** A cell's value in a client's format. */
    shown(field: Field | undefined, value: unknown): unknown {
      if (field?.kind === 'attachments' && Array.isArray(value)) return value.map(ofAttachment)
      const isOurs = field?.kind === 'url' && typeof value === 'string' && value.startsWith('/')
      return isOurs ? origin() + value : value
    },

    /** Expires the attachment URLs issued so far. */
    end() {
      newest += 1
    },

    /** @throws ApiError for an unknown picture or an expired URL */
    async find(target: URL): Promise<Buffer> {
      const [, seed] = /^\/images\/(\d{1,6})\.png$/.exec(target.pathname) ?? []
      if (seed === undefined) throw notFound()
      const link = target.searchParams.get('link')
      if (link !== null && link !== String(newest)) throw ended()
      return picture(Number(seed))
    },
  }
}
