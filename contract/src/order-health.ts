import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { PageQuery, Pagination } from './paging.ts'

/**
 * Why Airtable was not read: see `SourceErrorKind` in the server's port `order-source`. `internal`: Airtable has
 * answered, but the reading failed here.
 */
export const SourceFailure = z.enum([
  'unreachable',
  'rate_limited',
  'denied',
  'not_found',
  'refused',
  'internal',
])
export type SourceFailure = z.infer<typeof SourceFailure>

/**
 * The state of the copy of a pharmacy's orders.
 * - `stale`: the last reading of Airtable failed
 * - `syncedAt`: the time of the last successful reading (ISO 8601, UTC); null if there was none, or if the orders
 *   exist only in the database
 * - `pendingChanges`: the number of new orders and statuses not yet written to Airtable
 * - `trouble`: why the last reading failed; null if it succeeded
 * - `setAside`: the number of quarantined records, which could not be parsed
 * - `missingColumns`: the required columns that the table does not have
 */
export const Freshness = z.object({
  source: z.enum(['airtable', 'database']),
  stale: z.boolean(),
  syncedAt: z.nullable(z.string()),
  pendingChanges: z.int(),
  trouble: z.nullable(SourceFailure),
  setAside: z.int(),
  missingColumns: z.array(z.string()),
})
export type Freshness = z.infer<typeof Freshness>

/** A record of Airtable that could not be parsed. `reason` names columns, never their values. */
export const QuarantinedRecord = z.object({
  recordId: z.string(),
  reason: z.string(),
  since: z.string(),
})

/** Diagnostics of the copy of a pharmacy's orders. Times are ISO 8601 in UTC. */
export const OrdersHealth = z.object({
  source: z.enum(['airtable', 'database']),
  lastPull: z.nullable(z.string()),
  lastError: z.nullable(z.object({ kind: SourceFailure, at: z.string() })),
  /** The number of changes not yet written to Airtable, and the time of the oldest. */
  queue: z.int(),
  queueSince: z.nullable(z.string()),
  setAside: z.int(),
  missingColumns: z.array(z.string()),
  /** When the last sweep looked for records deleted from Airtable. */
  lastSweep: z.nullable(z.string()),
})
export type OrdersHealth = z.infer<typeof OrdersHealth>

export const getOrdersHealth = endpoint({
  method: 'GET',
  path: '/api/orders/health',
  summary: 'Get the health of the copy of the orders, with the quarantined records',
  access: 'pharmacy',
  supportSession: 'shown',
  response: z.extend(OrdersHealth, { records: z.array(QuarantinedRecord) }),
  errors: [],
})

export const listOrdersHealth = endpoint({
  method: 'GET',
  path: '/api/admin/orders/health',
  summary: 'List the health of the copies of all pharmacies, failing ones first',
  access: 'admin',
  query: PageQuery,
  response: z.object({
    pharmacies: z.array(
      z.extend(OrdersHealth, { id: z.uuid(), pharmacyId: z.string(), name: z.string() }),
    ),
    pagination: Pagination,
  }),
  errors: [],
})
