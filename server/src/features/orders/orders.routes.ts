import {
  countOrders,
  searchOrders,
  selectOrders,
  suggestSearch,
} from '@bancone/contract/order-search'
import {
  dismissOrderNotice,
  listAllOrders,
  listOrders,
  markOrdersSeen,
  refreshOrders,
} from '@bancone/contract/orders'
import type { Serve, ServeList } from '../../http/serve.ts'
import type { ServeKept } from '../../http/serve-kept.ts'
import { callerFrom } from '../../platform/auth/protocol.ts'
import type { OrdersService } from './orders.service.ts'

type Http = { serve: Serve; serveKept: ServeKept; serveList: ServeList }

export function orderRoutes({ serve, serveKept, serveList }: Http, orders: OrdersService) {
  serveKept(listOrders, 'records', ({ query }, session) => orders.list(session.pharmacy, query))

  serveKept(searchOrders, 'records', ({ body }, session) => orders.list(session.pharmacy, body))

  serve(suggestSearch, ({ body }, session) => orders.suggest(session.pharmacy, body.q))

  serve(countOrders, ({ body }, session) => orders.count(session.pharmacy, body))

  serve(selectOrders, ({ body }, session) => orders.select(session.pharmacy, body))

  serveList(listAllOrders, 'records', ({ query }, session, call) =>
    orders.all({ ...session, ...callerFrom(call) }, query.pharmacyFilter),
  )

  serve(refreshOrders, (_input, session) => orders.refresh(session.pharmacy))

  serve(markOrdersSeen, ({ body }, session) => orders.markSeen(session.pharmacy, body.recordIds))

  serve(dismissOrderNotice, async ({ params }, session) => {
    await orders.dismissNotice(session.pharmacy, params.recordId)
    return {}
  })
}
