import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { OrdersSearchFilter } from './order-search.ts'
import { OrderSort } from './orders.ts'

/**
 * `csv` is written for the Italian Excel: separated by semicolons, in UTF-8 with a byte order mark. A text that Excel would
 * change is `="0012"`, and one that it would evaluate begins with an apostrophe.
 */
export const ExportFormat = z.enum(['csv', 'xlsx'])
export type ExportFormat = z.infer<typeof ExportFormat>

/**
 * An export of orders to a file. `done` of `total` orders have been written.
 * - `ready`: the download has not begun
 * - `running`, `done`, `cancelled`: the state of the download
 * - `failed`: the download broke off and the file is incomplete
 */
export const OrderExport = z.object({
  id: z.uuid(),
  format: ExportFormat,
  state: z.enum(['ready', 'running', 'done', 'cancelled', 'failed']),
  total: z.int(),
  done: z.int(),
  /** The suggested file name. It contains no customer and no product. */
  fileName: z.string(),
})
export type OrderExport = z.infer<typeof OrderExport>

const exportParams = z.object({ exportId: z.uuid() })

/** Starts an export of the orders that match the filter. The file can be downloaded for one hour. */
export const startOrderExport = endpoint({
  method: 'POST',
  path: '/api/orders/exports',
  summary: 'Start an export of orders',
  access: 'pharmacy',
  audit: { none: 'recorded when the file is downloaded' },
  body: z.extend(OrdersSearchFilter, { format: ExportFormat, ordina: z.optional(OrderSort) }),
  response: OrderExport,
  errors: ['exports.too_many'],
})

export const getOrderExport = endpoint({
  method: 'GET',
  path: '/api/orders/exports/:exportId',
  summary: 'Get the progress of an export',
  access: 'pharmacy',
  params: exportParams,
  response: OrderExport,
  errors: ['exports.not_found'],
})

/**
 * Downloads the file, which is written while it is sent. The response is bytes, not JSON. A file can be downloaded
 * only once; if the connection ends early, the file is incomplete.
 */
export const downloadOrderExport = endpoint({
  method: 'GET',
  path: '/api/orders/exports/:exportId/file',
  summary: 'Download the file of an export',
  access: 'pharmacy',
  params: exportParams,
  response: z.string().check(z.meta({ contentMediaType: 'application/octet-stream' })),
  errors: ['exports.not_found', 'exports.taken'],
})

export const cancelOrderExport = endpoint({
  method: 'DELETE',
  path: '/api/orders/exports/:exportId',
  summary: 'Cancel an export',
  access: 'pharmacy',
  audit: { none: 'recorded when the file is downloaded' },
  params: exportParams,
  response: z.object({}),
  errors: ['exports.not_found'],
})
