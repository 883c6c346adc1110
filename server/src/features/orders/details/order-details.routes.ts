import {
  addOrderNote,
  changeOrderNote,
  getOrder,
  removeOrderNote,
} from '@bancone/contract/order-details'
import type { Serve } from '../../../http/serve.ts'
import type { OrderDetailsService } from './order-details.service.ts'

export function orderDetailsRoutes(serve: Serve, details: OrderDetailsService) {
  serve(getOrder, ({ params }, session) => details.get(session.pharmacy, params.recordId, session))

  serve(addOrderNote, ({ params, body }, session) =>
    details.addNote(session.pharmacy.id, params.recordId, body.text, session),
  )

  serve(changeOrderNote, ({ params, body }, session) =>
    details.changeNote(session.pharmacy.id, params, body.text, session),
  )

  serve(removeOrderNote, ({ params }, session) => details.removeNote(session.pharmacy.id, params))
}
