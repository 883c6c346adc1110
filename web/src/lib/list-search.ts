import { searchable } from './searchable.ts'
import type { FilterUrl } from './url-filter.ts'

/** Letters of the search text of a list. */
export const MAX_LETTERS = 100

/**
 * The format of a filter with a search text besides the parameters. The text is in the hash, which no server is sent: it may be
 * a person's name or email address.
 */
export function withTextInHash<F extends object>(params: {
  parse: (url: Pick<FilterUrl, 'search'>) => F
  format: (filter: Partial<F>) => FilterUrl
}) {
  return {
    parse: ({ search, hash }: FilterUrl): F & { q: string } => {
      const q = new URLSearchParams(hash.slice(1)).get('q') ?? ''
      return { ...params.parse({ search }), q: q.slice(0, MAX_LETTERS) }
    },
    format: (filter: Partial<F> & { q?: string }): FilterUrl => ({
      ...params.format(filter),
      hash: filter.q ? `#q=${encodeURIComponent(filter.q)}` : '',
    }),
  }
}

/** Whether one of the texts contains the search text, which may have spaces around it. */
export function containsText(texts: readonly (string | null)[], q: string): boolean {
  const wanted = searchable(q.trim())
  return texts.some((text) => searchable(text ?? '').includes(wanted))
}
