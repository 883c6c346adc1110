import {
  listOrders,
  type OrderRecord,
  type OrdersPage,
  type OrdersQuery,
  type Unseen,
} from '@bancone/contract/orders'
import { DEFAULT_PAGE_SIZE } from '@bancone/contract/paging'
import type { QueryClient } from '@tanstack/react-query'
import { endpointKey } from '../../lib/endpoint-query.ts'

export const PAGE_CACHE_MS = 2 * 60_000
const MAX_PAGES = 20

/** What the dashboard shows first, and what is watched on every page. */
export const FIRST_PAGE: OrdersQuery = { page: 1, pageSize: DEFAULT_PAGE_SIZE }

/** The cache keys of all pages of orders. */
export const allOrderPages = endpointKey(listOrders)

export function isFirstPage({ page, pageSize, stato }: OrdersQuery): boolean {
  return page === FIRST_PAGE.page && pageSize === FIRST_PAGE.pageSize && stato === undefined
}

/** Lets the oldest pages nobody looks at go, so that at most twenty are kept. */
export function trimOrderPages(client: QueryClient) {
  const cache = client.getQueryCache()
  const kept = cache.findAll({ queryKey: allOrderPages })
  const idle = kept
    .filter((query) => query.getObserversCount() === 0 && query.state.fetchStatus === 'idle')
    .sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt)
  for (const query of idle.slice(0, Math.max(0, kept.length - MAX_PAGES))) cache.remove(query)
}

/** Reads every page that somebody looks at again; the others when they are next looked at. */
export function readOrderPages(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: allOrderPages })
}

/** Puts what the server has just answered into the pages. A reading that began before is asked for anew. */
async function changePages(client: QueryClient, change: (page: OrdersPage) => OrdersPage) {
  const reading = client.isFetching({ queryKey: allOrderPages }) > 0
  await client.cancelQueries({ queryKey: allOrderPages })
  for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: allOrderPages })) {
    const page = client.getQueryData<OrdersPage>(queryKey)
    const changed = page && change(page)
    // It was not read now: it stays as old as it is.
    if (changed !== page) client.setQueryData(queryKey, changed, { updatedAt: state.dataUpdatedAt })
  }
  if (reading) void readOrderPages(client)
}

/** Puts the order as the server now has it into every page that shows it. */
export async function putOrder(client: QueryClient, order: OrderRecord) {
  await changePages(client, (page) => {
    const unseen = order.seen ? without(page.unseen, order.id) : page.unseen
    const shown = page.records.some(({ id }) => id === order.id)
    if (!shown && unseen === page.unseen) return page
    const records = page.records.map((old) => (old.id === order.id ? order : old))
    return { ...page, records, unseen }
  })
}

/** Puts into every page that these orders have been seen. @param unseen what is left, as the server says */
export async function putSeen(client: QueryClient, ids: readonly string[], unseen: Unseen) {
  const seen = new Set(ids)
  await changePages(client, (page) => ({
    ...page,
    records: page.records.map((order) => (seen.has(order.id) ? { ...order, seen: true } : order)),
    unseen,
  }))
}

function without(unseen: Unseen, id: string): Unseen {
  if (!unseen.recordIds.includes(id)) return unseen
  const recordIds = unseen.recordIds.filter((other) => other !== id)
  return { count: unseen.count - 1, recordIds }
}
