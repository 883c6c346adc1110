import { z } from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { SourceFailure } from './order-health.ts'
import { PageQuery, Pagination } from './paging.ts'

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
