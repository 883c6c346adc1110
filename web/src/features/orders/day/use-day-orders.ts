import { addDays } from '@bancone/contract/dates'
import type { Request } from '@bancone/contract/endpoint'
import { listOrders, type OrdersPage, type OrdersQuery } from '@bancone/contract/orders'
import { MAX_PAGE_SIZE } from '@bancone/contract/paging'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { endpointKey } from '../../../lib/endpoint-query.ts'
import { PAGE_CACHE_MS } from '../orders-cache.ts'

const WAITING: OrdersQuery['stato'] = ['In attesa']

type DayQuery = Omit<Request<typeof listOrders>['query'], 'page' | 'pageSize'>

/** All pages of a query as one. An order may appear on two pages when new ones arrive while they are fetched. */
async function fetchAllPages(dayQuery: DayQuery, signal: AbortSignal): Promise<OrdersPage> {
  const records = new Map<string, OrdersPage['records'][number]>()
  for (let page = 1; ; page += 1) {
    const query = { ...dayQuery, page, pageSize: MAX_PAGE_SIZE }
    const response = await call(listOrders, { query }, { signal })
    for (const order of response.records) records.set(order.id, order)
    if (!response.pagination.hasNextPage) return { ...response, records: [...records.values()] }
  }
}

/** The query key starts like those of order pages, so that invalidation and changed statuses affect it too. */
function useAllPages(dayQuery: DayQuery) {
  return useQuery({
    queryKey: [...endpointKey(listOrders), { whole: dayQuery }],
    queryFn: ({ signal }) => fetchAllPages(dayQuery, signal),
    gcTime: PAGE_CACHE_MS,
  })
}

/**
 * The orders of a day, oldest first, those of the day before that were booked for it, and for today the newest ones of
 * the days before that still wait.
 */
export function useDayOrders(day: string, today: string) {
  const before = addDays(day, -1)
  const booked: OrdersQuery['stato'] = ['Prenotato Domani']
  const made = useAllPages({ dal: day, al: day, ordina: 'meno-recenti' })
  const due = useAllPages({ dal: before, al: before, stato: booked, ordina: 'meno-recenti' })
  const isToday = day === today
  const request = { query: { al: before, stato: WAITING, page: 1, pageSize: MAX_PAGE_SIZE } }
  const waiting = useQuery({
    queryKey: endpointKey(listOrders, request),
    queryFn: ({ signal }) => call(listOrders, request, { signal }),
    gcTime: PAGE_CACHE_MS,
    enabled: isToday,
  })
  const all = isToday ? [made, due, waiting] : [made, due]
  return {
    data:
      made.data && due.data && (waiting.data || !isToday)
        ? {
            made: made.data.records,
            due: due.data.records,
            waiting: isToday ? (waiting.data?.records ?? []) : [],
            waitingCount: waiting.data?.pagination.totalRecords ?? 0,
          }
        : undefined,
    error: made.error ?? due.error ?? (isToday ? waiting.error : null),
    isFetching: all.some(({ isFetching }) => isFetching),
    refetch: () => void Promise.all(all.map(({ refetch }) => refetch())),
  }
}
