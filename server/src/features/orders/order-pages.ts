import type { OrderRecord, OrdersQuery } from '@bancone/contract/orders'
import { LRUCache } from 'lru-cache'
import type { OrdersStore } from './orders.store.ts'

/** About 10 MB of pages of twenty. */
const MOST_PAGES = 1_000

/**
 * Pages of orders as they were read last. Dashboards ask for the same page every minute and it has
 * rarely changed, so a page is read again only when the version of the pharmacy's orders has risen.
 * The version is read before the page, so a page is never older than what it is kept under.
 */
export function createOrderPages(store: Pick<OrdersStore, 'page'>) {
  const kept = new LRUCache<string, { version: string; records: OrderRecord[] }>({
    max: MOST_PAGES,
  })
  return {
    async read(pharmacyId: string, version: string, query: OrdersQuery): Promise<OrderRecord[]> {
      const key = `${pharmacyId} ${query.page} ${query.pageSize} ${query.stato ?? ''}`
      const page = kept.get(key)
      if (page?.version === version) return page.records
      const records = await store.page(pharmacyId, query)
      kept.set(key, { version, records })
      return records
    },
  }
}
