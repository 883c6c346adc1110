import type { PurgeStep } from '@bancone/contract/pharmacy-deletion'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { DB } from '../../../database/schema.gen.ts'

type Condition = (pharmacyId: string) => RawBuilder<unknown>

/** Rows of a table that are exported with a pharmacy. */
type ExportedRows = {
  where: Condition
  /** Columns that are empty in the export where the condition does not hold. */
  only?: Record<string, Condition>
}

/**
 * - `never`: belongs to the processes or to the database itself
 * - `with_all`: in an export of everything, and not with a pharmacy
 */
type Exported = 'never' | 'with_all' | ExportedRows

/** What holds for a table, besides its columns. */
type TableRecord = {
  /** The file or folder that writes its rows; `database` where only functions, triggers and libraries do. */
  owner: string
  exported: Exported
  purge: PurgedRows | 'follows' | 'kept' | 'shared'
}

type PurgedRows = {
  /** An SQL condition: the row belongs to the pharmacy. */
  isOf: Condition
  /** The step of the purge that removes the rows. */
  step: PurgeStep
  /**
   * Columns that the pharmacy does not get: secrets, hashes and internal values; `all` for tables that only serve the
   * others.
   */
  withheld: readonly string[] | 'all'
}

const ofPharmacy: Condition = (pharmacyId) => sql`pharmacy_id = ${pharmacyId}`

const where = (condition: Condition): ExportedRows => ({ where: condition })

/** Rows that belong to a pharmacy. They are exported with it unless `exported` says otherwise. */
function own(
  owner: string,
  step: PurgeStep,
  {
    isOf = ofPharmacy,
    withheld = [],
    exported = where(isOf),
  }: Partial<Omit<PurgedRows, 'step'>> & { exported?: Exported } = {},
): TableRecord {
  return { owner, exported, purge: { isOf, step, withheld } }
}

/** The rows are removed by foreign keys, with those of a table that has a step. */
const follows = (owner: string, exported: Exported): TableRecord => ({
  owner,
  exported,
  purge: 'follows',
})

/** The rows may name a pharmacy and stay: the audit log, and the ledger of purges. */
const kept = (owner: string): TableRecord => ({ owner, exported: 'with_all', purge: 'kept' })

