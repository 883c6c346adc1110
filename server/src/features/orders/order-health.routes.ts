import { getOrdersHealth, listOrdersHealth } from '@bancone/contract/order-health'
import type { Serve } from '../../http/serve.ts'
import type { OrderHealthService } from './order-health.service.ts'

export function orderHealthRoutes(serve: Serve, health: OrderHealthService) {
  serve(getOrdersHealth, (_input, session) => health.own(session.pharmacy.id))

  serve(listOrdersHealth, ({ query }) => health.all(query))
}
