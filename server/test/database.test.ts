import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { databaseTypes } from '../scripts/database-types.ts'
import { connectDatabase } from '../src/database/database.ts'
import { isDatabaseUnavailable } from '../src/database/errors.ts'
import { migrate } from '../src/database/migrate.ts'
import { withStartLock } from '../src/database/start-lock.ts'
import { prepareDatabase } from '../src/start/prepare-database.ts'
import { breakableConnection } from './breakable-connection.ts'
import { emptyDatabase, testDatabase } from './database.ts'
import { silentLog } from './silent-log.ts'

const sources = fileURLToPath(new URL('../src/', import.meta.url))

/** The only file that may write each table. */
const owners: Record<string, string> = {
  admin_users: 'features/administrators/',
  airtable_tokens: 'features/airtable/airtable-tokens.store.ts',
  airtable_webhooks: 'features/airtable/airtable-webhooks.store.ts',
  // Written by functions and triggers only.
  analytics_changes: 'nobody',
  analytics_hours: 'nobody',
  analytics_notes: 'features/analytics/',
  analytics_offer_days: 'nobody',
  analytics_settings: 'features/analytics/',
  analytics_shares: 'nobody',
  api_keys: 'features/api-keys/',
  audit_events: 'platform/audit.ts',
  // Written by functions of the owner only.
  audit_seals: 'nobody',
  audit_unsealed: 'nobody',
  auth_challenges: 'platform/auth/factors.store.ts',
  auth_external_flows: 'platform/auth/external-flows.store.ts',
  auth_factors: 'platform/auth/factors.store.ts',
  auth_flow_states: 'platform/auth/one-time-tokens.store.ts',
  auth_identities: 'platform/auth/identities.store.ts',
  auth_one_time_tokens: 'platform/auth/one-time-tokens.store.ts',
  auth_recovery_codes: 'platform/auth/recovery-codes.store.ts',
  auth_refresh_tokens: 'platform/auth/sessions.store.ts',
  auth_sessions: 'platform/auth/sessions.store.ts',
  auth_signing_keys: 'platform/auth/signing-keys.store.ts',
  auth_users: 'platform/auth/users.store.ts',
  backup_alerts: 'platform/backups/',
  backup_archive: 'platform/backups/',
  backup_customer_erasures: 'platform/backups/',
  backup_erasures: 'platform/backups/',
  backup_keys: 'platform/backups/',
  backup_runs: 'platform/backups/',
  // Written by the function notify_event only, and emptied by what reads it.
  image_uses: 'features/images/images.store.ts',
  images: 'features/images/images.store.ts',
  job_workers: 'platform/worker-heartbeat.ts',
  medicine_imports: 'features/medicines/medicines.store.ts',
  medicines: 'features/medicines/medicines.store.ts',
  migration_items: 'features/orders/migration/',
  migration_records: 'features/orders/migration/',
  migration_runs: 'features/orders/migration/',
  notice_dismissals: 'features/settings/settings.store.ts',
  // Written by the function record_visits only.
  offer_events: 'nobody',
  offer_order_codes: 'features/visits/visits.store.ts',
  offer_page_views: 'nobody',
  // Written by a trigger only.
  offer_price_terms: 'nobody',
  order_aliases: 'features/orders/creation/',
  order_attachments: 'features/orders/',
  order_changes: 'features/orders/',
  // Written by a trigger only.
  order_confirmations: 'nobody',
  order_copies: 'features/orders/',
  order_creations: 'features/orders/creation/',
  order_events: 'features/orders/',
  order_exports: 'features/orders/exports/',
  order_holds: 'features/orders/records/order-holds.store.ts',
  order_image_files: 'features/orders/',
  order_images: 'features/orders/',
  order_migrations: 'features/orders/migration/',
  order_notes: 'features/orders/',
  order_notices: 'features/orders/records/order-notices.store.ts',
  order_requests: 'features/orders/creation/',
  order_retention_periods: 'features/orders/expiry/order-retention.store.ts',
  // Written by a trigger only.
  order_search: 'nobody',
  order_set_aside: 'features/orders/sync/order-quarantine.store.ts',
  order_source_leases: 'features/orders/records/order-leases.store.ts',
  order_views: 'features/orders/views/order-views.store.ts',
  pharmacies: 'features/pharmacies/',
  // Written by the function fold_analytics only.
  pharmacy_analytics_cache: 'nobody',
  pharmacy_exports: 'features/pharmacies/life/pharmacy-exports.store.ts',
  pharmacy_import_rows: 'features/pharmacy-imports/',
  pharmacy_imports: 'features/pharmacy-imports/',
  pharmacy_members: 'features/colleagues/colleagues.store.ts',
  // Written by a trigger only.
  pharmacy_order_counts: 'nobody',
  pharmacy_orders: 'features/orders/',
  pharmacy_profiles: 'features/pharmacy-profile/pharmacy-profile.store.ts',
  pharmacy_purge_files: 'features/pharmacies/life/pharmacy-purge.store.ts',
  pharmacy_purge_steps: 'features/pharmacies/life/pharmacy-purge.store.ts',
  pharmacy_purges: 'features/pharmacies/life/pharmacy-purge.store.ts',
  plan_deviations: 'features/pharmacies/',
  platform_settings: 'features/settings/settings.store.ts',
  priority_access_sessions: 'features/priority/',
  priority_counters: 'features/priority/priority-counters.store.ts',
  priority_displays: 'features/priority/',
  // Written by a trigger only.
  priority_events: 'nobody',
  priority_links: 'features/priority/',
  priority_settings: 'features/priority/priority-settings.store.ts',
  privacy_texts: 'features/settings/privacy-texts.store.ts',
  product_categories: 'features/product-categories/product-categories.store.ts',
  product_image_archive: 'features/product-images/product-images.store.ts',
  product_offers: 'features/offers/offers.store.ts',
  push_arrivals: 'features/notifications/push-arrivals.store.ts',
  push_keys: 'features/notifications/push-keys.store.ts',
  push_subscriptions: 'features/notifications/push-devices.store.ts',
  // Written by the rate-limiting library, besides.
  rate_limits: 'platform/auth/auth.service.ts',
  realtime_messages: 'platform/realtime/relay.ts',
  realtime_nodes: 'platform/realtime/presence.store.ts',
  realtime_presences: 'platform/realtime/presence.store.ts',
  reply_texts: 'features/orders/replies/reply-texts.store.ts',
  request_places: 'platform/request-slots.ts',
  request_silences: 'platform/request-slots.ts',
  schema_migrations: 'database/migrate.ts',
  service_checks: 'features/settings/services.store.ts',
  storage_buckets: 'platform/storage/buckets.store.ts',
  storage_objects: 'platform/storage/objects.store.ts',
  stored_files: 'platform/stored-files.store.ts',
  subscription_plans: 'features/subscription-plans/subscription-plans.store.ts',
  support_visits: 'features/support/support-visits.store.ts',
  // Written by a trigger only.
  used_pharmacy_codes: 'features/pharmacies/life/pharmacy-transfer.store.ts',
  // Written by functions and triggers only.
  visit_queue: 'nobody',
  visitor_salts: 'features/visits/visitor-salts.store.ts',
  visitors: 'nobody',
  whatsapp_acceptances: 'features/whatsapp/messages/message-settings.store.ts',
  whatsapp_connections: 'features/whatsapp/',
  whatsapp_consents: 'features/whatsapp/messages/order-customers.store.ts',
  whatsapp_contacts: 'features/whatsapp/contacts.store.ts',
  whatsapp_deletions: 'features/whatsapp/connection-events.store.ts',
  whatsapp_deliveries: 'features/whatsapp/deliveries.store.ts',
  whatsapp_inbound: 'features/whatsapp/messages/inbound.store.ts',
  whatsapp_inbox: 'features/whatsapp/webhook/inbox.store.ts',
  whatsapp_message_settings: 'features/whatsapp/messages/message-settings.store.ts',
  whatsapp_order_contacts: 'features/whatsapp/messages/order-customers.store.ts',
  whatsapp_outbox: 'features/whatsapp/messages/outbox.store.ts',
  whatsapp_templates: 'features/whatsapp/messages/message-settings.store.ts',
  whatsapp_unrouted: 'features/whatsapp/webhook/inbox.store.ts',
}

