import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { OrderHold } from './order-details.ts'
import { RecordId } from './orders.ts'
import { ORDER_DAYS, OrderRetention } from './settings.ts'

/** For how long the orders of the own pharmacy keep their customers' data. */
export const OwnOrderRetention = z.extend(OrderRetention, {
  /** The days of the platform, which hold when the pharmacy has none; null: as long as the order. */
  platformDays: OrderRetention.shape.orderDays,
  /** Whether the orders are read from Airtable: they keep the data as long as they are there. */
  isOnAirtable: z.boolean(),
})
export type OwnOrderRetention = z.infer<typeof OwnOrderRetention>

export const getOrderRetention = endpoint({
  method: 'GET',
  path: '/api/order-retention',
  summary: 'Get for how long orders keep their customers’ data',
  access: 'pharmacy',
  role: 'owner',
  response: OwnOrderRetention,
  errors: [],
})

/** `orderDays`: null for those of the platform. `seen`: what the user has seen; refused when it has changed since. */
export const changeOrderRetention = endpoint({
  method: 'PUT',
  path: '/api/order-retention',
  summary: 'Change for how long orders keep their customers’ data',
  access: 'pharmacy',
  role: 'owner',
  audit: 'order_retention_changed',
  body: z.extend(OrderRetention, {
    seen: z.pick(OwnOrderRetention, { orderDays: true, platformDays: true }),
  }),
  response: OwnOrderRetention,
  errors: ['order_retention.changed_meanwhile'],
})

/** `orders` is null where there are more than can be counted quickly. Those whose customers are in contact are counted too. */
export const previewOwnOrderRetention = endpoint({
  method: 'GET',
  path: '/api/order-retention/preview',
  summary: 'Count the own orders whose customer data would be removed in the next night',
  access: 'pharmacy',
  role: 'owner',
  query: z.strictObject({
    orderDays: z.coerce
      .number()
      .check(z.int(), z.minimum(ORDER_DAYS.min), z.maximum(ORDER_DAYS.max)),
  }),
  response: z.object({ orders: z.nullable(z.int()) }),
  errors: [],
})

const holdParams = z.object({ recordId: RecordId })

/** An order that is held. */
export const HeldOrder = z.extend(OrderHold, { recordId: RecordId, number: z.nullable(z.string()) })
export type HeldOrder = z.infer<typeof HeldOrder>

/** The most orders that are listed. */
export const MAX_HELD_ORDERS = 200

export const listHeldOrders = endpoint({
  method: 'GET',
  path: '/api/order-holds',
  summary: 'List the orders that are held, oldest hold first',
  access: 'pharmacy',
  role: 'owner',
  response: z.object({ orders: z.array(HeldOrder) }),
  errors: [],
})

/** Can be repeated with the same reason. Another one is refused: it would replace that of a colleague. */
export const holdOrder = endpoint({
  method: 'PUT',
  path: '/api/orders/:recordId/hold',
  summary: 'Hold an order, so that its customer’s data are not deleted',
  access: 'pharmacy',
  role: 'owner',
  audit: 'order_held',
  params: holdParams,
  body: z.pick(OrderHold, { reason: true }),
  response: OrderHold,
  errors: ['orders.not_found', 'orders.customer_erased', 'orders.already_held'],
})

/** Can be repeated. */
export const releaseOrder = endpoint({
  method: 'DELETE',
  path: '/api/orders/:recordId/hold',
  summary: 'Release an order that is held',
  access: 'pharmacy',
  role: 'owner',
  audit: 'order_released',
  params: holdParams,
  response: z.object({}),
  errors: ['orders.not_found'],
})
