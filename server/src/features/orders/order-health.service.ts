import type { PageQuery } from '@bancone/contract/paging'
import { AppError } from '../../app-error.ts'
import type { OrderQuarantineStore } from './copy/order-quarantine.store.ts'
import type { OrderHealthStore } from './order-health.store.ts'
import { pagination } from './orders.rules.ts'

type Dependencies = { store: OrderHealthStore; quarantine: OrderQuarantineStore }

/** Maximum number of quarantined records in a response; once they are corrected, the next ones appear. */
const MAX_RECORDS = 100

export type OrderHealthService = ReturnType<typeof createOrderHealth>

/** The state of the copies, for a pharmacy and for administrators. */
export function createOrderHealth({ store, quarantine }: Dependencies) {
  return {
    async own(pharmacyId: string) {
      const [health, records] = await Promise.all([
        store.one(pharmacyId),
        quarantine.list(pharmacyId, MAX_RECORDS),
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
