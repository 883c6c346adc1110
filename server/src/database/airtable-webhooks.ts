import { type RawBuilder, sql } from 'kysely'

/**
 * An SQL expression: the changes of the base are reported by its webhook. A webhook counts once its pings have arrived.
 *
 * @param column the reference to the id of the base in the query
 */
export function isReported(column: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from airtable_webhooks as webhook
    where webhook.base_id = ${sql.ref(column)} and webhook.state = 'active'
      and coalesce(webhook.expires_at > now(), true)
  )`
}
