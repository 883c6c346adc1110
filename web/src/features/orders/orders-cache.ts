import type { OrderDetails } from '@bancone/contract/order-details'
import { countOrders, searchOrders } from '@bancone/contract/order-search'
import {
  listOrders,
  type OrderRecord,
  type OrdersPage,
  type Unseen,
} from '@bancone/contract/orders'
import { DEFAULT_PAGE_SIZE } from '@bancone/contract/paging'
import type { Query, QueryClient } from '@tanstack/react-query'
import { endpointKey, endpointQuery } from '../../lib/endpoint-query.ts'
import { isFiltered, type OrdersAsked } from './orders-search.ts'

export const PAGE_CACHE_MS = 2 * 60_000
const MAX_PAGES = 20

/** What the dashboard shows first, and what is watched on every page. */
export const FIRST_PAGE = { page: 1, pageSize: DEFAULT_PAGE_SIZE } satisfies OrdersAsked

/** The call for a page: with words it has a body, where nobody writes them down on the way. */
export function pageQuery({ q, ...query }: OrdersAsked) {
  return q === undefined
    ? endpointQuery(listOrders, { query })
    : endpointQuery(searchOrders, { body: { ...query, q } })
}

const starts = (endpoint: Parameters<typeof endpointKey>[0]) => {
  const [area, call] = endpointKey(endpoint)
  return ({ queryKey }: Pick<Query, 'queryKey'>) => queryKey[0] === area && queryKey[1] === call
}
const isList = starts(listOrders)
const isSearch = starts(searchOrders)
const isCount = starts(countOrders)

/** The pages of orders in the cache, listed or found. */
export const allOrderPages = {
  predicate: (query: Pick<Query, 'queryKey'>) => isList(query) || isSearch(query),
}
/** The keys of all details of orders, spelt out: what declares that endpoint comes after the page. */
export const allOrderDetails = ['pharmacy', 'GET /api/orders/:recordId']

const pagesAndCounts = {
  predicate: (query: Pick<Query, 'queryKey'>) => allOrderPages.predicate(query) || isCount(query),
}

export function isFirstPage(asked: OrdersAsked): boolean {
  const { page, pageSize, ordina } = asked
  const plain = ordina === undefined && !isFiltered(asked)
  return page === FIRST_PAGE.page && pageSize === FIRST_PAGE.pageSize && plain
}

/** Lets the oldest pages nobody looks at go, so that at most twenty are kept. */
export function trimOrderPages(client: QueryClient) {
  const cache = client.getQueryCache()
  const kept = cache.findAll(allOrderPages)
  const idle = kept
    .filter((query) => query.getObserversCount() === 0 && query.state.fetchStatus === 'idle')
    .sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt)
  for (const query of idle.slice(0, Math.max(0, kept.length - MAX_PAGES))) cache.remove(query)
}

/**
 * Reads every page, count and details that somebody looks at again; the others when they are next looked at.
 *
 * @param except the key of a page that was read just now
 */
export async function readOrderPages(client: QueryClient, except?: string): Promise<void> {
  const details = client.invalidateQueries({ queryKey: allOrderDetails })
  await client.invalidateQueries({
    predicate: (query) => pagesAndCounts.predicate(query) && query.queryHash !== except,
  })
  await details
}

/** Puts what the server has just answered into the pages. A reading that began before is asked for anew. */
async function changePages(client: QueryClient, change: (page: OrdersPage) => OrdersPage) {
  const reading = client.isFetching(allOrderPages) > 0
  await client.cancelQueries(allOrderPages)
  for (const { queryKey, state } of client.getQueryCache().findAll(allOrderPages)) {
    const page = client.getQueryData<OrdersPage>(queryKey)
    const changed = page && change(page)
    // It was not read now: it stays as old as it is.
    if (changed !== page) client.setQueryData(queryKey, changed, { updatedAt: state.dataUpdatedAt })
  }
  if (reading) void readOrderPages(client)
}

/** Puts the order as the server now has it into every page that shows it, and into its details. */
export async function putOrder(client: QueryClient, order: OrderRecord) {
  client.setQueriesData<OrderDetails>({ queryKey: allOrderDetails }, (details) =>
    details?.order.id === order.id ? { ...details, order } : details,
  )
  await changePages(client, (page) => {
    const unseen = order.seen ? without(page.unseen, order.id) : page.unseen
    const shown = page.records.some(({ id }) => id === order.id)
    if (!shown && unseen === page.unseen) return page
    const records = page.records.map((old) => (old.id === order.id ? order : old))
    return { ...page, records, unseen }
  })
}

/** Puts into every page the status each of these orders has now. */
export async function putStatuses(client: QueryClient, statuses: ReadonlyMap<string, string>) {
  await changePages(client, (page) => {
    const records = page.records.map((order) => withStatus(order, statuses.get(order.id)))
    return records.every((order, index) => order === page.records[index])
      ? page
      : { ...page, records }
  })
}

function withStatus(order: OrderRecord, Stato = order.fields.Stato): OrderRecord {
  return Stato === order.fields.Stato ? order : { ...order, fields: { ...order.fields, Stato } }
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
