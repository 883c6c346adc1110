import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PageQuery, Pagination } from './paging.ts'

/** The five states of an order, in the words of the order store. */
export const OrderStatus = z.enum([
  'In attesa',
  'Confermato',
  'Prenotato in Giornata',
  'Prenotato Domani',
  'Annullato',
])
export type OrderStatus = z.infer<typeof OrderStatus>

/** A record id of the order store: `rec` and letters or digits. */
export const RecordId = z.string().regex(/^rec[A-Za-z0-9]{1,40}$/)

/**
 * An order, with the column names of the order store. A column that is empty there is absent here.
 * `Created` and `Last` are ISO 8601 in UTC. `Stato` is text because the store may hold a word that is
 * none of the five; what we write is always one of them.
 */
export const OrderFields = z.object({
  'ID Ordine': z.union([z.string(), z.number()]).optional(),
  Cliente: z.string().optional(),
  Stato: z.string(),
  'Phone Number': z.string().optional(),
  Indirizzo: z.string().optional(),
  Created: z.string(),
  Last: z.string(),
  Ordine: z.string().optional(),
  Image: z.string().optional(),
})
export type OrderFields = z.infer<typeof OrderFields>

export const OrderRecord = z.object({
  id: RecordId,
  createdTime: z.string(),
  fields: OrderFields,
})
export type OrderRecord = z.infer<typeof OrderRecord>

/** Counts over all orders of the pharmacy, not over a page. */
export const OrderStatistics = z.object({
  total: z.number().int(),
  /** Confermato */
  confirmed: z.number().int(),
  /** In attesa */
  pending: z.number().int(),
  /** Prenotato in Giornata and Prenotato Domani together */
  processing: z.number().int(),
  /** Annullato */
  cancelled: z.number().int(),
  /** The highest number among the order ids; null when there is none. */
  lastOrderId: z.number().int().nullable(),
})
export type OrderStatistics = z.infer<typeof OrderStatistics>

/**
 * How fresh the copy is. `stale` is true when the order store could not be read just now; `syncedAt`
 * is the last time it could (ISO 8601, UTC), null if never or if the orders live in our database only.
 * `pendingChanges` counts status changes that have not reached the store yet.
 */
export const Freshness = z.object({
  source: z.enum(['airtable', 'database']),
  stale: z.boolean(),
  syncedAt: z.string().nullable(),
  pendingChanges: z.number().int(),
})
export type Freshness = z.infer<typeof Freshness>

export const OrdersPage = z.object({
  records: z.array(OrderRecord),
  pagination: Pagination,
  statistics: OrderStatistics,
  freshness: Freshness,
})
export type OrdersPage = z.infer<typeof OrdersPage>

/** What the address bar of the dashboard and the query of the call hold: page, size, and one state. */
export const OrdersQuery = PageQuery.extend({ stato: OrderStatus.optional() })
export type OrdersQuery = z.infer<typeof OrdersQuery>

/** One page of the pharmacy's orders, newest first, optionally of one state only. */
export const listOrders = endpoint({
  method: 'GET',
  path: '/api/airtable-orders',
  summary: 'One page of the orders of the signed-in pharmacy, newest first',
  access: 'pharmacy',
  query: OrdersQuery,
  response: OrdersPage,
  errors: [],
})

/** Sets the status of one order. Nothing else can be changed: other fields are refused. */
export const changeOrderStatus = endpoint({
  method: 'PATCH',
  path: '/api/airtable-orders/:recordId',
  summary: 'Changes the status of an order',
  access: 'pharmacy',
  params: z.object({ recordId: RecordId }),
  body: z.strictObject({ fields: z.strictObject({ Stato: OrderStatus }) }),
  response: OrderRecord,
  errors: ['orders.not_found', 'orders.source_refused'],
})
