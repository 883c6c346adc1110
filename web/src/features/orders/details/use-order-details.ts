import { getOrder } from '@bancone/contract/order-details'
import type { OrderRecord } from '@bancone/contract/orders'
import { useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { useWatchedOrders } from '../order-watch.tsx'
import type { OpenedOrder } from '../use-details.ts'
import { AUTO_REFRESH_MS } from '../use-orders.ts'

/** What the list knows of an order is there at once; its details come, and are read again with the pages. */
export function useOrderDetails({ order }: OpenedOrder) {
  const { autoRefresh } = useWatchedOrders()
  const { data, error, dataUpdatedAt, isFetching, refetch } = useEndpoint(
    getOrder,
    { params: { recordId: order.id } },
    { refetchInterval: autoRefresh ? AUTO_REFRESH_MS : false },
  )
  const news = useNewerOf(order, dataUpdatedAt)
  return {
    details: data,
    /** The order, as it is known from whichever was read last. */
    record: data && news === 'details' ? data.order : order,
    error,
    missing: error instanceof ApiError && error.code === 'orders.not_found',
    readAt: dataUpdatedAt,
    reading: isFetching,
    read: () => void refetch(),
  }
}

/** Which of the two has told something last. That an order has been seen is no news of what it is. */
function useNewerOf({ id, fields }: OrderRecord, readAt: number): 'list' | 'details' {
  const [last, setLast] = useState({ id, fields, readAt, newer: 'list' as 'list' | 'details' })
  if (id !== last.id) setLast({ id, fields, readAt, newer: 'list' })
  else if (readAt !== last.readAt) setLast({ id, fields, readAt, newer: 'details' })
  else if (fields !== last.fields) setLast({ id, fields, readAt, newer: 'list' })
  return last.newer
}

export type ReadDetails = ReturnType<typeof useOrderDetails>
