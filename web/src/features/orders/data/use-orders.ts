import type { OrdersPage } from '@bancone/contract/orders'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { invalidateOwnPharmacy } from '../../../lib/own-pharmacy.ts'
import { pageOptions } from './freshness.ts'
import {
  evictOldPages,
  invalidateOrderPages,
  isFirstPage,
  PAGE_CACHE_MS,
  pageQueryOptions,
} from './orders-cache.ts'
import type { OrdersListQuery } from './orders-search.ts'

/** A prefetched page is not fetched again within this time. */
const PREFETCH_STALE_TIME_MS = 60_000

/** Prefetches the next page, but not during a search, whose text changes while typing. */
function usePrefetch(query: OrdersListQuery, page: OrdersPage | undefined) {
  const client = useQueryClient()
  const ahead = page?.pagination.hasNextPage === true && query.q === undefined
  useEffect(() => {
    if (!ahead) return
    void client.prefetchQuery({
      ...pageQueryOptions({ ...query, page: query.page + 1 }),
      staleTime: PREFETCH_STALE_TIME_MS,
      gcTime: PAGE_CACHE_MS,
    })
  }, [client, ahead, query])
}

/** A page with the query that it answers. */
export type ShownOrders = { page: OrdersPage; query: OrdersListQuery; updatedAt: number }

/** The page of the query. Until it is loaded, or while it fails, `shown` is the last loaded page with its query. */
export function useOrders(query: OrdersListQuery, autoRefresh: boolean) {
  const client = useQueryClient()
  const result = useQuery({
    // The first page is kept fresh on every page of the application.
    ...pageOptions(autoRefresh, !isFirstPage(query)),
    ...pageQueryOptions(query),
  })
  const { data, error } = result

  // Read from the cache, not kept as a copy, so that changed statuses appear in it.
  const [lastQuery, setLastQuery] = useState(query)
  if (data !== undefined && lastQuery !== query) setLastQuery(query)
  const last = useQuery({ ...pageQueryOptions(lastQuery), enabled: false, gcTime: PAGE_CACHE_MS })

  usePrefetch(query, data)
  useEffect(() => {
    if (data) evictOldPages(client)
  }, [client, data])

  useEffect(() => {
    if (error) void invalidateOwnPharmacy(client)
  }, [client, error])

  const shown: ShownOrders | null = data
    ? { page: data, query, updatedAt: result.dataUpdatedAt }
    : last.data
      ? { page: last.data, query: lastQuery, updatedAt: last.dataUpdatedAt }
      : null
  return {
    page: data,
    shown,
    isPending: result.isPending,
    isFetching: result.isFetching,
    isError: result.isError,
    /** Includes the first page. */
    refetch: () => invalidateOrderPages(client),
  }
}
