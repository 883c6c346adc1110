import type { AirtableOptions } from '../adapters/airtable/airtable-client.ts'
import { checkAirtableToken, createAirtableUsers } from '../adapters/airtable/airtable-lists.ts'
import { createAirtableOrders } from '../adapters/airtable/airtable-orders.ts'
import { wireAirtableBases } from '../features/airtable/airtable.wiring.ts'
import { createAirtableTokensStore } from '../features/airtable/airtable-tokens.store.ts'
import type { OrdersModule } from '../features/orders/orders.wiring.ts'
import type { AppModule } from '../http/app-module.ts'
import { createAudit } from '../platform/audit.ts'
import type { Context } from '../platform/context.ts'
import { createOutbound } from '../platform/outbound.ts'
import { createRequestSlots } from '../platform/request-slots.ts'
import { createSealing } from '../platform/sealing.ts'
import { countAirtable, type Telemetry } from '../platform/telemetry/telemetry.ts'

export type AirtableSettings = Omit<AirtableOptions, 'slots' | 'ownToken' | 'userOf' | 'fetch'> & {
  /** Replaced in tests. */
  fetch?: AirtableOptions['fetch']
}

/** Time limit of the check of the configured token, in milliseconds: nothing else waits for it. */
const CHECK_MS = 20_000

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
  // A client of its own: the configured origin may be private, but URLs from data must not reach it.
  const outbound =
    airtable &&
    // The slots limit the requests: one that has a slot must not wait for a connection.
    createOutbound({ allow: [new URL(airtable.apiUrl).origin], connections: Infinity })
  const uncounted = airtable?.fetch ?? outbound?.fetch
  const fetch = uncounted && metrics ? countAirtable(metrics, uncounted) : uncounted
  const client = airtable && fetch && { ...airtable, fetch }
  const slots = createRequestSlots(db)
  const userOf = client && createAirtableUsers(client)
  const source = client
    ? createAirtableOrders({ ...client, ownToken: tokens.find, userOf, slots })
    : null
  return {
    source,
    /** Asks Airtable whose the configured token is; without one nothing is asked. @throws SourceError */
    async check(signal: AbortSignal): Promise<void> {
      if (client?.token)
        await checkAirtableToken({ ...client, token: client.token, timeLimitMs: CHECK_MS }, signal)
    },
    close: () => outbound?.close(),
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
