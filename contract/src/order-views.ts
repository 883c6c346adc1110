import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { SearchText } from './order-search.ts'
import { OrderSort, OrdersFilter } from './orders.ts'

/** The most saved views of a pharmacy, and the longest name in characters. */
export const MAX_VIEWS = 30
export const VIEW_NAME_LENGTH = 60

/** The filter, search text and sort order of a view: the URL state of the list without its page. */
export const ViewSearch = z.extend(OrdersFilter, {
  q: z.optional(SearchText),
  ordina: z.optional(OrderSort),
})
export type ViewSearch = z.infer<typeof ViewSearch>

export const OrderView = z.object({ id: z.uuid(), name: z.string(), search: ViewSearch })
export type OrderView = z.infer<typeof OrderView>

const Name = z.string().check(z.trim(), z.minLength(1), z.maxLength(VIEW_NAME_LENGTH))
const viewParams = z.object({ viewId: z.uuid() })

/** The views of the pharmacy, shared by all its users, sorted by name. */
export const listOrderViews = endpoint({
  method: 'GET',
  path: '/api/orders/views',
  summary: 'List the saved views',
  access: 'pharmacy',
  response: z.object({ views: z.array(OrderView) }),
  errors: [],
})

/** Names are unique, ignoring case. */
export const addOrderView = endpoint({
  method: 'POST',
  path: '/api/orders/views',
  summary: 'Create a saved view',
  access: 'pharmacy',
  audit: 'order_view_added',
  body: z.strictObject({ name: Name, search: ViewSearch }),
  response: OrderView,
  errors: ['views.name_taken', 'views.too_many'],
})

export const changeOrderView = endpoint({
  method: 'PATCH',
  path: '/api/orders/views/:viewId',
  summary: 'Update a saved view',
  access: 'pharmacy',
  audit: 'order_view_changed',
  params: viewParams,
  body: z.strictObject({ name: z.optional(Name), search: z.optional(ViewSearch) }),
  response: OrderView,
  errors: ['views.not_found', 'views.name_taken'],
})

export const removeOrderView = endpoint({
  method: 'DELETE',
  path: '/api/orders/views/:viewId',
  summary: 'Delete a saved view',
  access: 'pharmacy',
  audit: 'order_view_removed',
  params: viewParams,
  response: z.object({}),
  errors: ['views.not_found'],
})
