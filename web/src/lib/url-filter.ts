import { useCallback, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { z } from 'zod/mini'
import { queryString } from './query-string.ts'

/** The parts of a URL that can hold a filter. The hash is never sent to a server. */
export type FilterUrl = { search: string; hash: string }

/** How a filter is read from the URL and written to it. Invalid values count as missing. */
export type UrlFormat<F> = {
  parse: (url: FilterUrl) => F
  format: (filter: F) => FilterUrl
}

/** Changes fields of the filter in the URL. */
export type ChangeFilter<F> = (change: Partial<F>, options?: { replace?: boolean }) => void

/** The value of a search parameter; a list is separated by commas. */
type Param = string | number | readonly string[] | null | undefined

/**
 * The format of a filter with a search parameter for each field. Default values are omitted.
 *
 * @param schema every field has its default value as `catch`
 */
export function searchParamsFormat<S extends z.ZodMiniObject<Record<string, z.ZodMiniType<Param>>>>(
  schema: S,
) {
  const defaults = new Map(Object.entries<Param>(schema.parse({})))
  return {
    parse: ({ search }: Pick<FilterUrl, 'search'>): z.output<S> =>
      schema.parse(Object.fromEntries(new URLSearchParams(search))),
    format(filter: Partial<z.output<S>>): FilterUrl {
      const values = new Map(Object.entries<Param>(filter))
      const search = new URLSearchParams()
      for (const name of Object.keys(schema.shape)) {
        const value = values.get(name) ?? undefined
        if (value !== undefined && value !== defaults.get(name)) search.set(name, String(value))
      }
      return { search: queryString(search), hash: '' }
    },
  }
}

/**
 * The filter in the URL, with an identity that other parameters do not change, and a function to change it, which goes
 * to page 1 unless the change contains a page.
 */
export function useUrlFilter<F extends object>({ parse, format }: UrlFormat<F>) {
  const location = useLocation()
  const { search, hash } = format(parse(location))
  const entry: unknown = location.state
  const navigate = useNavigate()
  const filter = useMemo(() => parse({ search, hash }), [parse, search, hash])
  const change: ChangeFilter<F> = useCallback(
    (changed, { replace = false } = {}) =>
      void navigate(
        // The current URL: before the next render `filter` lacks the last change, which would be lost.
        format({ ...parse(window.location), page: 1, ...changed }),
        // A replaced entry keeps its state, so that an open sheet stays open.
        { replace, state: replace ? entry : null },
      ),
    [parse, format, navigate, entry],
  )
  return [filter, change] as const
}
