import type { PurgeStep } from '@bancone/contract/pharmacy-life'
import { type RawBuilder, sql } from 'kysely'
import type { DB } from '../../../database/schema.gen.ts'

/** A table with rows of pharmacies. */
export type PharmacyTable = {
  /** An SQL condition: the row belongs to the pharmacy. */
  isOf(pharmacyId: string): RawBuilder<boolean>
  /** The step of the purge that removes the rows. */
  step: PurgeStep
  /** Columns that are not exported: secrets, hashes and internal values; `all` for tables that only serve the others. */
  withheld: readonly string[] | 'all'
}

/**
 * - `follows`: the rows are removed by foreign keys, with those of a table that has a step
 * - `kept`: the rows may name a pharmacy and stay: the audit log, and the ledger of purges
 * - `shared`: no row belongs to a pharmacy, or it ends by itself in a short time
 */
type OtherTable = 'follows' | 'kept' | 'shared'

const ofPharmacy = (pharmacyId: string) => sql<boolean>`pharmacy_id = ${pharmacyId}`

const own = (step: PurgeStep, withheld: PharmacyTable['withheld'] = []): PharmacyTable => ({
  isOf: ofPharmacy,
  step,
  withheld,
})

/**
 * Accounts that exist for the pharmacy alone, with the closed ones of former colleagues. An administrator's account
 * remains.
 */
export const people = (pharmacyId: string) => sql`(
  select user_id from pharmacy_members where pharmacy_id = ${pharmacyId} and (
    removed_at is null
    or exists (select from auth_users where id = user_id and deleted_at is not null)
  )
  union select ${pharmacyId}::uuid
  except select user_id from admin_users
)`

/**
 * Every table of the database. A table that is added does not compile before it is listed here, so that its rows are
 * exported and purged. Tables of a step are purged in the order of this list.
 */
