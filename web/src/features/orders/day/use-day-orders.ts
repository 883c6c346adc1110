import { addDays } from '@bancone/contract/dates'
import type { Request } from '@bancone/contract/endpoint'
import { listOrders, type OrdersPage, type OrdersQuery } from '@bancone/contract/orders'
import { MAX_PAGE_SIZE } from '@bancone/contract/paging'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { endpointKey } from '../../../lib/endpoint-query.ts'
import { PAGE_CACHE_MS } from '../orders-cache.ts'

type Asked = Omit<Request<typeof listOrders>['query'], 'page' | 'pageSize'>

/** All pages of a query in one. What came in while they were read may stand on two of them. */
async function readAll(asked: Asked, signal: AbortSignal): Promise<OrdersPage> {
  const records = new Map<string, OrdersPage['records'][number]>()
  for (let page = 1; ; page += 1) {
    const query = { ...asked, page, pageSize: MAX_PAGE_SIZE }
    const read = await call(listOrders, { query }, { signal })
    for (const order of read.records) records.set(order.id, order)
    if (!read.pagination.hasNextPage) return { ...read, records: [...records.values()] }
  }
}

/** Kept among the pages of orders, so that news of an order and a changed status reach it as well. */
function useWhole(asked: Asked) {
  return useQuery({
    queryKey: [...endpointKey(listOrders), { whole: asked }],
    queryFn: ({ signal }) => readAll(asked, signal),
    gcTime: PAGE_CACHE_MS,
  })
}

/** The orders of a day, oldest first, and those of the day before that were booked for it. */
export function useDayOrders(day: string) {
  const before = addDays(day, -1)
  const booked: OrdersQuery['stato'] = ['Prenotato Domani']
  const made = useWhole({ dal: day, al: day, ordina: 'meno-recenti' })
  const due = useWhole({ dal: before, al: before, stato: booked, ordina: 'meno-recenti' })
  const both = [made, due]
  return {
    orders: made.data && due.data ? { made: made.data.records, due: due.data.records } : null,
    error: made.error ?? due.error,
    isFetching: both.some(({ isFetching }) => isFetching),
    read: () => void Promise.all(both.map(({ refetch }) => refetch())),
  }
}
