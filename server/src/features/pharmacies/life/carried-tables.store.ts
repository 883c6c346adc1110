import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { DB } from '../../../database/schema.gen.ts'
import { people, tables } from './pharmacy-tables.store.ts'

/** Rows of a table that are carried with a pharmacy. */
type CarriedRows = {
  /** Undefined: those that `pharmacy-tables.store.ts` names. */
  where?: (pharmacyId: string) => RawBuilder<unknown>
  /** Columns that are empty in the export where the condition does not hold. */
  only?: Record<string, (pharmacyId: string) => RawBuilder<unknown>>
}

/**
 * - `never`: belongs to the processes or to the database itself
 * - `with_all`: in an export of everything, and not with a pharmacy
 */
type Carried = 'never' | 'with_all' | CarriedRows

const own: CarriedRows = {}

const where = (condition: (pharmacyId: string) => RawBuilder<unknown>): CarriedRows => ({
  where: condition,
})

/** Of a table whose rows follow others, and name the pharmacy too. */
const named = where((pharmacyId) => sql`pharmacy_id = ${pharmacyId}`)

/** The people and the pharmacy's own account, also where it is an administrator's. */
const accounts = (pharmacyId: string) =>
  sql`(select ${pharmacyId}::uuid union ${people(pharmacyId)})`

/** Who shows a picture, in the terms of `image_uses`. */
const holders = (pharmacyId: string) => sql`(
  select 'offer:' || id from product_offers where pharmacy_id = ${pharmacyId} union all select 'logo:' || ${pharmacyId}
)`
/** Its own pictures, and those of the archive of products that it shows. */
const pictures = (pharmacyId: string) => sql`(
  select public_id from images where pharmacy_id = ${pharmacyId}
  union select public_id from image_uses where holder in ${holders(pharmacyId)}
)`
const files = (pharmacyId: string) => sql`(
  select file_key from images where file_key is not null and public_id in ${pictures(pharmacyId)}
  union select file_key from storage_objects where folder = ${pharmacyId}::text
)`

/**
 * Every table of the database: whether its rows are in an export of everything, and in that of one pharmacy. A table that
 * is added does not compile before it is listed here.
 */
