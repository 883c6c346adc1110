import { z } from 'zod/mini'

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