/** No row belongs to a pharmacy, or it ends by itself in a short time. */
const shared = (owner: string, exported: Exported = 'with_all'): TableRecord => ({
  owner,
  exported,
  purge: 'shared',
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
 * Every table of the database. A table that is added does not compile before it is here. Tables of a step are purged in
 * this order.
 */
export const tables = {
  // Registered for the push key of the server, in a session.
  push_subscriptions: own('features/notifications/push-devices.store.ts', 'access', {
    withheld: ['endpoint', 'p256dh', 'auth', 'session_id'],
    exported: 'with_all',
  }),
  push_arrivals: own('features/notifications/push-devices.store.ts', 'access', {
    withheld: 'all',
  }),
  api_keys: own('features/api-keys/', 'access', { withheld: ['key_hash'] }),
  auth_sessions: own('platform/auth/sessions.store.ts', 'access', {
    isOf: (pharmacyId) => sql`user_id in ${people(pharmacyId)}`,
    withheld: 'all',
    exported: 'with_all',
  }),
  auth_challenges: follows('platform/auth/factors.store.ts', 'with_all'),
  auth_external_flows: follows('platform/auth/external-flows.store.ts', 'with_all'),
  auth_factors: follows(
    'platform/auth/factors.store.ts',
    where((pharmacyId) => sql`user_id in ${people(pharmacyId)}`),
  ),
  auth_flow_states: follows('platform/auth/one-time-tokens.store.ts', 'with_all'),
  // A service of the same name may be another one there, whose accounts are other people.
  auth_identities: follows('platform/auth/identities.store.ts', 'with_all'),
  auth_one_time_tokens: follows('platform/auth/one-time-tokens.store.ts', 'with_all'),
  // Hashed with a key of APP_SECRET.
  auth_recovery_codes: follows('platform/auth/factors.store.ts', 'with_all'),
  auth_refresh_tokens: follows('platform/auth/sessions.store.ts', 'with_all'),

  priority_settings: own('features/priority/priority-settings.store.ts', 'orders'),
  priority_displays: own('features/priority/', 'orders', { withheld: ['token_hash'] }),
  priority_counters: own('features/priority/priority-counters.store.ts', 'orders', {
    withheld: 'all',
  }),
  // Before the orders, whose removal changes them.
  priority_access_sessions: own('features/priority/', 'orders', { withheld: ['previous'] }),
  priority_links: follows('features/priority/', where(ofPharmacy)),
  priority_events: follows('database', where(ofPharmacy)),

  order_changes: own('features/orders/', 'orders', { withheld: 'all' }),
  order_creations: own('features/orders/creation/', 'orders', { withheld: 'all' }),
  order_attachments: own('features/orders/', 'orders'),
  order_images: own('features/orders/', 'orders'),
  order_search: own('database', 'orders', { withheld: 'all' }),
  order_holds: own('features/orders/records/order-holds.store.ts', 'orders', {
    withheld: ['session_id'],
  }),
  order_pickup_changes: own('features/orders/pickup/', 'orders', { withheld: 'all' }),
  order_pickup_settings: own('features/orders/pickup/', 'orders'),
  order_retention_periods: own('features/orders/expiry/order-retention.store.ts', 'orders'),
  order_notes: own('features/orders/', 'orders', { withheld: ['session_id'] }),
  order_notices: own('features/orders/records/order-notices.store.ts', 'orders'),
  order_aliases: own('features/orders/creation/', 'orders'),
  order_requests: own('features/orders/creation/', 'orders', { withheld: 'all' }),
  order_set_aside: own('features/orders/sync/order-quarantine.store.ts', 'orders'),
  order_views: own('features/orders/views/order-views.store.ts', 'orders'),
  // A file that is made within minutes.
  order_exports: own('features/orders/exports/', 'orders', {
    withheld: ['sought'],
    exported: 'with_all',
  }),
  order_copies: own('features/orders/', 'orders'),
  order_migrations: own('features/orders/migration/', 'orders'),
  migration_runs: own('features/orders/migration/', 'orders', { withheld: ['request', 'holder'] }),
  migration_records: follows('features/orders/migration/', where(ofPharmacy)),
  migration_items: follows('features/orders/migration/', where(ofPharmacy)),
  reply_texts: own('features/orders/replies/reply-texts.store.ts', 'orders'),
  pharmacy_orders: own('features/orders/', 'orders', {
    withheld: ['content_hash', 'made_in', 'changed_in'],
  }),
  pharmacy_order_counts: own('database', 'orders', { withheld: 'all' }),
  // After the orders: their removal is recorded here.
  order_events: own('features/orders/', 'orders', { withheld: ['session_id'] }),
  // Removed with the files, by their keys.
  order_image_files: follows(
    'features/orders/',
    where(
      (pharmacyId) =>
        sql`pharmacy_id = ${pharmacyId} and key in (
        select key from order_images where pharmacy_id = ${pharmacyId}
        union all select key from order_attachments where pharmacy_id = ${pharmacyId}
      )`,
    ),
  ),

  offer_events: own('database', 'offers', { withheld: ['session_id', 'visitor_ip'] }),
  offer_page_views: own('database', 'offers', { withheld: ['session_id', 'visitor_ip'] }),
  // By pseudonyms with the salt of the day.
  visitors: own('database', 'offers', { withheld: 'all', exported: 'with_all' }),
  page_event_queue: own('database', 'offers', { withheld: 'all' }),
  offer_order_codes: own('features/page-views/page-views.store.ts', 'offers'),
  order_confirmations: own('database', 'orders', { withheld: 'all' }),
  // After the orders and the priority sessions, whose removal would change them.
  analytics_changes: own('database', 'offers', { withheld: 'all' }),
  analytics_hours: own('database', 'offers'),
  analytics_offer_days: own('database', 'offers'),
  analytics_shares: own('database', 'offers'),
  analytics_notes: own('features/analytics/', 'offers'),
  analytics_settings: own('features/analytics/', 'offers'),
  pharmacy_analytics_cache: own('database', 'offers'),
  product_offers: own('features/offers/offers.store.ts', 'offers'),
  // After the offers: the end of their prices is recorded here.
  offer_price_terms: own('database', 'offers'),

  // Removed one by one, each with its picture.
  images: own('features/images/images.store.ts', 'pictures', {
    exported: {
      where: (pharmacyId) => sql`public_id in ${pictures(pharmacyId)}`,
      only: { pharmacy_id: (pharmacyId) => sql`pharmacy_id = ${pharmacyId}` },
    },
  }),
  image_uses: follows(
    'features/images/images.store.ts',
    where((pharmacyId) => sql`holder in ${holders(pharmacyId)}`),
  ),

  storage_objects: own('platform/storage/objects.store.ts', 'files', {
    isOf: (pharmacyId) => sql`folder = ${pharmacyId}::text`,
    exported: {
      where: (pharmacyId) => sql`folder = ${pharmacyId}::text`,
      only: { owner: (pharmacyId) => sql`owner in ${accounts(pharmacyId)}` },
    },
  }),
  pharmacy_exports: own('features/pharmacies/deletion/pharmacy-exports.store.ts', 'files', {
    withheld: 'all',
    exported: 'with_all',
  }),
  stored_files: follows(
    'platform/stored-files.store.ts',
    where((pharmacyId) => sql`key in ${files(pharmacyId)} or drawn_from in ${files(pharmacyId)}`),
  ),

  auth_users: own('platform/auth/users.store.ts', 'people', {
    isOf: (pharmacyId) => sql`id in ${people(pharmacyId)} and id <> ${pharmacyId}`,
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
    exported: {
      where: (pharmacyId) => sql`id in ${accounts(pharmacyId)}`,
      // With an administrator's password one signs in as administrator on the server that exports.
      only: { password_hash: (pharmacyId) => sql`id in ${people(pharmacyId)}` },
    },
  }),
  // After the accounts, which are found by them.
  pharmacy_members: own('features/colleagues/colleagues.store.ts', 'people', {
    exported: where(
      (pharmacyId) =>
        sql`pharmacy_id = ${pharmacyId} and (removed_at is not null or user_id in ${accounts(pharmacyId)})`,
    ),
  }),

  whatsapp_inbound: own('features/whatsapp/messages/inbound.store.ts', 'people', {
    withheld: ['text', 'key_id'],
  }),
  whatsapp_outbox: own('features/whatsapp/messages/', 'people', {
    withheld: ['text', 'key_id'],
  }),
  whatsapp_consents: own('features/whatsapp/messages/order-customers.store.ts', 'people'),
  whatsapp_order_contacts: own('features/whatsapp/messages/order-customers.store.ts', 'people'),
  whatsapp_contacts: own('features/whatsapp/contacts.store.ts', 'people'),
  whatsapp_deliveries: own('features/whatsapp/deliveries.store.ts', 'people'),
  whatsapp_templates: own('features/whatsapp/messages/message-settings.store.ts', 'access'),
  whatsapp_message_settings: own('features/whatsapp/messages/message-settings.store.ts', 'access'),
  whatsapp_acceptances: own('features/whatsapp/messages/message-settings.store.ts', 'access'),
  whatsapp_connections: own('features/whatsapp/', 'access', {
    withheld: ['token', 'pin', 'key_id', 'meta_user_id'],
  }),

  plan_deviations: own('features/pharmacies/', 'account'),
  pharmacy_profiles: own('features/pharmacy-profile/pharmacy-profile.store.ts', 'account'),
  // Of the operator.
  support_sessions: own('features/support/support-sessions.store.ts', 'account', {
    withheld: ['session_id'],
    exported: 'with_all',
  }),
  notice_dismissals: follows('features/settings/settings.store.ts', 'with_all'),
  // Before the pharmacy, by whose code and address they are found.
  pharmacy_import_rows: own('features/pharmacy-imports/', 'account', {
    isOf: (pharmacyId) => sql`exists (
      select from pharmacies as pharmacy where pharmacy.id = ${pharmacyId} and (
        upper(fields ->> 'pharmacy_id') = upper(pharmacy.pharmacy_id)
        or lower(fields ->> 'email') = lower(pharmacy.email)
      )
    )`,
    withheld: 'all',
    exported: 'with_all',
  }),
  pharmacies: own('features/pharmacies/', 'account', {
    isOf: (pharmacyId) => sql`id = ${pharmacyId}`,
  }),

  audit_events: kept('platform/audit.ts'),
  audit_seals: kept('database'),
  audit_unsealed: kept('database'),
  pharmacy_purges: kept('features/pharmacies/deletion/pharmacy-purge.store.ts'),
  pharmacy_purge_files: kept('features/pharmacies/deletion/pharmacy-purge.store.ts'),
  pharmacy_purge_steps: kept('features/pharmacies/deletion/pharmacy-purge.store.ts'),

  admin_users: shared('features/administrators/'),
  // A token belongs to a base, which several pharmacies may share. A job deletes those of bases without a pharmacy.
  airtable_tokens: shared('features/airtable/airtable-tokens.store.ts'),
  // Reports to the address of the server that made it.
  airtable_webhooks: shared('features/airtable/airtable-webhooks.store.ts', 'never'),
  auth_signing_keys: shared('platform/auth/signing-keys.store.ts'),
  backup_alerts: shared('platform/backups/', 'never'),
  backup_archive: shared('platform/backups/', 'never'),
  backup_customer_erasures: shared('platform/backups/'),
  backup_erasures: shared('platform/backups/'),
  backup_keys: shared('platform/backups/'),
  backup_runs: shared('platform/backups/', 'never'),
  job_workers: shared('platform/jobs.ts', 'never'),
  medicine_imports: shared('features/medicines/medicines.store.ts'),
  medicines: shared('features/medicines/medicines.store.ts'),
  order_source_leases: shared('features/orders/records/order-leases.store.ts', 'never'),
  // What a file says of its pharmacies is in the rows.
  pharmacy_imports: shared('features/pharmacy-imports/'),
  platform_settings: shared('features/settings/settings.store.ts'),
  privacy_texts: shared('features/settings/privacy-texts.store.ts'),
  product_categories: shared('features/product-categories/product-categories.store.ts'),
  product_image_archive: shared('features/product-images/product-images.store.ts'),
  push_keys: shared('features/notifications/push-keys.store.ts'),
  // Written by the rate-limiting library, besides.
  rate_limits: shared('platform/auth/auth.service.ts', 'never'),
  realtime_messages: shared('platform/realtime/relay.ts', 'never'),
  realtime_nodes: shared('platform/realtime/presence.store.ts', 'never'),
  realtime_presences: shared('platform/realtime/presence.store.ts', 'never'),
  request_places: shared('platform/request-slots.ts', 'never'),
  request_silences: shared('platform/request-slots.ts', 'never'),
  schema_migrations: shared('database/migrate.ts', 'never'),
  service_checks: shared('features/settings/services.store.ts', 'never'),
  storage_buckets: shared('platform/storage/buckets.store.ts'),
  subscription_plans: shared('features/subscription-plans/subscription-plans.store.ts'),
  used_pharmacy_codes: shared(
    'features/pharmacies/deletion/pharmacy-transfer.store.ts',
    where(
      (pharmacyId) =>
        sql`code = (select upper(pharmacy_id) from pharmacies where id = ${pharmacyId})`,
    ),
  ),
  visitor_salts: shared('features/page-views/visitor-salts.store.ts'),
  // Emptied within seconds.
  whatsapp_inbox: shared('features/whatsapp/webhook/inbox.store.ts'),
  whatsapp_unrouted: shared('features/whatsapp/webhook/inbox.store.ts'),
  whatsapp_deletions: shared('features/whatsapp/connection-events.store.ts'),
} satisfies Record<keyof DB, TableRecord>

const records = Object.entries<TableRecord>(tables)

export type PharmacyTable = PurgedRows & { name: string }

/** The tables with rows of pharmacies, in the order of the purge. */
export const pharmacyTables: readonly PharmacyTable[] = records.flatMap(([name, { purge }]) =>
  typeof purge === 'string' ? [] : [{ ...purge, name }],
)

export type ExportedTable = { name: string; where?: string; values?: Record<string, string> }

/** The tables of an export of everything. */
export const allTables: readonly ExportedTable[] = records.flatMap(([name, { exported }]) =>
  exported === 'never' ? [] : [{ name }],
)

/** The tables of the export of a pharmacy, with the conditions of their rows as SQL. @param pharmacyId a UUID */
export function tablesOfPharmacy(
  db: Database,
  pharmacyId: string,
): (ExportedTable & { where: string })[] {
  // COPY takes no parameters.
  const text = (condition: RawBuilder<unknown>) =>
    condition.compile(db).sql.replace(/\$\d+/g, `'${pharmacyId}'`)
  return records.flatMap(([name, { exported }]) => {
    if (typeof exported === 'string') return []
    const values: Record<string, string> = {}
    for (const [column, condition] of Object.entries(exported.only ?? {})) {
      values[column] = `case when ${text(condition(pharmacyId))} then ${column} end`
    }
    return [{ name, where: text(exported.where(pharmacyId)), values }]
  })
}
