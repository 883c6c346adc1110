import { LRUCache } from 'lru-cache'
import type { OrdersStore } from './orders.store.ts'
import type { ByStatus, ResolvedFilter } from './search/order-filter.rules.ts'
import type { ListRequest, ListResult, OrderSearchStore } from './search/order-search.store.ts'

/** Total number of rows in the cache: about 5 MB. */
const MAX_ROWS = 10_000

type Page = { version: string; part: ListResult }
type Counts = { version: string; counts: ByStatus }
type Unseen = { version: string; recordIds: string[] }

/** Number of pharmacies with cached unseen orders, and of cached counts. */
const MAX_UNSEEN = 1_000
const MAX_COUNTS = 1_000

type Store = Pick<OrdersStore, 'unseen'> & Pick<OrderSearchStore, 'list' | 'countByStatus'>

/**
 * Caches pages of orders. Dashboards request the same page every minute, and it has rarely changed: a cached page is
 * valid while the version of the pharmacy's orders is the same. The version is read before the page, so a page is
 * never older than its version.
 */
export function createOrderPageCache(store: Store) {
  const unseen = new LRUCache<string, Unseen>({ max: MAX_UNSEEN })
  const countsByFilter = new LRUCache<string, Counts>({ max: MAX_COUNTS })
  const pages = new LRUCache<string, Page>({
    maxSize: MAX_ROWS,
    sizeCalculation: ({ part }) => part.records.length,
  })
  return {
    async read(pharmacyId: string, version: string, asked: ListRequest): Promise<ListResult> {
      const { filter, sort, page, pageSize } = asked
      const key = JSON.stringify([pharmacyId, filter, sort, page, pageSize])
      const cached = pages.get(key)
      if (cached?.version === version) return cached.part
      const part = await store.list(pharmacyId, asked)
      // Empty pages are cheap to read, and there are infinitely many of them.
      if (part.records.length > 0) pages.set(key, { version, part })
      else pages.delete(key)
      return part
    },

    /** The number of orders by status, cached under the same version. */
    async countByStatus(
      pharmacyId: string,
      version: string,
      { words, days }: ResolvedFilter,
    ): Promise<ByStatus> {
      const key = JSON.stringify([pharmacyId, words, days])
      const cached = countsByFilter.get(key)
      if (cached?.version === version) return cached.counts
      const counts = await store.countByStatus(pharmacyId, { words, days })
      countsByFilter.set(key, { version, counts })
      return counts
    },

    /** The newest unseen orders, cached under the same version. */
    async unseen(pharmacyId: string, version: string): Promise<string[]> {
      const cached = unseen.get(pharmacyId)
      if (cached?.version === version) return cached.recordIds
      const recordIds = await store.unseen(pharmacyId)
      unseen.set(pharmacyId, { version, recordIds })
      return recordIds
    },
  }
}
