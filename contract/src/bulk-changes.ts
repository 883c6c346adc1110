import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { MAX_SELECTED_ORDERS, OrdersSearchFilter } from './order-search.ts'
import { OrderStatus, RecordId } from './orders.ts'

/** The ids of the orders that match the filter, newest first, for a bulk action. */
export const selectOrders = endpoint({
  method: 'POST',
  path: '/api/orders/selection',
  summary: 'List the ids and statuses of the newest 500 matching orders',
  access: 'pharmacy',
  audit: { none: 'reads' },
  body: OrdersSearchFilter,
  response: z.object({
    orders: z
      .array(z.object({ recordId: RecordId, status: z.string() }))
      .check(z.maxLength(MAX_SELECTED_ORDERS)),
    /** Whether more orders match than are listed. */
    more: z.boolean(),
  }),
  errors: [],
})

/** The most orders changed in one request. */
export const MAX_BULK_CHANGES = 100

/** One change of a bulk request. `was`: as in `changeOrderStatus`. */
export const StatusChange = z.strictObject({
  recordId: RecordId,
  Stato: OrderStatus,
  was: z.optional(z.string().check(z.maxLength(200))),
})
export type StatusChange = z.infer<typeof StatusChange>

/**
 * Changes the status of several orders independently: orders that cannot be changed are left unchanged and listed in
 * `left`. Airtable is updated in the background.
 */
export const changeOrdersStatus = endpoint({
  method: 'POST',
  path: '/api/orders/status',
  summary: 'Update the status of several orders',
  access: 'pharmacy',
  audit: { none: 'orders have a history of their own' },
  body: z.strictObject({
    changes: z.array(StatusChange).check(z.minLength(1), z.maxLength(MAX_BULK_CHANGES)),
  }),
  maxBodyBytes: 128 * 1024,
  response: z.object({
    /** The changed orders with their previous status, which may equal the new one. */
    changed: z.array(z.object({ recordId: RecordId, from: z.string(), to: OrderStatus })),
    /** `now` is the status set by another user in the meantime; null when the order does not exist any more. */
    left: z.array(z.object({ recordId: RecordId, now: z.nullable(z.string()) })),
  }),
  errors: [],
})
