import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { OrdersSought } from './order-search.ts'
import { OrderSort } from './orders.ts'

/** `csv` as Italian Excel opens it: semicolons, UTF-8 with its mark. */
export const ExportFormat = z.enum(['csv', 'xlsx'])
export type ExportFormat = z.infer<typeof ExportFormat>

/**
 * A file of orders that is asked for. `done` of `total` orders have been written.
 * - `ready`: nobody has begun to take the file
 * - `running`, `done`, `cancelled`: as it says
 * - `failed`: the file that was begun is not whole
 */
export const OrderExport = z.object({
  id: z.uuid(),
  format: ExportFormat,
  state: z.enum(['ready', 'running', 'done', 'cancelled', 'failed']),
  total: z.number().int(),
  done: z.number().int(),
  /** The name the file should have. It names no customer and no product. */
  fileName: z.string(),
})
export type OrderExport = z.infer<typeof OrderExport>

const ofExport = z.object({ exportId: z.uuid() })

/** Asks for a file of the orders of that kind. It can be had for an hour. */
export const startOrderExport = endpoint({
  method: 'POST',
  path: '/api/orders/exports',
  summary: 'Asks for a file of orders',
  access: 'pharmacy',
  body: OrdersSought.extend({ format: ExportFormat, ordina: OrderSort.optional() }),
  response: OrderExport,
  errors: ['exports.too_many'],
})

export const getOrderExport = endpoint({
  method: 'GET',
  path: '/api/orders/exports/:exportId',
  summary: 'How far a file of orders is',
  access: 'pharmacy',
  params: ofExport,
  response: OrderExport,
  errors: ['exports.not_found'],
})

/**
 * The file itself, written while it is taken: its answer is bytes and not JSON. It can be taken once;
 * if the connection ends before it does, it is not whole.
 */
export const takeOrderExport = endpoint({
  method: 'GET',
  path: '/api/orders/exports/:exportId/file',
  summary: 'The file of orders',
  access: 'pharmacy',
  params: ofExport,
  response: z.string().meta({ contentMediaType: 'application/octet-stream' }),
  errors: ['exports.not_found', 'exports.taken'],
})

export const cancelOrderExport = endpoint({
  method: 'DELETE',
  path: '/api/orders/exports/:exportId',
  summary: 'Gives a file of orders up',
  access: 'pharmacy',
  params: ofExport,
  response: z.object({}),
  errors: ['exports.not_found'],
})
