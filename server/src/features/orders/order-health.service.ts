import type { PageQuery } from '@bancone/contract/paging'
import { AppError } from '../../app-error.ts'
import type { OrderSetAsideStore } from './copy/order-set-aside.store.ts'
import type { OrderHealthStore } from './order-health.store.ts'
import { pagination } from './orders.rules.ts'

type Dependencies = { store: OrderHealthStore; aside: OrderSetAsideStore }

/** Records that were set aside and are named: who mends those sees the next. */
const MOST_RECORDS = 100

export type OrderHealthService = ReturnType<typeof createOrderHealth>

/** How the copies of the orders fare, for the pharmacy itself and for administrators. */
export function createOrderHealth({ store, aside }: Dependencies) {
  return {
    async own(pharmacyId: string) {
      const [health, records] = await Promise.all([
        store.one(pharmacyId),
        aside.list(pharmacyId, MOST_RECORDS),
      ])
      if (!health) throw new AppError('pharmacy.not_found')
      return { ...health, records: health.setAside > 0 ? records : [] }
    },

    async all(query: PageQuery) {
      const { pharmacies, total } = await store.list(query)
      return { pharmacies, pagination: pagination(query.page, query.pageSize, total) }
    },
  }
}
