import type { OrderRecord, OrdersQuery } from '@bancone/contract/orders'
import { LRUCache } from 'lru-cache'
import type { OrdersStore } from './orders.store.ts'

/** Rows of all kept pages together: about 5 MB. */
const MOST_ROWS = 10_000

type Page = { version: string; records: OrderRecord[] }

/**
 * Pages of orders as they were read last. Dashboards ask for the same page every minute and it has
 * rarely changed, so a page is read again only when the version of the pharmacy's orders has risen.
 * The version is read before the page, so a page is never older than what it is kept under.
 */
export function createOrderPages(store: Pick<OrdersStore, 'page'>) {
  const kept = new LRUCache<string, Page>({
    maxSize: MOST_ROWS,
    sizeCalculation: (page) => page.records.length,
  })
  return {
    async read(pharmacyId: string, version: string, query: OrdersQuery): Promise<OrderRecord[]> {
      const key = `${pharmacyId} ${query.page} ${query.pageSize} ${query.stato ?? ''}`
      const page = kept.get(key)
      if (page?.version === version) return page.records
      const records = await store.page(pharmacyId, query)
      // An empty page costs next to nothing to read, and there is no end to their numbers.
      if (records.length > 0) kept.set(key, { version, records })
      else kept.delete(key)
      return records
    },
  }
}
