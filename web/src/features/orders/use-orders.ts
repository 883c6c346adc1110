import { listOrders, type OrdersQuery } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { endpointQuery, useEndpoint } from '../../lib/endpoint-query.ts'
import { doubtOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { isFirstPage, PAGE_CACHE_MS, readOrderPages, trimOrderPages } from './orders-cache.ts'

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

/**
 * The page of orders the query asks for. Until it is there, and for as long as it cannot be had,
 * `shown` is the last one that could, with the query it answers.
 */
export function useOrders(query: OrdersQuery, autoRefresh: boolean) {
  const client = useQueryClient()
  const asked = useEndpoint(
    listOrders,
    { query },
    {
      ...pageOptions(autoRefresh),
      // The first page is watched: who watches it reads it.
      refetchInterval: autoRefresh && !isFirstPage(query) ? AUTO_REFRESH_MS : false,
    },
  )
  const { data, error } = asked

  // Kept through the cache rather than as a copy, so that a changed status shows on it as well.
  const [lastQuery, setLastQuery] = useState(query)
  if (data !== undefined && lastQuery !== query) setLastQuery(query)
  const last = useEndpoint(
    listOrders,
    { query: lastQuery },
    { enabled: false, gcTime: PAGE_CACHE_MS },
  )

  const next = data?.pagination.hasNextPage ? query.page + 1 : null
  const { pageSize, stato } = query
  useEffect(() => {
    if (next === null) return
    void client.prefetchQuery({
      ...endpointQuery(listOrders, { query: { page: next, pageSize, stato } }),
      staleTime: PREFETCH_AGAIN_MS,
      gcTime: PAGE_CACHE_MS,
    })
  }, [client, next, pageSize, stato])

  useEffect(() => {
    if (data) trimOrderPages(client)
  }, [client, data])

  useEffect(() => {
    if (error) void doubtOwnPharmacy(client)
  }, [client, error])

  return {
    page: data,
    shown: data
      ? { page: data, query, updatedAt: asked.dataUpdatedAt }
      : last.data
        ? { page: last.data, query: lastQuery, updatedAt: last.dataUpdatedAt }
        : null,
    isPending: asked.isPending,
    isFetching: asked.isFetching,
    isError: asked.isError,
    /** With the first page, which is watched. */
    read: () => void readOrderPages(client),
  }
}
