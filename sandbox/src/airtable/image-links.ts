import { z } from 'zod'
import { ApiError, notFound } from './api-error.ts'
import { picture } from './picture.ts'
import type { Field } from './schema.ts'

const OwnAttachment = z.looseObject({ url: z.string().startsWith('/') })

/** What is there no more, although it was. */
const ended = () => new ApiError(410, { error: { type: 'GONE' } })

/**
 * Addresses of pictures, which records name by their paths: `/images/{n}.png`. Those in a column of
 * addresses last, those of attachments end when told to, as Airtable's own do after two hours.
 */
export function createImageLinks(origin: () => string) {
  let newest = 1

  function ofAttachment(attachment: unknown): unknown {
    const { success, data } = OwnAttachment.safeParse(attachment)
    return success ? { ...data, url: `${origin()}${data.url}?link=${newest}` } : attachment
  }

  return {
    /** What a cell holds, as a client is to see it. */
    shown(field: Field | undefined, value: unknown): unknown {
      if (field?.kind === 'attachments' && Array.isArray(value)) return value.map(ofAttachment)
      const isOurs = field?.kind === 'url' && typeof value === 'string' && value.startsWith('/')
      return isOurs ? origin() + value : value
    },

    /** The addresses of attachments that were given out until now answer no more. */
    end() {
      newest += 1
    },

    /** @throws ApiError where there is no picture, or no more */
    async find(target: URL): Promise<Buffer> {
      // Those of a demo that was begun earlier still have the other name.
      const [, seed] = /^\/images\/(\d{1,6})\.(?:png|svg)$/.exec(target.pathname) ?? []
      if (seed === undefined) throw notFound()
      const link = target.searchParams.get('link')
      if (link !== null && link !== String(newest)) throw ended()
      return picture(Number(seed))
    },
  }
}
