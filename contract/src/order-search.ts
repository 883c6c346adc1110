import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { OrdersFilter, OrdersPage, OrdersQuery, StatusCounts } from './orders.ts'

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
    overdue: z.int(),
  }),
  errors: [],
})

/** The most orders in one selection. */
export const MAX_SELECTED_ORDERS = 500
