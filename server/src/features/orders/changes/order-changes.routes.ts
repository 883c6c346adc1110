import { changeOrdersStatus } from '@bancone/contract/order-search'
import { changeOrderStatus } from '@bancone/contract/orders'
import type { Serve } from '../../../http/serve.ts'
import { personOf } from '../order-author.ts'
import type { OrderChanges } from './order-changes.service.ts'

export function orderChangeRoutes(serve: Serve, changes: OrderChanges) {
  serve(changeOrderStatus, ({ params, query, body }, session) => {
    const change = { recordId: params.recordId, Stato: body.fields.Stato, was: query.was }
    return changes.changeOne(session.pharmacy, change, personOf(session))
  })

  serve(changeOrdersStatus, ({ body }, session) =>
    changes.changeMany(session.pharmacy, body.changes, personOf(session)),
  )
}
