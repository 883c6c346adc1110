import {
  cancelOrderExport,
  downloadOrderExport,
  getOrderExport,
  startOrderExport,
} from '@bancone/contract/order-exports'
import type { Serve, ServeFile } from '../../../http/serve.ts'
import { callerFrom } from '../../../platform/auth/protocol.ts'
import type { OrderExports } from './order-exports.service.ts'

export function orderExportRoutes(serve: Serve, serveFile: ServeFile, files: OrderExports) {
  serve(startOrderExport, ({ body }, session) => files.start(session.pharmacy, body))

  serve(getOrderExport, ({ params }, session) => files.find(session.pharmacy, params.exportId))

  serveFile(downloadOrderExport, ({ params }, session, call) =>
    files.take(session.pharmacy, params.exportId, { actorId: session.userId, ...callerFrom(call) }),
  )

  serve(cancelOrderExport, async ({ params }, session) => {
    await files.cancel(session.pharmacy, params.exportId)
    return {}
  })
}
