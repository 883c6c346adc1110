import type { OrderDetails } from '@bancone/contract/order-details'
import { countOrders, searchOrders } from '@bancone/contract/order-search'
import {
  listOrders,
  type OrderRecord,
  type OrdersPage,
  type UnseenOrders,
} from '@bancone/contract/orders'
import { DEFAULT_PAGE_SIZE } from '@bancone/contract/paging'
import type { Query, QueryClient } from '@tanstack/react-query'
import { endpointKey, endpointQueryOptions } from '../../../lib/endpoint-query.ts'
import { isFiltered, type OrdersListQuery } from './orders-search.ts'

export const PAGE_CACHE_MS = 2 * 60_000
/** What was asked for when a pointer went down is not asked for again by the click. */
export const PRESS_MS = 2_000
const MAX_PAGES = 20

/** The first page of the dashboard, which is kept up to date on every page. */
export const FIRST_PAGE = { page: 1, pageSize: DEFAULT_PAGE_SIZE } satisfies OrdersListQuery

/** The query of a page. A search is sent in a body, so that its text is not in the URL or in logs. */
export function pageQueryOptions({ q, ...query }: OrdersListQuery) {
  return q === undefined
    ? endpointQueryOptions(listOrders, { query })
    : endpointQueryOptions(searchOrders, { body: { ...query, q } })
}

const isQueryOf = (endpoint: Parameters<typeof endpointKey>[0]) => {
  const [area, call] = endpointKey(endpoint)
  return ({ queryKey }: Pick<Query, 'queryKey'>) => queryKey[0] === area && queryKey[1] === call
}
const isList = isQueryOf(listOrders)
const isSearch = isQueryOf(searchOrders)
const isCount = isQueryOf(countOrders)

/** Query filter for all order pages, listed or searched. */
export const orderPagesFilter = {
  predicate: (query: Pick<Query, 'queryKey'>) => isList(query) || isSearch(query),
}
/** Query key prefix of all order details. A literal, because the endpoint's declaration is loaded after the page. */
export const orderDetailsKey = ['pharmacy', 'GET /api/orders/:recordId']

const pagesAndCountsFilter = {
  predicate: (query: Pick<Query, 'queryKey'>) =>
    orderPagesFilter.predicate(query) || isCount(query),
}

export function isFirstPage(query: OrdersListQuery): boolean {
  const { page, pageSize, ordina } = query
  const plain = ordina === undefined && !isFiltered(query)
  return page === FIRST_PAGE.page && pageSize === FIRST_PAGE.pageSize && plain
}

/** Removes the oldest inactive pages beyond the maximum. */
export function evictOldPages(client: QueryClient) {
  const cache = client.getQueryCache()
  const cached = cache.findAll(orderPagesFilter)
  const idle = cached
    .filter((query) => query.getObserversCount() === 0 && query.state.fetchStatus === 'idle')
    .sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt)
  for (const query of idle.slice(0, Math.max(0, cached.length - MAX_PAGES))) cache.remove(query)
}

/**
 * Invalidates all pages, counts and details: active queries are refetched at once, the others when they are used
 * next.
 *
 * @param except hash of a query that has just been updated
 */
export async function invalidateOrderPages(client: QueryClient, except?: string): Promise<void> {
  const details = client.invalidateQueries({ queryKey: orderDetailsKey })
  await client.invalidateQueries({
    predicate: (query) => pagesAndCountsFilter.predicate(query) && query.queryHash !== except,
  })
  await details
}

/** Updates the cached pages with a mutation's response. Queries that were under way are cancelled and refetched. */
async function updateCachedPages(client: QueryClient, change: (page: OrdersPage) => OrdersPage) {
  const wasFetching = client.isFetching(orderPagesFilter) > 0
  await client.cancelQueries(orderPagesFilter)
  for (const { queryKey, state } of client.getQueryCache().findAll(orderPagesFilter)) {
    const page = client.getQueryData<OrdersPage>(queryKey)
    const changed = page && change(page)
    // The data stays as old as it was: it was not fetched now.
    if (changed !== page) client.setQueryData(queryKey, changed, { updatedAt: state.dataUpdatedAt })
  }
  if (wasFetching) void invalidateOrderPages(client)
}

/** Updates an order in all cached pages and details. */
export async function setCachedOrder(client: QueryClient, order: OrderRecord) {
  client.setQueriesData<OrderDetails>({ queryKey: orderDetailsKey }, (details) =>
    details?.order.id === order.id ? { ...details, order } : details,
  )
  await updateCachedPages(client, (page) => {
    const unseen = order.seen ? without(page.unseen, order.id) : page.unseen
    const shown = page.records.some(({ id }) => id === order.id)
    if (!shown && unseen === page.unseen) return page
    const records = page.records.map((old) => (old.id === order.id ? order : old))
    return { ...page, records, unseen }
  })
}

/** Updates the statuses of orders in all cached pages. */
export async function setCachedStatuses(
  client: QueryClient,
  statuses: ReadonlyMap<string, string>,
) {
  await updateCachedPages(client, (page) => {
    const records = page.records.map((order) => withStatus(order, statuses.get(order.id)))
    return records.every((order, index) => order === page.records[index])
      ? page
      : { ...page, records }
  })
}

function withStatus(order: OrderRecord, Stato = order.fields.Stato): OrderRecord {
  return Stato === order.fields.Stato ? order : { ...order, fields: { ...order.fields, Stato } }
}

/** Marks orders as seen in all cached pages. @param unseen the remaining ones, from the server */
export async function setCachedSeen(
  client: QueryClient,
  ids: readonly string[],
  unseen: UnseenOrders,
) {
  const seen = new Set(ids)
  await updateCachedPages(client, (page) => ({
    ...page,
    records: page.records.map((order) => (seen.has(order.id) ? { ...order, seen: true } : order)),
    unseen,
  }))
}

function without(unseen: UnseenOrders, id: string): UnseenOrders {
  if (!unseen.recordIds.includes(id)) return unseen
  const recordIds = unseen.recordIds.filter((other) => other !== id)
  return { count: unseen.count - 1, recordIds }
}
