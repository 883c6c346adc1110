import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { PageQuery, Pagination } from './paging.ts'

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
 * database only. `pendingChanges` counts new orders and statuses that have not reached the store yet,
 * `setAside` the records of the store that could not be understood. `trouble` is why the last reading
 * failed, null if it did not; `missingColumns` are those that the table should have and has not.
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
