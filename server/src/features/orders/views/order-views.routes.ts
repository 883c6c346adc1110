import {
  addOrderView,
  changeOrderView,
  listOrderViews,
  removeOrderView,
} from '@bancone/contract/order-views'
import type { Serve } from '../../../http/serve.ts'
import type { OrderViewsStore } from './order-views.store.ts'

export function orderViewRoutes(serve: Serve, store: OrderViewsStore) {
  serve(listOrderViews, async (_input, session) => ({
    views: await store.list(session.pharmacy.id),
  }))

  serve(addOrderView, ({ body }, session) => store.add(session.pharmacy.id, body))

  serve(changeOrderView, ({ params, body }, session) =>
    store.change(session.pharmacy.id, params.viewId, body),
  )

  serve(removeOrderView, async ({ params }, session) => {
    await store.remove(session.pharmacy.id, params.viewId)
    return {}
  })
}
