import type { OrdersQuery } from '@bancone/contract/orders'
import { LRUCache } from 'lru-cache'
import type { KeptRecord } from './order-rows.ts'
import type { OrdersStore } from './orders.store.ts'

/** Rows of all kept pages together: about 5 MB. */
const MOST_ROWS = 10_000

type Page = { version: string; records: KeptRecord[] }
type Unseen = { version: string; recordIds: string[] }

/** Pharmacies whose unseen orders are kept. */
const MOST_UNSEEN = 1_000

/**
 * Pages of orders as they were read last. Dashboards ask for the same page every minute and it has
 * rarely changed, so a page is read again only when the version of the pharmacy's orders has risen.
 * The version is read before the page, so a page is never older than what it is kept under.
 */
export function createOrderPages(store: Pick<OrdersStore, 'page' | 'unseen'>) {
  const unseen = new LRUCache<string, Unseen>({ max: MOST_UNSEEN })
  const kept = new LRUCache<string, Page>({
    maxSize: MOST_ROWS,
    sizeCalculation: (page) => page.records.length,
  })
  return {
    async read(pharmacyId: string, version: string, query: OrdersQuery): Promise<KeptRecord[]> {
      const key = `${pharmacyId} ${query.page} ${query.pageSize} ${query.stato ?? ''}`
      const page = kept.get(key)
      if (page?.version === version) return page.records
      const records = await store.page(pharmacyId, query)
      // An empty page costs next to nothing to read, and there is no end to their numbers.
      if (records.length > 0) kept.set(key, { version, records })
      else kept.delete(key)
      return records
    },

    /** The newest orders that nobody has seen, kept under the same version. */
    async unseen(pharmacyId: string, version: string): Promise<string[]> {
      const known = unseen.get(pharmacyId)
      if (known?.version === version) return known.recordIds
      const recordIds = await store.unseen(pharmacyId)
      unseen.set(pharmacyId, { version, recordIds })
      return recordIds
    },
  }
}
