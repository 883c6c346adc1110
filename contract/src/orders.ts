import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Freshness } from './order-health.ts'
import { PageQuery, Pagination } from './paging.ts'

/** The five statuses of an order, as written in Airtable. */
export const OrderStatus = z.enum([
  'In attesa',
  'Confermato',
  'Prenotato in Giornata',
  'Prenotato Domani',
  'Annullato',
])
export type OrderStatus = z.infer<typeof OrderStatus>

/** A status as displayed: one of the five, or another text from Airtable. */
export const StatusText = z.string().check(z.maxLength(200))

/** An Airtable record id: `rec` followed by letters and digits. */
export const RecordId = z.string().check(z.regex(/^rec[A-Za-z0-9]{1,40}$/))

/**
 * An order, with the column names of Airtable. Empty columns are absent. `Created` and `Last` are ISO 8601 in
 * UTC. `Stato` is any text because Airtable may contain other statuses; the server only writes one of the five.
 */
export const OrderFields = z.object({
  'ID Ordine': z.optional(z.union([z.string(), z.number()])),
  Cliente: z.optional(z.string()),
  Stato: z.string(),
  'Phone Number': z.optional(z.string()),
  Indirizzo: z.optional(z.string()),
  Created: z.string(),
  Last: z.string(),
  Ordine: z.optional(z.string()),
  /** The URL of the first attachment, or a path on this server that leads to it. */
  Image: z.optional(z.string()),
})
export type OrderFields = z.infer<typeof OrderFields>

/** `url` is a path on this server. `name`, `type` and `bytes` are as Airtable has them, where it does. */
export const OrderAttachment = z.object({
  url: z.string(),
  name: z.nullable(z.string()),
  type: z.nullable(z.string()),
  bytes: z.nullable(z.int()),
})
export type OrderAttachment = z.infer<typeof OrderAttachment>

/**
 * The pickup state of an order, which stands beside its status and is not in Airtable.
 * - `ready`: the order waits for its customer
 * - `collected`: the customer has taken the order
 * - `put_back`: the pharmacy has put the products back, because the customer did not come
 */
export const OrderPickup = z.enum(['none', 'ready', 'collected', 'put_back'])
export type OrderPickup = z.infer<typeof OrderPickup>

export const OrderRecord = z.object({
  id: RecordId,
  createdTime: z.string(),
  fields: OrderFields,
  /** All attachments, where there are several or one is no picture. */
  attachments: z.optional(z.array(OrderAttachment)),
  /** Whether a user of the pharmacy has seen the order, on any screen. */
  seen: z.boolean(),
  /** When the order became ready for its customer, and when the customer took it. Absent: not yet. */
  readyAt: z.optional(z.string()),
  collectedAt: z.optional(z.string()),
  /** When it went back to the shelves instead. */
  putBackAt: z.optional(z.string()),
  /** The day until which it is kept for its customer (`2026-11-30`). */
  keptUntil: z.optional(z.string()),
  /** The places of those lines of the order that are there, and the number of all. Absent: none is, or the order is ready. */
  partly: z.optional(z.object({ there: z.array(z.int()), total: z.int() })),
  /** The day on which the rest is expected. */
  expectedOn: z.optional(z.string()),
})
export type OrderRecord = z.infer<typeof OrderRecord>

/** An order that has been 'In attesa' since this time is late. */
export const LATE_AFTER_MS = 2 * 60 * 60_000

/** Counts over all orders of the pharmacy, not only one page. */
export const OrderStatistics = z.object({
  total: z.int(),
  /** Confermato */
  confirmed: z.int(),
  /** In attesa */
  pending: z.int(),
  /** Prenotato in Giornata and Prenotato Domani together */
  processing: z.int(),
  /** Annullato */
  cancelled: z.int(),
  /** The late ones of `pending`. */
  late: z.int(),
  /** Ready and not collected. */
  toCollect: z.int(),
  /** The overdue ones of `toCollect`. */
  overdue: z.int(),
  /** The highest order number; null when no order has one. */
  lastOrderId: z.nullable(z.int()),
})
export type OrderStatistics = z.infer<typeof OrderStatistics>

/** The most record ids in one request or response. */
export const MAX_RECORD_IDS = 100

/** The orders that no user of the pharmacy has seen: their count, and the record ids of the newest hundred. */
export const UnseenOrders = z.object({
  count: z.int(),
  recordIds: z.array(RecordId).check(z.maxLength(MAX_RECORD_IDS)),
  /** For some of these record ids, the earlier id under which the order may have been announced. */
  formerly: z.optional(z.record(RecordId, RecordId)),
})
export type UnseenOrders = z.infer<typeof UnseenOrders>

/**
 * A notice that a change could not be written to Airtable.
 * - `refused`: Airtable refused the new status
 * - `conflict`: the order was changed in Airtable in the meantime
 * - `gone`: the order was deleted from Airtable
 * - `not_created`: Airtable refused an order created here, which remains in the copy
 *
 * `wanted` is the requested status, `kept` the current one; null when the order is gone.
 */
export const OrderNotice = z.object({
  recordId: RecordId,
  orderNumber: z.nullable(z.string()),
  kind: z.enum(['refused', 'conflict', 'gone', 'not_created']),
  wanted: z.string(),
  kept: z.nullable(z.string()),
  at: z.string(),
})
export type OrderNotice = z.infer<typeof OrderNotice>

/** The number of orders per status. Orders with another status than the five are not counted. */
export const StatusCounts = z.record(OrderStatus, z.int())
export type StatusCounts = z.infer<typeof StatusCounts>

