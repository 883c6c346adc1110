import { type OrdersSought, SearchText } from '@bancone/contract/order-search'
import { OrdersQuery } from '@bancone/contract/orders'
import { DEFAULT_PAGE_SIZE } from '@bancone/contract/paging'
import { useCallback, useEffect, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'
import { queryText } from '../../lib/query-text.ts'

/** What the list is asked for: a page, which orders, and the words that must be in them. */
export type OrdersAsked = OrdersQuery & { q?: string | undefined }

/** All that says which orders, but for the page and the sorting; and where nothing is said of any of it. */
export const NO_FILTER = {
  q: undefined,
  stato: undefined,
  periodo: undefined,
  dal: undefined,
  al: undefined,
} as const satisfies OrdersSought

const parts = OrdersQuery.shape

/** What is not valid in the address counts as not said. */
const Address = z.object({
  page: parts.page.catch(1),
  pageSize: parts.pageSize.catch(DEFAULT_PAGE_SIZE),
  stato: parts.stato.catch(undefined),
  periodo: parts.periodo.catch(undefined),
  dal: parts.dal.catch(undefined),
  al: parts.al.catch(undefined),
  ordina: parts.ordina.catch(undefined),
  q: SearchText.optional().catch(undefined),
})

/** An address: its query, and the fragment, which no server is ever sent. The words stand there. */
export type OrdersAddress = { search: string; hash: string }

export function parseOrdersAddress({ search, hash }: OrdersAddress): OrdersAsked {
  const asked = Address.parse({
    ...Object.fromEntries(new URLSearchParams(search)),
    q: new URLSearchParams(hash.slice(1)).get('q') ?? undefined,
  })
  const backwards = asked.dal !== undefined && asked.al !== undefined && asked.dal > asked.al
  const days = asked.dal !== undefined || asked.al !== undefined
  return {
    ...asked,
    ...(backwards ? { dal: undefined, al: undefined } : {}),
    // The days count where both are given.
    ...(days && !backwards ? { periodo: undefined } : {}),
    ...(asked.ordina === 'recenti' ? { ordina: undefined } : {}),
  }
}

/** Defaults are not written. */
export function formatOrdersAddress(asked: OrdersAsked): OrdersAddress {
  const search = new URLSearchParams()
  if (asked.page !== 1) search.set('page', String(asked.page))
  if (asked.pageSize !== DEFAULT_PAGE_SIZE) search.set('pageSize', String(asked.pageSize))
  if (asked.stato !== undefined) search.set('stato', asked.stato.join(','))
  for (const name of ['periodo', 'dal', 'al', 'ordina'] as const) {
    const value = asked[name]
    if (value !== undefined) search.set(name, value)
  }
  return {
    search: queryText(search),
    hash: asked.q === undefined ? '' : `#q=${encodeURIComponent(asked.q)}`,
  }
}

/** The part that says which orders, as calls about all of them take it. */
export function soughtOf({ q, stato, periodo, dal, al }: OrdersAsked): OrdersSought {
  return { q, stato, periodo, dal, al }
}

/** Not all orders are asked for. */
export function isFiltered(asked: OrdersAsked): boolean {
  return Object.values(soughtOf(asked)).some((value) => value !== undefined)
}

/** Words or days are asked for, of which no counts are kept. */
export function isNarrowed(asked: OrdersAsked): boolean {
  return isFiltered({ ...asked, stato: undefined })
}

export type Go = (change: Partial<OrdersAsked>, options?: { replace?: boolean }) => void

/** What the address bar asks for, the same object while it is the same, and how to ask for something else. */
export function useOrdersSearch() {
  const location = useLocation()
  const { search, hash } = location
  const entry: unknown = location.state
  const navigate = useNavigate()
  const query = useMemo(() => parseOrdersAddress({ search, hash }), [search, hash])
  /** From page 1 unless the change names one; with a history entry unless it replaces the last. */
  const go: Go = useCallback(
    (change, { replace = false } = {}) =>
      void navigate(formatOrdersAddress({ ...query, page: 1, ...change }), {
        replace,
        // In the place of an entry, what is open on it stays open.
        state: replace ? entry : null,
      }),
    [query, navigate, entry],
  )
  return { query, go }
}

/** Leads from a page that does not exist (an old link, or orders that have gone) to the last one. */
export function useExistingPage(asked: number, totalPages: number | null, go: Go) {
  const last = totalPages === null ? null : Math.max(1, totalPages)
  useEffect(() => {
    if (last !== null && asked > last) go({ page: last }, { replace: true })
  }, [asked, last, go])
}
