import { getOrder } from '@bancone/contract/order-details'
import type { OrderFields } from '@bancone/contract/orders'
import type { QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasCode } from '../../../lib/api.ts'
import { endpointQueryOptions, useEndpoint } from '../../../lib/endpoint-query.ts'
import { pollInterval } from '../data/freshness.ts'
import { useLiveOrders } from '../data/live-orders.tsx'
import { PRESS_MS } from '../data/orders-cache.ts'
import type { OpenedOrder } from '../data/use-details.ts'

/**
 * The order from the list is available at once; its details are fetched, and refetched with the pages. An order opened
 * by its address is in the details only.
 */
export function useOrderDetails({ id, order }: OpenedOrder) {
  const { autoRefresh } = useLiveOrders()
  const { data, error, dataUpdatedAt, isFetching, refetch } = useEndpoint(
    getOrder,
    { params: { recordId: id } },
    { refetchInterval: pollInterval(autoRefresh), staleTime: PRESS_MS },
  )
  const newer = useNewerOf(id, order?.fields, dataUpdatedAt)
  return {
    details: data,
    /** The order from the more recent of the two sources. */
    record: data && newer === 'details' ? data.order : (order ?? data?.order ?? null),
    error,
    missing: hasCode(error, 'orders.not_found'),
    dataUpdatedAt,
    isFetching,
    refetch: () => void refetch(),
  }
}

/** Asks for the details of an order that is about to be opened. */
export function prefetchOrder(client: QueryClient, recordId: string) {
  const order = endpointQueryOptions(getOrder, { params: { recordId } })
  void client.prefetchQuery({ ...order, staleTime: PRESS_MS })
}

/** Which source has changed last. A change of `seen` alone does not count. */
function useNewerOf(
  id: string,
  fields: OrderFields | undefined,
  dataUpdatedAt: number,
): 'list' | 'details' {
  const [last, setLast] = useState({
    id,
    fields,
    dataUpdatedAt,
    newer: 'list' as 'list' | 'details',
  })
  if (id !== last.id) setLast({ id, fields, dataUpdatedAt, newer: 'list' })
  else if (dataUpdatedAt !== last.dataUpdatedAt)
    setLast({ id, fields, dataUpdatedAt, newer: 'details' })
  else if (fields !== last.fields) setLast({ id, fields, dataUpdatedAt, newer: 'list' })
  return last.newer
}

export type OrderDetailsResult = ReturnType<typeof useOrderDetails>
