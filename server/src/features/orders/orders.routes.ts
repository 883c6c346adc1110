import { changeOrderStatus, listOrders } from '@bancone/contract/orders'
import type { Serve } from '../../http/serve.ts'
import type { OrdersService } from './orders.service.ts'

export function orderRoutes(serve: Serve, orders: OrdersService) {
  serve(listOrders, ({ query }, session) => orders.list(session.pharmacy, query))

  serve(changeOrderStatus, ({ params, body }, session) =>
    orders.changeStatus(session.pharmacy, params.recordId, body.fields.Stato),
  )
}
