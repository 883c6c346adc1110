import { listOrders, type OrdersQuery } from '@bancone/contract/orders'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { endpointQuery, useEndpoint } from '../../lib/endpoint-query.ts'
import { doubtOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { PAGE_CACHE_MS, trimOrderPages } from './orders-cache.ts'

const AUTO_REFRESH_MS = 60_000
/** Turning back to a page within this time shows it without asking again. */
const FRESH_MS = 10_000
/** A next page already at hand is not fetched again before it is this old. */
const PREFETCH_AGAIN_MS = 60_000

/** The page of orders the query asks for: kept on screen while it is read again, and while the next loads. */
export function useOrders(query: OrdersQuery, autoRefresh: boolean) {
  const client = useQueryClient()
  const orders = useEndpoint(
    listOrders,
    { query },
    {
      placeholderData: keepPreviousData,
      staleTime: FRESH_MS,
      gcTime: PAGE_CACHE_MS,
      refetchInterval: autoRefresh ? AUTO_REFRESH_MS : false,
      refetchIntervalInBackground: true,
      refetchOnWindowFocus: 'always',
    },
  )
  const { data, error, isPlaceholderData } = orders

  const next = !isPlaceholderData && data?.pagination.hasNextPage ? query.page + 1 : null
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

  return orders
}
