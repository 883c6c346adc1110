import { z } from 'zod'
import { type FilterUrl, searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'

export const MAX_LETTERS = 100

const params = searchParamsFormat(z.object({ page: z.coerce.number().int().min(1).catch(1) }))

export type PharmaciesAddress = ReturnType<typeof params.parse> & { q: string }

/** The words are in the hash, which no server is sent: they may be a person's email address. */
const pharmaciesUrl = {
  parse: ({ search, hash }: FilterUrl): PharmaciesAddress => {
    const q = new URLSearchParams(hash.slice(1)).get('q') ?? ''
    return { ...params.parse({ search }), q: q.slice(0, MAX_LETTERS) }
  },
  format: ({ page, q = '' }: Partial<PharmaciesAddress>): FilterUrl => ({
    ...params.format(page === undefined ? {} : { page }),
    hash: q === '' ? '' : `#q=${encodeURIComponent(q)}`,
  }),
}

/** Page and search text of the list in the URL, and a function to change them. */
export function usePharmaciesAddress() {
  return useUrlFilter<PharmaciesAddress>(pharmaciesUrl)
}
