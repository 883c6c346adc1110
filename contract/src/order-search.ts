import { z } from 'zod'
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
 * Words of an order: number, customer, telephone, address or product. All of them must be in it, each
 * whole or in part; case, accents and punctuation do not count.
 */
export const SearchText = z.string().trim().min(1).max(100)

/**
 * The same page as `listOrders`, of the orders that hold some words. What a customer asked for has no
 * place in an address, which others write down on the way: hence a body.
 */
export const searchOrders = endpoint({
  method: 'POST',
  path: '/api/orders/search',
  summary: 'One page of the orders that hold some words',
  access: 'pharmacy',
  body: OrdersQuery.extend({ q: SearchText }),
  response: OrdersPage,
  errors: [],
})

/** What is looked for, in the body of a call. */
export const OrdersSought = OrdersFilter.extend({ q: SearchText.optional() })
export type OrdersSought = z.infer<typeof OrdersSought>

/** How many orders there are of that kind, of each state whichever `stato` asks for. */
export const countOrders = endpoint({
  method: 'POST',
  path: '/api/orders/count',
  summary: 'Counts orders by status',
  access: 'pharmacy',
  body: OrdersSought,
  /** `total` is of the states asked for, `all` of any. */
  response: z.object({ total: z.number().int(), all: z.number().int(), counts: StatusCounts }),
  errors: [],
})

/** The most orders that are selected at once. */
export const MOST_SELECTED = 500

/** Which orders those are, the newest first, to do something with all of them. */
export const selectOrders = endpoint({
  method: 'POST',
  path: '/api/orders/selection',
  summary: 'The record ids and states of the orders of that kind, the newest 500',
  access: 'pharmacy',
  body: OrdersSought,
  response: z.object({
    orders: z.array(z.object({ recordId: RecordId, status: z.string() })).max(MOST_SELECTED),
    /** There are more than those. */
    more: z.boolean(),
  }),
  errors: [],
})

/** The most orders that are changed in one call. */
export const MOST_CHANGED = 100

/** A change of one order among several. `was`: as in `changeOrderStatus`. */
export const StatusChange = z.strictObject({
  recordId: RecordId,
  Stato: OrderStatus,
  was: z.string().max(200).optional(),
})
export type StatusChange = z.infer<typeof StatusChange>

/**
 * Changes the status of several orders, each by itself: what cannot be changed is said and left as it is.
 * The order store follows in the background.
 */
export const changeOrdersStatus = endpoint({
  method: 'POST',
  path: '/api/orders/status',
  summary: 'Changes the status of several orders',
  access: 'pharmacy',
  body: z.strictObject({ changes: z.array(StatusChange).min(1).max(MOST_CHANGED) }),
  response: z.object({
    /** With the status each had before, which may be the one it was to have. */
    changed: z.array(z.object({ recordId: RecordId, from: z.string(), to: OrderStatus })),
    /** `now` is the status somebody has given it meanwhile; null when the order is gone. */
    left: z.array(z.object({ recordId: RecordId, now: z.string().nullable() })),
  }),
  errors: [],
})