const carried: Record<keyof DB, Carried> = {
  admin_users: 'with_all',
  // Of a base, which may serve other pharmacies as well.
  airtable_tokens: 'with_all',
  // Reports to the address of the server that made it.
  airtable_webhooks: 'never',
  analytics_changes: own,
  analytics_hours: own,
  analytics_notes: own,
  analytics_offer_days: own,
  analytics_settings: own,
  analytics_shares: own,
  api_keys: own,
  // The chain of hashes has the events of all.
  audit_events: 'with_all',
  audit_seals: 'with_all',
  audit_unsealed: 'with_all',
  auth_challenges: 'with_all',
  auth_external_flows: 'with_all',
  auth_factors: where((pharmacyId) => sql`user_id in ${people(pharmacyId)}`),
  auth_flow_states: 'with_all',
  // A service of the same name may be another one there, whose accounts are other people.
  auth_identities: 'with_all',
  auth_one_time_tokens: 'with_all',
  // Hashed with a key of APP_SECRET.
  auth_recovery_codes: 'with_all',
  auth_refresh_tokens: 'with_all',
  auth_sessions: 'with_all',
  auth_signing_keys: 'with_all',
  auth_users: {
    where: (pharmacyId) => sql`id in ${accounts(pharmacyId)}`,
    // With an administrator's password one signs in as administrator on the server that exports.
    only: { password_hash: (pharmacyId) => sql`id in ${people(pharmacyId)}` },
  },
  backup_alerts: 'never',
  backup_archive: 'never',
  backup_customer_erasures: 'with_all',
  backup_erasures: 'with_all',
  backup_keys: 'with_all',
  backup_runs: 'never',
  image_uses: where((pharmacyId) => sql`holder in ${holders(pharmacyId)}`),
  images: {
    where: (pharmacyId) => sql`public_id in ${pictures(pharmacyId)}`,
    only: { pharmacy_id: (pharmacyId) => sql`pharmacy_id = ${pharmacyId}` },
  },
  job_workers: 'never',
  medicine_imports: 'with_all',
  medicines: 'with_all',
  migration_items: named,
  migration_records: named,
  migration_runs: own,
  notice_dismissals: 'with_all',
  offer_events: own,
  offer_order_codes: own,
  offer_page_views: own,
  offer_price_terms: own,
  order_aliases: own,
  order_attachments: own,
  order_changes: own,
  order_confirmations: own,
  order_copies: own,
  order_creations: own,
  order_events: own,
  // A file that is made within minutes.
  order_exports: 'with_all',
  order_image_files: where(
    (pharmacyId) =>
      sql`pharmacy_id = ${pharmacyId} and key in (
        select key from order_images where pharmacy_id = ${pharmacyId}
        union all select key from order_attachments where pharmacy_id = ${pharmacyId}
      )`,
  ),
  order_holds: own,
  order_images: own,
  order_migrations: own,
  order_notes: own,
  order_notices: own,
  order_requests: own,
  order_retention_periods: own,
  order_search: own,
  order_set_aside: own,
  order_source_leases: 'never',
  order_views: own,
  pharmacies: own,
  pharmacy_analytics_cache: own,
  pharmacy_exports: 'with_all',
  pharmacy_import_rows: 'with_all',
  pharmacy_imports: 'with_all',
  pharmacy_members: where(
    (pharmacyId) =>
      sql`pharmacy_id = ${pharmacyId} and (removed_at is not null or user_id in ${accounts(pharmacyId)})`,
  ),
  // Orders that are closed while a pharmacy moves are not closed there.
  pharmacy_order_counts: own,
  pharmacy_orders: own,
  pharmacy_profiles: own,
  pharmacy_purge_files: 'with_all',
  pharmacy_purge_steps: 'with_all',
  pharmacy_purges: 'with_all',
  plan_deviations: own,
  platform_settings: 'with_all',
  priority_access_sessions: own,
  priority_counters: own,
  priority_displays: own,
  priority_events: named,
  priority_links: named,
  priority_settings: own,
  privacy_texts: 'with_all',
  product_categories: 'with_all',
  product_image_archive: 'with_all',
  product_offers: own,
  push_arrivals: own,
  push_keys: 'with_all',
  // Registered for the push key of the server, in a session.
  push_subscriptions: 'with_all',
  rate_limits: 'never',
  realtime_messages: 'never',
  realtime_nodes: 'never',
  realtime_presences: 'never',
  reply_texts: own,
  request_places: 'never',
  request_silences: 'never',
  // Written by the migrations themselves.
  schema_migrations: 'never',
  service_checks: 'never',
  storage_buckets: 'with_all',
  storage_objects: {
    where: (pharmacyId) => sql`folder = ${pharmacyId}::text`,
    only: { owner: (pharmacyId) => sql`owner in ${accounts(pharmacyId)}` },
  },
  stored_files: where(
    (pharmacyId) => sql`key in ${files(pharmacyId)} or drawn_from in ${files(pharmacyId)}`,
  ),
  subscription_plans: 'with_all',
  // Of the operator.
  support_visits: 'with_all',
  used_pharmacy_codes: where(
    (pharmacyId) =>
      sql`code = (select upper(pharmacy_id) from pharmacies where id = ${pharmacyId})`,
  ),
  visit_queue: own,
  // By pseudonyms with the salt of the day.
  visitors: 'with_all',
  visitor_salts: 'with_all',
  whatsapp_acceptances: own,
  whatsapp_connections: own,
  whatsapp_consents: own,
  whatsapp_contacts: own,
  whatsapp_deletions: 'with_all',
  whatsapp_deliveries: own,
  whatsapp_inbound: own,
  whatsapp_inbox: 'with_all',
  whatsapp_message_settings: own,
  whatsapp_order_contacts: own,
  whatsapp_outbox: own,
  whatsapp_templates: own,
  whatsapp_unrouted: 'with_all',
}

export type CarriedTable = { name: string; where?: string; values?: Record<string, string> }

/** Of a pharmacy. */
export type PharmacyRows = CarriedTable & { where: string }

/** The tables of an export of everything. */
export const allTables: readonly CarriedTable[] = Object.entries(carried).flatMap(([name, rows]) =>
  rows === 'never' ? [] : [{ name }],
)

/** The tables of the export of a pharmacy, with the conditions of their rows as SQL. @param pharmacyId a UUID */
export function tablesOfPharmacy(db: Database, pharmacyId: string): PharmacyRows[] {
  // COPY takes no parameters.
  const text = (condition: RawBuilder<unknown>) =>
    condition.compile(db).sql.replace(/\$\d+/g, `'${pharmacyId}'`)
  return Object.entries(carried).flatMap(([name, rows]): PharmacyRows[] => {
    if (typeof rows === 'string') return []
    const values: Record<string, string> = {}
    for (const [column, condition] of Object.entries(rows.only ?? {})) {
      values[column] = `case when ${text(condition(pharmacyId))} then ${column} end`
    }
    const condition = rows.where ?? ownRows(name)
    return [{ name, where: text(condition(pharmacyId)), values }]
  })
}

function ownRows(name: string) {
  const found = Object.entries(tables).find(([table]) => table === name)?.[1]
  if (found === undefined || typeof found === 'string') {
    throw new Error(`the rows of ${name} are not known by their pharmacy`)
  }
  return found.isOf
}
