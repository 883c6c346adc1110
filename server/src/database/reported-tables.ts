import { type RawBuilder, sql } from 'kysely'

/**
 * An SQL expression: the changes of the table are reported by the webhook of its base. A webhook counts once its pings
 * have arrived.
 *
 * @param base the reference to the id of the base in the query
 * @param table the reference to the id of the table
 */
export function isReported(base: string, table: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from airtable_webhooks as webhook
    where webhook.base_id = ${sql.ref(base)} and webhook.state = 'active'
      and (webhook.table_id is null or webhook.table_id = ${sql.ref(table)})
      and coalesce(webhook.expires_at > now(), true)
  )`
}