export const OrdersPage = z.object({
  records: z.array(OrderRecord),
  /**
   * `counted` is false where counting would have taken longer than reading the page. The totals are then lower
   * bounds, and `countOrders` returns the exact ones.
   */
  pagination: z.extend(Pagination, { counted: z.boolean() }),
  statistics: OrderStatistics,
  /** Over all orders of the pharmacy, regardless of the filter. */
  counts: StatusCounts,
  freshness: Freshness,
  /** Over all orders of the pharmacy, regardless of the page and the filter. */
  unseen: UnseenOrders,
  /** The notices not dismissed yet, newest first; at most twenty. */
  notices: z.array(OrderNotice),
})
export type OrdersPage = z.infer<typeof OrdersPage>

/** A period of days in Europe/Rome. All end today, except `ieri` and `mese-scorso`. */
export const Period = z.enum([
  'oggi',
  'ieri',
  'ultimi-7-giorni',
  'ultimi-30-giorni',
  'questo-mese',
  'mese-scorso',
])
export type Period = z.infer<typeof Period>

/** Newest first (the default), oldest first, last changed first, by the customer's name. */
export const OrderSort = z.enum(['recenti', 'meno-recenti', 'aggiornati', 'cliente'])
export type OrderSort = z.infer<typeof OrderSort>

/** A list of statuses, or a comma-separated text as in a query string. Absent: any status. */
const Statuses = z.pipe(
  z.union([
    z.pipe(
      z.string(),
      z.transform((words) => words.split(',')),
    ),
    z.array(z.string()),
  ]),
  z.array(OrderStatus).check(
    z.minLength(1),
    z.maxLength(OrderStatus.options.length),
    z.overwrite((statuses) => OrderStatus.options.filter((status) => statuses.includes(status))),
  ),
)

/**
 * Filters orders by status and by creation date: a period, or the days from `dal` to `al`, inclusive and each
 * optional. The days take precedence over the period. `ritardo` takes the late orders, and
 * `ritiro` those that are ready and not collected, or the overdue ones of them, whatever `stato` says.
 */
export const OrdersFilter = z.object({
  stato: z.optional(Statuses),
  ritardo: z.optional(z.literal('si')),
  ritiro: z.optional(z.enum(['si', 'scaduti'])),
  periodo: z.optional(Period),
  dal: z.optional(z.iso.date()),
  al: z.optional(z.iso.date()),
})
export type OrdersFilter = z.infer<typeof OrdersFilter>

export const OrdersQuery = z.extend(z.extend(PageQuery, OrdersFilter.shape), {
  ordina: z.optional(OrderSort),
})
export type OrdersQuery = z.infer<typeof OrdersQuery>

/** One page of the pharmacy's orders, newest first by default. */
export const listOrders = endpoint({
  method: 'GET',
  path: '/api/airtable-orders',
  summary: 'List orders, one page at a time, newest first',
  access: 'pharmacy',
  supportSession: 'masked',
  query: OrdersQuery,
  response: OrdersPage,
  errors: [],
})

/**
 * Streams all orders of a pharmacy, newest first. A pharmacy gets its own orders; an administrator names the pharmacy
 * by its id or its code in `pharmacyFilter`.
 */
export const listAllOrders = endpoint({
  method: 'GET',
  path: '/api/airtable-orders',
  requiredQuery: { getAllRecords: 'true' },
  summary: 'List all orders of a pharmacy, newest first',
  access: 'pharmacy-or-admin',
  query: z.object({
    getAllRecords: z.literal('true'),
    pharmacyFilter: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  }),
  response: z.object({ records: z.array(OrderRecord) }),
  errors: ['pharmacy.not_named', 'pharmacy.not_found'],
})

/** Reads Airtable now, unless it was read a few seconds ago, and returns the state of the copy. */
export const refreshOrders = endpoint({
  method: 'POST',
  path: '/api/airtable-orders/refresh',
  summary: 'Refresh the copy of the orders now',
  access: 'pharmacy',
  audit: { none: 'reads' },
  response: Freshness,
  errors: [],
})

/** Marks the orders as seen, for all screens of the pharmacy. */
export const markOrdersSeen = endpoint({
  method: 'POST',
  path: '/api/orders/seen',
  summary: 'Mark orders as seen',
  access: 'pharmacy',
  audit: { none: 'marks what has been read' },
  body: z.strictObject({
    recordIds: z.array(RecordId).check(z.minLength(1), z.maxLength(MAX_RECORD_IDS)),
  }),
  response: UnseenOrders,
  errors: [],
})

/** Dismisses a notice, for all screens of the pharmacy. */
export const dismissOrderNotice = endpoint({
  method: 'DELETE',
  path: '/api/orders/:recordId/notice',
  summary: 'Dismiss the notice about a change of an order',
  access: 'pharmacy',
  audit: { none: 'marks what has been read' },
  params: z.object({ recordId: RecordId }),
  response: z.object({}),
  errors: [],
})

/** Sets the status of one order. Other fields are refused. */
export const changeOrderStatus = endpoint({
  method: 'PATCH',
  path: '/api/airtable-orders/:recordId',
  summary: 'Update the status of an order',
  access: 'pharmacy',
  audit: { none: 'orders have a history of their own' },
  params: z.object({ recordId: RecordId }),
  /** `was`: the status known to the caller. The request is refused if the order has another one by now. */
  query: z.object({ was: z.optional(StatusText) }),
  body: z.strictObject({ fields: z.strictObject({ Stato: OrderStatus }) }),
  response: OrderRecord,
  errors: [
    'orders.not_found',
    'orders.changed_meanwhile',
    'orders.source_refused',
    'orders.conflict',
  ],
})