export const tables = {
  push_subscriptions: own('access', ['endpoint', 'p256dh', 'auth', 'session_id']),
  push_arrivals: own('access', 'all'),
  api_keys: own('access', ['key_hash']),
  auth_sessions: {
    isOf: (pharmacyId) => sql`user_id in ${people(pharmacyId)}`,
    step: 'access',
    withheld: 'all',
  },
  auth_challenges: 'follows',
  auth_external_flows: 'follows',
  auth_factors: 'follows',
  auth_flow_states: 'follows',
  auth_identities: 'follows',
  auth_one_time_tokens: 'follows',
  auth_recovery_codes: 'follows',
  auth_refresh_tokens: 'follows',

  priority_settings: own('orders'),
  priority_displays: own('orders', ['token_hash']),
  priority_counters: own('orders', 'all'),
  // Before the orders, whose removal changes them.
  priority_access_sessions: own('orders', ['previous']),
  priority_links: 'follows',
  priority_events: 'follows',

  order_changes: own('orders', 'all'),
  order_creations: own('orders', 'all'),
  order_attachments: own('orders'),
  order_images: own('orders'),
  order_search: own('orders', 'all'),
  order_holds: own('orders', ['session_id']),
  order_retention_periods: own('orders'),
  order_notes: own('orders', ['session_id']),
  order_notices: own('orders'),
  order_aliases: own('orders'),
  order_requests: own('orders', 'all'),
  order_set_aside: own('orders'),
  order_views: own('orders'),
  order_exports: own('orders', ['sought']),
  order_copies: own('orders'),
  order_migrations: own('orders'),
  migration_runs: own('orders', ['request', 'holder']),
  migration_records: 'follows',
  migration_items: 'follows',
  reply_texts: own('orders'),
  pharmacy_orders: own('orders', ['content_hash', 'made_in', 'changed_in']),
  pharmacy_order_counts: own('orders', 'all'),
  // After the orders: their removal is recorded here.
  order_events: own('orders', ['session_id']),
  // Removed with the files, by their keys.
  order_image_files: 'follows',

  offer_events: own('offers', ['session_id', 'visitor_ip']),
  offer_page_views: own('offers', ['session_id', 'visitor_ip']),
  visitors: own('offers', 'all'),
  visit_queue: own('offers', 'all'),
  offer_order_codes: own('offers'),
  order_confirmations: own('orders', 'all'),
  // After the orders and the visits with priority access, whose removal would change them.
  analytics_changes: own('offers', 'all'),
  analytics_hours: own('offers'),
  analytics_offer_days: own('offers'),
  analytics_shares: own('offers'),
  analytics_notes: own('offers'),
  analytics_settings: own('offers'),
  pharmacy_analytics_cache: own('offers'),
  product_offers: own('offers'),
  // After the offers: the end of their prices is recorded here.
  offer_price_terms: own('offers'),

  // Removed one by one, each with its picture.
  images: own('pictures'),
  image_uses: 'follows',

  storage_objects: {
    isOf: (pharmacyId) => sql`folder = ${pharmacyId}::text`,
    step: 'files',
    withheld: [],
  },
  pharmacy_exports: own('files', 'all'),
  stored_files: 'follows',

  auth_users: {
    isOf: (pharmacyId) => sql`id in ${people(pharmacyId)} and id <> ${pharmacyId}`,
    step: 'people',
    withheld: [
      'password_hash',
      'app_metadata',
      'confirmation_sent_at',
      'email_change_sent_at',
      'new_email_confirmed_by',
      'reauthentication_sent_at',
      'recovery_sent_at',
      'unlinked_providers',
    ],
  },
  // After the accounts, which are found by them.
  pharmacy_members: own('people'),

  whatsapp_inbound: own('people', ['text', 'key_id']),
  whatsapp_outbox: own('people', ['text', 'key_id']),
  whatsapp_consents: own('people'),
  whatsapp_order_contacts: own('people'),
  whatsapp_contacts: own('people'),
  whatsapp_deliveries: own('people'),
  whatsapp_templates: own('access'),
  whatsapp_message_settings: own('access'),
  whatsapp_acceptances: own('access'),
  whatsapp_connections: own('access', ['token', 'pin', 'key_id', 'meta_user_id']),

  plan_deviations: own('account'),
  pharmacy_profiles: own('account'),
  support_visits: own('account', ['session_id']),
  notice_dismissals: 'follows',
  // Before the pharmacy, by whose code and address they are found.
  pharmacy_import_rows: {
    isOf: (pharmacyId) => sql`exists (
      select from pharmacies as pharmacy where pharmacy.id = ${pharmacyId} and (
        upper(fields ->> 'pharmacy_id') = upper(pharmacy.pharmacy_id)
        or lower(fields ->> 'email') = lower(pharmacy.email)
      )
    )`,
    step: 'account',
    withheld: 'all',
  },
  pharmacies: {
    isOf: (pharmacyId) => sql`id = ${pharmacyId}`,
    step: 'account',
    withheld: [],
  },

  audit_events: 'kept',
  audit_seals: 'kept',
  audit_unsealed: 'kept',
  pharmacy_purges: 'kept',
  pharmacy_purge_files: 'kept',
  pharmacy_purge_steps: 'kept',

  admin_users: 'shared',
  // Of bases, some with several pharmacies. A job deletes those of bases that no pharmacy has any more.
  airtable_tokens: 'shared',
  airtable_webhooks: 'shared',
  auth_signing_keys: 'shared',
  backup_alerts: 'shared',
  backup_archive: 'shared',
  backup_customer_erasures: 'shared',
  backup_erasures: 'shared',
  backup_keys: 'shared',
  backup_runs: 'shared',
  job_workers: 'shared',
  medicine_imports: 'shared',
  medicines: 'shared',
  order_source_leases: 'shared',
  // What a file says of its pharmacies is in the rows.
  pharmacy_imports: 'shared',
  platform_settings: 'shared',
  privacy_texts: 'shared',
  product_categories: 'shared',
  product_image_archive: 'shared',
  push_keys: 'shared',
  rate_limits: 'shared',
  realtime_messages: 'shared',
  realtime_nodes: 'shared',
  realtime_presences: 'shared',
  request_places: 'shared',
  request_silences: 'shared',
  schema_migrations: 'shared',
  service_checks: 'shared',
  storage_buckets: 'shared',
  subscription_plans: 'shared',
  used_pharmacy_codes: 'shared',
  visitor_salts: 'shared',
  // Emptied within seconds.
  whatsapp_inbox: 'shared',
  whatsapp_unrouted: 'shared',
  whatsapp_deletions: 'shared',
} satisfies Record<keyof DB, PharmacyTable | OtherTable>

/** The tables with rows of pharmacies, in the order of the purge. */
export const pharmacyTables: readonly (PharmacyTable & { name: string })[] = Object.entries(
  tables,
).flatMap(([name, table]) => (typeof table === 'string' ? [] : [{ ...table, name }]))
