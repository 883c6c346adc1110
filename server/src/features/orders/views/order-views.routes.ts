import {
  addOrderView,
  changeOrderView,
  listOrderViews,
  removeOrderView,
} from '@bancone/contract/order-views'
import type { Serve } from '../../../http/serve.ts'
import type { OrderViews } from './order-views.service.ts'

export function orderViewRoutes(serve: Serve, views: OrderViews) {
  serve(listOrderViews, (_input, session) => views.list(session.pharmacy.id))

  serve(addOrderView, ({ body }, session) => views.add(session.pharmacy.id, body))

  serve(changeOrderView, ({ params, body }, session) =>
    views.change(session.pharmacy.id, params.viewId, body),
  )

  serve(removeOrderView, ({ params }, session) => views.remove(session.pharmacy.id, params.viewId))
}