describe('the database', () => {
  it('is migrated once by several processes that start together', async () => {
    const { url } = await emptyDatabase()
    const { pool, close } = connectDatabase(url, { max: 1 })
    onTestFinished(close)
    await Promise.all(
      Array.from({ length: 4 }, () => prepareDatabase(url, silentLog, async () => {})),
    )
    const { rows } = await pool.query<{ name: string }>(
      'select name from schema_migrations order by name desc',
    )
    expect(rows[0]?.name).toMatch(/^schema [0-9a-f]{16}$/)
  })

  it('refuses to go on with a database of a newer version', async () => {
    const { pool, url } = await testDatabase()
    await pool.query("insert into schema_migrations (name) values ('9999_future.sql')")
    const migrating = withStartLock(url, (client) => migrate(client, silentLog))
    await expect(migrating).rejects.toThrow('newer than this version')
  })

  it.each([
    ['an earlier schema', "update schema_migrations set name = 'schema 0' where name ~ '^schema '"],
    [
      'migrations alone',
      "update schema_migrations set name = '0001_accounts.sql' where name ~ '^schema '",
    ],
  ])('refuses one of a development version, with %s', async (_, change) => {
    const { pool, url } = await testDatabase()
    await pool.query(change)
    const migrating = withStartLock(url, (client) => migrate(client, silentLog))
    await expect(migrating).rejects.toThrow('Export it with that version (npm run export)')
  })

  it('has the tables that its types say', async () => {
    const { url } = await testDatabase()
    const kept = await readFile(`${sources}database/schema.gen.ts`, 'utf8')
    expect(await databaseTypes(url)).toBe(kept)
  })

  it('has one owner for every table', async () => {
    const { pool } = await testDatabase()
    const { rows } = await pool.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
    )
    expect(rows.map((row) => row.name)).toEqual(Object.keys(owners))
  })

  it('is written by the owner of each table alone', async () => {
    const files = (await readdir(sources, { recursive: true })).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    )
    const strangers = new Set<string>()
    let writes = 0
    for (const file of files) {
      const text = await readFile(`${sources}${file}`, 'utf8')
      const written = text.matchAll(
        /(?:(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'|(?:insert into|delete from|`\s*update)\s+)(\w+)/g,
      )
      for (const [, table = ''] of written) {
        writes += 1
        if (!file.startsWith(owners[table] ?? 'nobody')) strangers.add(`${file} writes ${table}`)
      }
    }
    expect(writes).toBeGreaterThanOrEqual(200)
    const named = new Set([
      // Accounts end with their pharmacy.
      'features/pharmacies/life/pharmacy-purge.store.ts writes auth_users',
      // A temporary table.
      'features/medicines/medicines.store.ts writes read_medicines',
      // Colleagues' accounts end with that of their pharmacy.
      'features/colleagues/colleagues.store.ts writes auth_users',
    ])
    const others = [...strangers].filter(
      (each) => !named.has(each) && !each.includes('demo-figures'),
    )
    expect(others).toEqual([])
  })
})

