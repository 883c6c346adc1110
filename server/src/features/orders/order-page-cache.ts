import { createCache } from '../../platform/cache.ts'
import type { OrdersStore } from './orders.store.ts'
import type { FilterCounts, ResolvedFilter } from './search/order-filter.rules.ts'
import type { ListRequest, ListResult, OrderSearchStore } from './search/order-search.store.ts'

/** Total number of rows in the cache: about 5 MB. */
const MAX_ROWS = 10_000

/** Number of pharmacies with cached unseen orders, and of cached counts. */
const MAX_UNSEEN = 1_000
const MAX_COUNTS = 1_000

type Store = Pick<OrdersStore, 'unseen' | 'countPendingSince'> &
  Pick<OrderSearchStore, 'list' | 'countByStatus'>

/**
 * Caches pages of orders. Dashboards request the same page every minute, and it has rarely changed: a cached page is
 * valid while the version of the pharmacy's orders is the same. The version is read before the page, so a page is
 * never older than its version.
 */
export function createOrderPageCache(store: Store) {
  const unseen = createCache<string[]>({ max: MAX_UNSEEN })
  const recent = createCache<number>({ max: MAX_UNSEEN })
  const counts = createCache<FilterCounts>({ max: MAX_COUNTS })
  // Empty pages have no size and are not cached: they are cheap to read, and there are infinitely many of them.
  const pages = createCache<ListResult>({
    max: MAX_ROWS,
    sizeOf: ({ records }) => records.length,
  })
  return {
    async read(pharmacyId: string, version: string, asked: ListRequest): Promise<ListResult> {
      const { filter, sort, page, pageSize } = asked
      const key = JSON.stringify([pharmacyId, filter, sort, page, pageSize])
      const cached = pages.get(key, version)
      return cached ?? pages.load(key, () => store.list(pharmacyId, asked), version)
    },

    /** The number of orders by status, and of late ones, cached under the same version. */
    async countByStatus(
      pharmacyId: string,
      version: string,
      { words, days }: ResolvedFilter,
      late: string,
    ): Promise<FilterCounts> {
      const key = JSON.stringify([pharmacyId, words, days, late])
      const load = () => store.countByStatus(pharmacyId, { words, days }, late)
      return counts.get(key, version) ?? counts.load(key, load, version)
    },

    /** The number of orders 'In attesa' created since, cached under the same version. */
    async countPendingSince(pharmacyId: string, version: string, since: string): Promise<number> {
      const under = `${version} ${since}`
      const load = () => store.countPendingSince(pharmacyId, since)
      return recent.get(pharmacyId, under) ?? recent.load(pharmacyId, load, under)
    },

    /** The newest unseen orders, cached under the same version. */
    async unseen(pharmacyId: string, version: string): Promise<string[]> {
      const cached = unseen.get(pharmacyId, version)
      return cached ?? unseen.load(pharmacyId, () => store.unseen(pharmacyId), version)
    },
  }
}
