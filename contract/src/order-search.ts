import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import {
  OrderStatus,
  OrdersFilter,
  OrdersPage,
  OrdersQuery,
  RecordId,
  StatusCounts,
} from './orders.ts'

/**
 * Search words for the number, customer, telephone, address and product of an order. Every word must occur in the
 * order, whole or in part; case, accents and punctuation are ignored. The order with the number that is searched for
 * comes first.
 */
export const SearchText = z.string().check(z.trim(), z.minLength(1), z.maxLength(100))

/**
 * Like `listOrders`, for the orders that match a search text. The text is in the body because it may be personal
 * data, and proxies log URLs.
 */
export const searchOrders = endpoint({
  method: 'POST',
  path: '/api/orders/search',
  summary: 'Search orders, one page at a time',
  access: 'pharmacy',
  audit: { none: 'reads' },
  body: z.extend(OrdersQuery, { q: SearchText }),
  response: OrdersPage,
  errors: [],
})

/** The most suggestions for a search text. */
export const MAX_SUGGESTIONS = 3

/** Search texts with the nearest words of the newest orders, for a text that found nothing; none if its words occur. */
export const suggestSearch = endpoint({
  method: 'POST',
  path: '/api/orders/suggestions',
  summary: 'Suggest similar words for a search without results',
  access: 'pharmacy',
  audit: { none: 'reads' },
  body: z.strictObject({ q: SearchText }),
  response: z.object({ suggestions: z.array(z.string()).check(z.maxLength(MAX_SUGGESTIONS)) }),
  errors: [],
})

/** The full order filter, sent in a request body: `OrdersFilter` and a search text. */
export const OrdersSearchFilter = z.extend(OrdersFilter, { q: z.optional(SearchText) })
export type OrdersSearchFilter = z.infer<typeof OrdersSearchFilter>

/** Counts the orders that match the filter. All but `total` ignore the filter's `stato`, `ritardo` and `ritiro`. */
export const countOrders = endpoint({
  method: 'POST',
  path: '/api/orders/count',
  summary: 'Count orders by status',
  access: 'pharmacy',
  audit: { none: 'reads' },
  body: OrdersSearchFilter,
  response: z.object({
    total: z.int(),
    all: z.int(),
    counts: StatusCounts,
    late: z.int(),
    toCollect: z.int(),
  }),
  errors: [],
})

/** The most orders in one selection. */
export const MAX_SELECTED_ORDERS = 500

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
