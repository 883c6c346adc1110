import type { OrdersPage } from '@bancone/contract/orders'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { doubtOwnPharmacy } from '../../lib/own-pharmacy.ts'
import {
  isFirstPage,
  PAGE_CACHE_MS,
  pageQuery,
  readOrderPages,
  trimOrderPages,
} from './orders-cache.ts'
import type { OrdersAsked } from './orders-search.ts'

export const AUTO_REFRESH_MS = 60_000
/** Turning back to a page within this time shows it without asking again. */
const FRESH_MS = 10_000
/** A next page already at hand is not fetched again before it is this old. */
const PREFETCH_AGAIN_MS = 60_000

/** How a page of orders is kept. @param autoRefresh it may change by itself */
export function pageOptions(autoRefresh: boolean) {
  const returns = autoRefresh ? ('always' as const) : false
  return {
    staleTime: FRESH_MS,
    gcTime: PAGE_CACHE_MS,
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: returns,
    refetchOnReconnect: returns,
  }
}

/** The page after the one that is there is fetched ahead, but for one of many searches as they are typed. */
function usePrefetch(query: OrdersAsked, page: OrdersPage | undefined) {
  const client = useQueryClient()
  const ahead = page?.pagination.hasNextPage === true && query.q === undefined
  useEffect(() => {
    if (!ahead) return
    void client.prefetchQuery({
      ...pageQuery({ ...query, page: query.page + 1 }),
      staleTime: PREFETCH_AGAIN_MS,
      gcTime: PAGE_CACHE_MS,
    })
  }, [client, ahead, query])
}

/** A page of orders, and what was asked for to get it. */
export type ShownOrders = { page: OrdersPage; query: OrdersAsked; updatedAt: number }

/**
 * The page of orders the query asks for. Until it is there, and for as long as it cannot be had,
 * `shown` is the last one that could, with the query it answers.
 */
export function useOrders(query: OrdersAsked, autoRefresh: boolean) {
  const client = useQueryClient()
  const asked = useQuery({
    ...pageOptions(autoRefresh),
    ...pageQuery(query),
    // The first page is watched: who watches it reads it.
    refetchInterval: autoRefresh && !isFirstPage(query) ? AUTO_REFRESH_MS : false,
  })
  const { data, error } = asked

  // Kept through the cache rather than as a copy, so that a changed status shows on it as well.
  const [lastQuery, setLastQuery] = useState(query)
  if (data !== undefined && lastQuery !== query) setLastQuery(query)
  const last = useQuery({ ...pageQuery(lastQuery), enabled: false, gcTime: PAGE_CACHE_MS })

  usePrefetch(query, data)
  useEffect(() => {
    if (data) trimOrderPages(client)
  }, [client, data])

  useEffect(() => {
    if (error) void doubtOwnPharmacy(client)
  }, [client, error])

  const shown: ShownOrders | null = data
    ? { page: data, query, updatedAt: asked.dataUpdatedAt }
    : last.data
      ? { page: last.data, query: lastQuery, updatedAt: last.dataUpdatedAt }
      : null
  return {
    page: data,
    shown,
    isPending: asked.isPending,
    isFetching: asked.isFetching,
    isError: asked.isError,
    /** With the first page, which is watched. */
    read: () => void readOrderPages(client),
  }
}
