import type { AirtableOptions } from '../adapters/airtable/airtable-client.ts'
import { createAirtableUsers } from '../adapters/airtable/airtable-lists.ts'
import { createAirtableOrders } from '../adapters/airtable/airtable-orders.ts'
import { wireAirtableBases } from '../features/airtable/airtable.wiring.ts'
import { createAirtableTokensStore } from '../features/airtable/airtable-tokens.store.ts'
import type { OrdersModule } from '../features/orders/orders.wiring.ts'
import type { AppModule } from '../http/app-module.ts'
import { createAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { createRequestSlots } from '../platform/request-slots.ts'
import { createSealing } from '../platform/sealing.ts'
import { countAirtable, type Telemetry } from '../platform/telemetry/telemetry.ts'

export type AirtableSettings = Omit<AirtableOptions, 'slots' | 'ownToken' | 'userOf'>

type Dependencies = Context & {
  /** Without `airtable` nothing is read from Airtable. */
  settings: { airtable: AirtableSettings | undefined; publicUrl: string; telemetry?: Telemetry }
}

/** Airtable as the order source, null without settings; and what belongs to its bases. */
export function wireAirtable(dependencies: Dependencies) {
  const { db, secrets, settings } = dependencies
  const sealing = createSealing(secrets, 'airtable bases')
  const tokens = createAirtableTokensStore(db, sealing, createAudit(db))
  const { airtable, publicUrl } = settings
  const metrics = settings.telemetry?.metrics
  const counted = metrics && airtable && { fetch: countAirtable(metrics, airtable.fetch) }
  const slots = createRequestSlots(db)
  const userOf = airtable && createAirtableUsers({ ...airtable, ...counted })
  const source = airtable
    ? createAirtableOrders({ ...airtable, ...counted, ownToken: tokens.find, userOf, slots })
    : null
  return {
    source,
    bases: (
      orders: Pick<OrdersModule, 'onBaseChanged' | 'onBaseToken' | 'onRecordsRemoved'>,
    ): AppModule =>
      wireAirtableBases({
        ...dependencies,
        sealing,
        tokens,
        airtable:
          source && airtable && userOf
            ? { source: source.webhooks, apiUrl: airtable.apiUrl, token: airtable.token, userOf }
            : undefined,
        publicUrl,
        onChanged: orders.onBaseChanged,
        onToken: orders.onBaseToken,
        onRemoved: orders.onRecordsRemoved,
      }),
  }
}
