import { LRUCache } from 'lru-cache'
import type { OrdersStore } from './orders.store.ts'
import type { Asked, OrderSearchStore, Part } from './search/order-search.store.ts'
import type { ByStatus, Sought } from './search/orders-sought.rules.ts'

/** Rows of all kept pages together: about 5 MB. */
const MOST_ROWS = 10_000

type Page = { version: string; part: Part }
type Counts = { version: string; counts: ByStatus }
type Unseen = { version: string; recordIds: string[] }

/** Pharmacies whose unseen orders are kept, and counts of what was asked for. */
const MOST_UNSEEN = 1_000
const MOST_COUNTS = 1_000

type Store = Pick<OrdersStore, 'unseen'> & Pick<OrderSearchStore, 'part' | 'countByStatus'>

/**
 * Pages of orders as they were read last. Dashboards ask for the same page every minute and it has
 * rarely changed, so a page is read again only when the version of the pharmacy's orders has risen.
 * The version is read before the page, so a page is never older than what it is kept under.
 */
export function createOrderPages(store: Store) {
  const unseen = new LRUCache<string, Unseen>({ max: MOST_UNSEEN })
  const counted = new LRUCache<string, Counts>({ max: MOST_COUNTS })
  const kept = new LRUCache<string, Page>({
    maxSize: MOST_ROWS,
    sizeCalculation: ({ part }) => part.records.length,
  })
  return {
    async read(pharmacyId: string, version: string, asked: Asked): Promise<Part> {
      const { sought, sort, page, pageSize } = asked
      const key = JSON.stringify([pharmacyId, sought, sort, page, pageSize])
      const known = kept.get(key)
      if (known?.version === version) return known.part
      const part = await store.part(pharmacyId, asked)
      // An empty page costs next to nothing to read, and there is no end to their numbers.
      if (part.records.length > 0) kept.set(key, { version, part })
      else kept.delete(key)
      return part
    },

    /** How many orders there are of each status, kept under the same version. */
    async countByStatus(
      pharmacyId: string,
      version: string,
      { words, days }: Sought,
    ): Promise<ByStatus> {
      const key = JSON.stringify([pharmacyId, words, days])
      const known = counted.get(key)
      if (known?.version === version) return known.counts
      const counts = await store.countByStatus(pharmacyId, { words, days })
      counted.set(key, { version, counts })
      return counts
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
