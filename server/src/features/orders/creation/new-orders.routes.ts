import { createOrder } from '@bancone/contract/new-orders'
import type { Serve } from '../../../http/serve.ts'
import type { NewOrdersService } from './new-orders.service.ts'

export function newOrderRoutes(serve: Serve, newOrders: NewOrdersService) {
  serve(createOrder, ({ headers, body }, session) =>
    newOrders.create(session, headers['idempotency-key'], body.fields),
  )
}
