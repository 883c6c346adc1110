import type { AirtableOptions } from './adapters/airtable/airtable-client.ts'
import { createAirtableOrders } from './adapters/airtable/airtable-orders.ts'
import type { Database } from './database/database.ts'
import { createRequestSlots } from './platform/request-slots.ts'
import { countAirtable, type Telemetry } from './platform/telemetry/telemetry.ts'

export type AirtableSettings = Omit<AirtableOptions, 'slots'>

/** Airtable as the order source; null without settings. */
export function wireAirtable(
  db: Database,
  settings: AirtableSettings | undefined,
  { metrics }: Telemetry,
) {
  if (!settings) return null
  const counted = metrics && { fetch: countAirtable(metrics, settings.fetch) }
  return createAirtableOrders({ ...settings, ...counted, slots: createRequestSlots(db) })
}
