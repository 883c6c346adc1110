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

/** Why the order store could not be used: see `SourceErrorKind` of the server. */
export const SourceTrouble = z.enum([
  'unreachable',
  'rate_limited',
  'denied',
  'not_found',
  'refused',
])
export type SourceTrouble = z.infer<typeof SourceTrouble>

/**
 * How fresh the copy is, and how well. `stale` is true when the order store could not be read just now;
 * `syncedAt` is the last time it could (ISO 8601, UTC), null if never or if the orders live in our
 * database only. `pendingChanges` counts status changes that have not reached the store yet, `setAside`
 * the records of the store that could not be understood. `trouble` is why the last reading failed, null
 * if it did not; `missingColumns` are those that the table should have and has not.
 */
export const Freshness = z.object({
  source: z.enum(['airtable', 'database']),
  stale: z.boolean(),
  syncedAt: z.string().nullable(),
  pendingChanges: z.number().int(),
  trouble: SourceTrouble.nullable(),
  setAside: z.number().int(),
  missingColumns: z.array(z.string()),
})
export type Freshness = z.infer<typeof Freshness>

/** The most record ids that are named at once. */
export const MOST_NAMED = 100

/** The orders nobody of the pharmacy has seen: how many, and the newest hundred by record id. */
export const Unseen = z.object({
  count: z.number().int(),
  recordIds: z.array(RecordId).max(MOST_NAMED),
})
export type Unseen = z.infer<typeof Unseen>

/**
 * A change of status that did not come to pass after all. `refused`: the store does not take it;
 * `conflict`: the order was changed in the store meanwhile; `gone`: the store does not have it any more.
 * `kept` is the status it has now, null when it is gone.
 */
export const OrderNotice = z.object({
  recordId: RecordId,
  orderNumber: z.string().nullable(),
  kind: z.enum(['refused', 'conflict', 'gone']),
  wanted: z.string(),
  kept: z.string().nullable(),
  at: z.string(),
})
export type OrderNotice = z.infer<typeof OrderNotice>

export const OrdersPage = z.object({
  records: z.array(OrderRecord),
  pagination: Pagination,
  statistics: OrderStatistics,
  freshness: Freshness,
  /** Of the whole pharmacy, whatever the page and its filter. */
  unseen: Unseen,
  /** What the pharmacy has not read yet, newest first; at most twenty. */
  notices: z.array(OrderNotice),
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

/** A record of the store that could not be understood; `reason` names columns, never what is in them. */
export const SetAside = z.object({ recordId: z.string(), reason: z.string(), since: z.string() })

/** How the copy of a pharmacy's orders fares. Times are ISO 8601 in UTC. */
export const OrdersHealth = z.object({
  source: z.enum(['airtable', 'database']),
  lastPull: z.string().nullable(),
  lastError: z.object({ kind: SourceTrouble, at: z.string() }).nullable(),
  /** Changes on their way to the store, and since when the oldest waits. */
  queue: z.number().int(),
  queueSince: z.string().nullable(),
  setAside: z.number().int(),
  missingColumns: z.array(z.string()),
  /** When the records that are gone from the store were last looked for. */
  lastSweep: z.string().nullable(),
})
export type OrdersHealth = z.infer<typeof OrdersHealth>

export const getOrdersHealth = endpoint({
  method: 'GET',
  path: '/api/orders/health',
  summary: 'How the copy of the orders fares, with the records that were set aside',
  access: 'pharmacy',
  response: OrdersHealth.extend({ records: z.array(SetAside) }),
  errors: [],
})

export const listOrdersHealth = endpoint({
  method: 'GET',
  path: '/api/admin/orders/health',
  summary: 'How the copies of all pharmacies fare, those in trouble first',
  access: 'admin',
  query: PageQuery,
  response: z.object({
    pharmacies: z.array(
      OrdersHealth.extend({ id: z.uuid(), pharmacyId: z.string(), name: z.string() }),
    ),
    pagination: Pagination,
  }),
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
  errors: ['orders.not_found', 'orders.source_refused', 'orders.conflict'],
})