describe('a connection', () => {
  it('that breaks fails its query and nothing else', async () => {
    const { url } = await emptyDatabase()
    const line = await breakableConnection(url)
    const { pool, db, close } = connectDatabase(line.url, { max: 2 })
    onTestFinished(close)
    await pool.query('select 1')
    const failed = sql`select pg_sleep(20)`.execute(db).catch((error: unknown) => error)
    await vi.waitUntil(async () => {
      const { rowCount } = await pool.query(
        `select from pg_stat_activity where datname = current_database()
         and query like '%pg_sleep%' and pid <> pg_backend_pid()`,
      )
      return rowCount === 1
    })
    line.cut()
    expect(isDatabaseUnavailable(await failed)).toBe(true)
    await vi.waitUntil(() => pool.query('select 1').catch(() => false))
  })

  it('speaks UTC whatever options its address has', async () => {
    const { url } = await emptyDatabase()
    const address = new URL(url)
    address.searchParams.set('options', '-c work_mem=1MB -c TimeZone=Asia/Tokyo')
    const { pool, close } = connectDatabase(address.href, { max: 1 })
    onTestFinished(close)
    const { rows } = await pool.query<{ zone: string; memory: string; time: string }>(
      `select current_setting('TimeZone') as zone, current_setting('work_mem') as memory,
        '2026-11-21 10:00:00+01'::timestamptz as time`,
    )
    expect(rows[0]).toEqual({ zone: 'UTC', memory: '1MB', time: '2026-11-21T09:00:00.000Z' })
  })

  it.each([
    ['a name that is not known yet', Object.assign(new Error('x'), { code: 'ENOTFOUND' }), true],
    ['a machine out of reach', Object.assign(new Error('x'), { code: 'EHOSTUNREACH' }), true],
    [
      'one that broke before',
      new Error('Client has encountered a connection error and is not queryable'),
      true,
    ],
    ['a mistake of ours', new TypeError('x is not a function'), false],
    [
      'a socket that is not there yet',
      Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'connect' }),
      true,
    ],
    [
      'a file of another kind that is missing',
      Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'open' }),
      false,
    ],
    ['a file that is in the way', Object.assign(new Error('x'), { code: 'EEXIST' }), false],
  ])('that fails with %s', (_what, error, passes) => {
    expect(isDatabaseUnavailable(error)).toBe(passes)
  })
})
