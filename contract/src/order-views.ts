import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { SearchText } from './order-search.ts'
import { OrderSort, OrdersFilter } from './orders.ts'

/** The most views a pharmacy keeps, and the longest name of one. */
export const MOST_VIEWS = 30
export const VIEW_NAME_LENGTH = 60

/** What a view shows: everything the address of the list says but for its page. */
export const ViewSearch = OrdersFilter.extend({
  q: SearchText.optional(),
  ordina: OrderSort.optional(),
})
export type ViewSearch = z.infer<typeof ViewSearch>

export const OrderView = z.object({ id: z.uuid(), name: z.string(), search: ViewSearch })
export type OrderView = z.infer<typeof OrderView>

const Name = z.string().trim().min(1).max(VIEW_NAME_LENGTH)
const ofView = z.object({ viewId: z.uuid() })

/** By name. All screens of the pharmacy have the same. */
export const listOrderViews = endpoint({
  method: 'GET',
  path: '/api/orders/views',
  summary: 'The saved views of the orders',
  access: 'pharmacy',
  response: z.object({ views: z.array(OrderView) }),
  errors: [],
})

/** A name that another view has is refused, whatever its case. */
export const addOrderView = endpoint({
  method: 'POST',
  path: '/api/orders/views',
  summary: 'Saves a view of the orders',
  access: 'pharmacy',
  body: z.strictObject({ name: Name, search: ViewSearch }),
  response: OrderView,
  errors: ['views.name_taken', 'views.too_many'],
})

export const changeOrderView = endpoint({
  method: 'PATCH',
  path: '/api/orders/views/:viewId',
  summary: 'Gives a view another name, or has it show something else',
  access: 'pharmacy',
  params: ofView,
  body: z.strictObject({ name: Name.optional(), search: ViewSearch.optional() }),
  response: OrderView,
  errors: ['views.not_found', 'views.name_taken'],
})

export const removeOrderView = endpoint({
  method: 'DELETE',
  path: '/api/orders/views/:viewId',
  summary: 'Removes a view',
  access: 'pharmacy',
  params: ofView,
  response: z.object({}),
  errors: ['views.not_found'],
})
