import type { UnseenOrders } from '@bancone/contract/orders'
import { createCache } from '../../../platform/cache.ts'
import type { StoredRecord } from '../records/order-rows.ts'
import type { FilterCounts, ResolvedFilter } from '../search/order-filter.rules.ts'
import type { ListRequest, OrderSearchStore } from '../search/order-search.store.ts'
import type { OrdersStore } from './orders.store.ts'

/** Total number of records in the cache: about 5 MB of JSON. */
const MAX_ROWS = 10_000

/** Number of pharmacies with cached unseen orders, and of cached counts. */
const MAX_UNSEEN = 1_000
const MAX_COUNTS = 1_000

type InTime = Awaited<ReturnType<OrderSearchStore['countInTime']>>
type Rest<Given> = Given extends [unknown, ...infer Others] ? Others : never

type Store = Pick<OrdersStore, 'unseen'> &
  Pick<OrderSearchStore, 'list' | 'countByStatus' | 'countInTime'>

/** A page as it is sent. `known`: the number of matching orders found so far; all of them if `counted`. */
type Page<Sent> = { records: Sent; size: number; known: number; counted: boolean }

/**
 * Caches pages of orders. Dashboards request the same page every minute, and it has rarely changed: a cached page is
 * valid while the version of the pharmacy's orders is the same. The version is read before the page, so a page is
 * never older than its version.
 *
 * @param toSent makes of records what is sent, which is cached
 */
export function createOrderPageCache<Sent>(
  store: Store,
  toSent: (records: StoredRecord[]) => Sent,
) {
  const unseen = createCache<Omit<UnseenOrders, 'count'>>({ max: MAX_UNSEEN })
  const inTime = createCache<InTime>({ max: MAX_UNSEEN })
  const counts = createCache<FilterCounts>({ max: MAX_COUNTS })
  // Empty pages have no size and are not cached: they are cheap to read, and there are infinitely many of them.
  const pages = createCache<Page<Sent>>({ max: MAX_ROWS, sizeOf: ({ size }) => size })

  async function loadPage(pharmacyId: string, request: ListRequest): Promise<Page<Sent>> {
    const { records, ...found } = await store.list(pharmacyId, request)
    return { ...found, records: toSent(records), size: records.length }
  }

  return {
    async read(pharmacyId: string, version: string, request: ListRequest): Promise<Page<Sent>> {
      const { filter, sort, page, pageSize } = request
      const key = JSON.stringify([pharmacyId, filter, sort, page, pageSize])
      const cached = pages.get(key, version)
      return cached ?? pages.load(key, () => loadPage(pharmacyId, request), version)
    },

    /** The number of orders by status, and of late ones, cached under the same version. */
    async countByStatus(
      pharmacyId: string,
      version: string,
      { words, days }: ResolvedFilter,
      late: string,
      today: string,
    ): Promise<FilterCounts> {
      const key = JSON.stringify([pharmacyId, words, days, late, today])
      const load = () => store.countByStatus(pharmacyId, { words, days }, late, today)
      return counts.get(key, version) ?? counts.load(key, load, version)
    },

    /** The numbers of orders that are neither late nor overdue, cached under the same version. */
    async countInTime(
      pharmacyId: string,
      version: string,
      ...of: Rest<Parameters<Store['countInTime']>>
    ): Promise<InTime> {
      const under = JSON.stringify([version, of])
      const load = () => store.countInTime(pharmacyId, ...of)
      return inTime.get(pharmacyId, under) ?? inTime.load(pharmacyId, load, under)
    },

    /** The newest unseen orders, cached under the same version. */
    async unseen(pharmacyId: string, version: string): Promise<Omit<UnseenOrders, 'count'>> {
      const cached = unseen.get(pharmacyId, version)
      return cached ?? unseen.load(pharmacyId, () => store.unseen(pharmacyId), version)
    },
  }
}
