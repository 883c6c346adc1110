import { correctOrder, removeOrder } from '@bancone/contract/order-corrections'
import type { Serve } from '../../../http/serve.ts'
import { personOf } from '../order-author.ts'
import type { OrderCorrections } from './order-corrections.service.ts'

export function orderCorrectionRoutes(serve: Serve, corrections: OrderCorrections) {
  serve(correctOrder, ({ params, body }, session) =>
    corrections.correct(session.pharmacy, params.recordId, body, personOf(session)),
  )
  serve(removeOrder, ({ params }, session) => corrections.remove(session.pharmacy, params.recordId))
}
