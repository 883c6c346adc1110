import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Freshness } from './order-health.ts'
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

/** A status as a screen shows it, which may be a word of the order store. */
export const ShownStatus = z.string().max(200)

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
  /** An address of its own, or a path of this server once the picture has been copied. */
  Image: z.string().optional(),
})
export type OrderFields = z.infer<typeof OrderFields>

export const OrderRecord = z.object({
  id: RecordId,
  createdTime: z.string(),
  fields: OrderFields,
  /** Somebody of the pharmacy has seen it, on whichever screen. */
  seen: z.boolean(),
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

/** The most record ids that are named at once. */
export const MOST_NAMED = 100

/** The orders nobody of the pharmacy has seen: how many, and the newest hundred by record id. */
export const Unseen = z.object({
  count: z.number().int(),
  recordIds: z.array(RecordId).max(MOST_NAMED),
  /** By the record ids of some of them, those under which they may have been told of before. */
  formerly: z.record(RecordId, RecordId).optional(),
})
export type Unseen = z.infer<typeof Unseen>

/**
 * A change of status that did not come to pass after all. `refused`: the store does not take it;
 * `conflict`: the order was changed in the store meanwhile; `gone`: the store does not have it any more.
 * `kept` is the status it has now, null when it is gone. `not_created`: the store does not take an order
 * that was made here, which stays as it is.
 */
export const OrderNotice = z.object({
  recordId: RecordId,
  orderNumber: z.string().nullable(),
  kind: z.enum(['refused', 'conflict', 'gone', 'not_created']),
  wanted: z.string(),
  kept: z.string().nullable(),
  at: z.string(),
})
export type OrderNotice = z.infer<typeof OrderNotice>

/** How many orders there are of each state. One whose state is none of the five is in no count. */
export const StatusCounts = z.record(OrderStatus, z.number().int())
export type StatusCounts = z.infer<typeof StatusCounts>

export const OrdersPage = z.object({
  records: z.array(OrderRecord),
  /**
   * `counted` is false where counting would have taken longer than finding: the totals are then what is
   * known to be there, and `countOrders` tells the rest.
   */
  pagination: Pagination.extend({ counted: z.boolean() }),
  statistics: OrderStatistics,
  /** Of all orders of the pharmacy, whatever the filter. */
  counts: StatusCounts,
  freshness: Freshness,
  /** Of the whole pharmacy, whatever the page and its filter. */
  unseen: Unseen,
  /** What the pharmacy has not read yet, newest first; at most twenty. */
  notices: z.array(OrderNotice),
})
export type OrdersPage = z.infer<typeof OrdersPage>

/** Days of Europe/Rome. The weeks and months are those that end today, but for the last two. */
export const Period = z.enum([
  'oggi',
  'ieri',
  'ultimi-7-giorni',
  'ultimi-30-giorni',
  'questo-mese',
  'mese-scorso',
])
export type Period = z.infer<typeof Period>

/** Newest first, as they are without a word about it; oldest first; last changed first; by the customer's name. */
export const OrderSort = z.enum(['recenti', 'meno-recenti', 'aggiornati', 'cliente'])
export type OrderSort = z.infer<typeof OrderSort>

/** A list, or what stands for it in an address: the words with commas between them. None is any. */
const Statuses = z
  .union([z.string().transform((words) => words.split(',')), z.array(z.string())])
  .pipe(z.array(OrderStatus).min(1).max(OrderStatus.options.length))
  .transform((statuses) => OrderStatus.options.filter((status) => statuses.includes(status)))
  // What comes of it, for the API's document.
  .pipe(z.array(OrderStatus))

/**
 * Which orders: of some states, made in a period or from one day (`dal`) to another (`al`), both included
 * and each alone if need be. The days count where both are given.
 */
export const OrdersFilter = z.object({
  stato: Statuses.optional(),
  periodo: Period.optional(),
  dal: z.iso.date().optional(),
  al: z.iso.date().optional(),
})
export type OrdersFilter = z.infer<typeof OrdersFilter>

export const OrdersQuery = PageQuery.extend(OrdersFilter.shape).extend({
  ordina: OrderSort.optional(),
})
export type OrdersQuery = z.infer<typeof OrdersQuery>

/** One page of the pharmacy's orders, newest first unless asked otherwise. */
export const listOrders = endpoint({
  method: 'GET',
  path: '/api/airtable-orders',
  summary: 'One page of the orders of the signed-in pharmacy, newest first',
  access: 'pharmacy',
  query: OrdersQuery,
  response: OrdersPage,
  errors: [],
})

/**
 * Every order of a pharmacy, newest first, streamed. A pharmacy gets its own; an administrator names one
 * by its id or its code.
 */
export const listAllOrders = endpoint({
  method: 'GET',
  path: '/api/airtable-orders',
  onlyWith: { getAllRecords: 'true' },
  summary: 'All orders of a pharmacy, newest first',
  access: 'pharmacy-or-admin',
  query: z.object({
    getAllRecords: z.literal('true'),
    pharmacyFilter: z.string().min(1).max(64).optional(),
  }),
  response: z.object({ records: z.array(OrderRecord) }),
  errors: ['pharmacy.not_named', 'pharmacy.not_found'],
})

/** Reads the order store now, unless that was done a few seconds ago, and says how it went. */
export const refreshOrders = endpoint({
  method: 'POST',
  path: '/api/airtable-orders/refresh',
  summary: 'Brings the copy of the orders up to date now',
  access: 'pharmacy',
  response: Freshness,
  errors: [],
})

/** Notes that somebody has seen these orders: on all screens of the pharmacy they are new no more. */
export const markOrdersSeen = endpoint({
  method: 'POST',
  path: '/api/orders/seen',
  summary: 'Marks orders as seen',
  access: 'pharmacy',
  body: z.strictObject({ recordIds: z.array(RecordId).min(1).max(MOST_NAMED) }),
  response: Unseen,
  errors: [],
})

/** Somebody has read what became of a change: it is told no more. */
export const dismissOrderNotice = endpoint({
  method: 'DELETE',
  path: '/api/orders/:recordId/notice',
  summary: 'Takes away the notice about a change of an order',
  access: 'pharmacy',
  params: z.object({ recordId: RecordId }),
  response: z.object({}),
  errors: [],
})

/** Sets the status of one order. Nothing else can be changed: other fields are refused. */
export const changeOrderStatus = endpoint({
  method: 'PATCH',
  path: '/api/airtable-orders/:recordId',
  summary: 'Changes the status of an order',
  access: 'pharmacy',
  params: z.object({ recordId: RecordId }),
  /** The status on the screen: if the order has another by now, it is left as it is. */
  query: z.object({ was: ShownStatus.optional() }),
  body: z.strictObject({ fields: z.strictObject({ Stato: OrderStatus }) }),
  response: OrderRecord,
  errors: [
    'orders.not_found',
    'orders.changed_meanwhile',
    'orders.source_refused',
    'orders.conflict',
  ],
})
