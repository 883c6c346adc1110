import { getOrdersHealth, listOrdersHealth } from '@bancone/contract/order-health'
import { AppError } from '../../app-error.ts'
import type { Serve } from '../../http/serve.ts'
import type { OrderQuarantineStore } from './copy/order-quarantine.store.ts'
import type { OrderHealthStore } from './order-health.store.ts'
import { pagination } from './orders.rules.ts'

/** Maximum number of quarantined records in a response; once they are corrected, the next ones appear. */
const MAX_RECORDS = 100

/** The state of the copies, for a pharmacy and for administrators. */
export function orderHealthRoutes(
  serve: Serve,
  store: OrderHealthStore,
  quarantine: OrderQuarantineStore,
) {
  serve(getOrdersHealth, async (_input, { pharmacy }) => {
    const [health, records] = await Promise.all([
      store.one(pharmacy.id),
      quarantine.list(pharmacy.id, MAX_RECORDS),
    ])
    if (!health) throw new AppError('pharmacy.not_found')
    return { ...health, records: health.setAside > 0 ? records : [] }
  })

  serve(listOrdersHealth, async ({ query }) => {
    const { pharmacies, total } = await store.list(query)
    return { pharmacies, pagination: pagination(query.page, query.pageSize, total) }
  })
}
