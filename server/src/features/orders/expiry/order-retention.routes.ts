import {
  changeOrderRetention,
  getOrderRetention,
  holdOrder,
  listHeldOrders,
  previewOwnOrderRetention,
  releaseOrder,
} from '@bancone/contract/order-retention'
import { previewOrderRetention } from '@bancone/contract/settings'
import type { Serve } from '../../../http/serve.ts'
import type { OrderExpiryStore } from './order-expiry.store.ts'
import type { OrderRetentionService } from './order-retention.service.ts'

export function orderRetentionRoutes(
  serve: Serve,
  retention: OrderRetentionService,
  expiry: Pick<OrderExpiryStore, 'count' | 'countOf'>,
) {
  serve(getOrderRetention, (_request, { pharmacy }) => retention.get(pharmacy.id))
  serve(changeOrderRetention, ({ body }, { pharmacy }) => retention.change(pharmacy.id, body))
  serve(previewOwnOrderRetention, async ({ query }, { pharmacy }) => ({
    orders: await expiry.countOf(pharmacy.id, query.orderDays),
  }))
  serve(previewOrderRetention, async ({ query }) => ({
    orders: await expiry.count(query.orderDays),
  }))
  serve(listHeldOrders, async (_request, session) => ({
    orders: await retention.held(session.pharmacy.id, session),
  }))
  serve(holdOrder, ({ params, body }, session) =>
    retention.hold(session.pharmacy.id, params.recordId, body.reason, session),
  )
  serve(releaseOrder, ({ params }, session) =>
    retention.release(session.pharmacy.id, params.recordId),
  )
}
