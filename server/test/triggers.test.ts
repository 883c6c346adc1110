import { expect, it } from 'vitest'
import { testDatabase } from './database.ts'

/** What triggers are for, and the functions that do it. What decides is TypeScript, in the same transaction. */
const kinds = {
  counts: [
    'order_pickup_settings_changed',
    'pharmacy_orders_added',
    'pharmacy_orders_changed',
    'pharmacy_orders_removed',
  ],
  'words for the search': ['add_order_to_search', 'order_search_changed'],
  history: [
    'keep_gone_order',
    'keep_history_of_changed_order',
    'keep_offer_prices',
    'prepare_audit_event',
    'priority_session_changed',
    'priority_session_changing',
    'use_pharmacy_code',
  ],
  notifications: [
    'notify_arrived_colleague',
    'notify_changed_row',
    'notify_ended_sessions',
    'notify_revoked_key',
  ],
  figures: [
    'analytics_of_added_orders',
    'analytics_of_arrival',
    'analytics_of_changed_order',
    'analytics_of_removed_orders',
  ],
  entitlements: [
    'compute_entitlements',
    'entitlements_of_pharmacy_changed',
    'entitlements_of_plan_changed',
  ],
  'uses of files': [
    'release_logo',
    'release_offer_picture',
    'remove_storage_folder',
    'use_stored_file',
  ],
  'columns that follow others': [
    'follow_account_email',
    'follow_order_lines',
    'follow_order_store',
    'follow_orders_phase',
    'follow_ready_status',
    'priority_session_of_customer',
    'priority_session_of_order',
  ],
  'changes on their way to Airtable': ['queue_changed_moments'],
  'ends with what it belongs to': ['end_support_sessions', 'priority_session_of_removed_order'],
  refusals: ['keep_privacy_text', 'pharmacy_orders_moved'],
}

it('triggers derive and refuse, and know neither jobs nor periods', async () => {
  const { pool } = await testDatabase()
  const { rows } = await pool.query<{ name: string; body: string }>(
    `select distinct proname as name, prosrc as body from pg_trigger join pg_proc on pg_proc.oid = tgfoid
     where not tgisinternal and pronamespace = 'public'::regnamespace`,
  )
  const names = rows.map(({ name }) => name)
  expect(names.toSorted()).toEqual(Object.values(kinds).flat().toSorted())
  const deciding = rows.filter(({ body }) =>
    /graphile_worker|\binterval\b|make_interval/.test(body),
  )
  expect(deciding).toEqual([])
})
