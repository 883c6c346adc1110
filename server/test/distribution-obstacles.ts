/**
 * What stands in the way of distributing the tables by `pharmacy_id`, by what has to change first (`docs/scaling.md`). The
 * list only gets shorter: a new table has `pharmacy_id` first in its primary key, in what is unique and in foreign keys.
 */
export const knownObstacles: Record<string, readonly string[]> = {
  // They are only added to and dropped by day. To move them between nodes without a pause takes a key.
  'no primary key': ['offer_events', 'offer_page_views'],

  'primary key without pharmacy_id': [
    // Queues, from which one statement takes the oldest rows of all pharmacies.
    'analytics_changes (id)',
    'visit_queue (id)',
    // The id is chosen by who creates the offer, and its pictures are held under it: it stays unique among all pharmacies.
    'product_offers (id)',
    // A device that signs in at another pharmacy takes its row along.
    'push_subscriptions (id)',
  ],
  // The table is partitioned by the day, and recorded with 'on conflict on constraint'.
  'primary key with pharmacy_id in another place': ['visitors (day, pharmacy_id, visitor)'],

  'unique without pharmacy_id': [
    // A small table in one place keeps them apart, and leads to the pharmacy.
    'api_keys__hash_taken',
    'migration_runs__one_of_base',
    // The links of pictures have the id of the order alone.
    'order_images__of_order',
    'pharmacies__code_taken',
    'pharmacy_members__one_pharmacy',
    'priority_displays_token_hash_key',
    'priority_links__token_taken',
    'push_subscriptions__endpoint_taken',
    'whatsapp_connections__one_of_number',
  ],

  // The statement that changes the code of a pharmacy changes that of the offers.
  'foreign key that changes pharmacy_id': ['product_offers__of_pharmacy'],

  // They are dropped. What ends an account, a session or a file removes the rows.
  'foreign key to a table that is in one place': [
    'pharmacies_id_fkey',
    'push_subscriptions_session_id_fkey',
  ],
  'foreign key from a table that is in one place': [
    'images_pharmacy_id_fkey',
    'pharmacy_exports_pharmacy_id_fkey',
    'support_visits_pharmacy_id_fkey',
  ],

  // No obstacle, but a decision: these are few rows, or read for all pharmacies together.
  'pharmacy_id in a table that is in one place': [
    'audit_events',
    'images',
    'pharmacy_exports',
    'pharmacy_purges',
    'support_visits',
  ],

  // The queue of jobs is in one place: the statement adds the job.
  'trigger that adds a job': [
    'pharmacy_orders: whatsapp_order_changed',
    'priority_access_sessions: whatsapp_visit_changed',
  ],

  // The transaction of the store writes both tables.
  'trigger that writes a table that is in one place': [
    'pharmacies: pharmacies__code_used',
    'pharmacies: pharmacies__colleagues',
    'pharmacies: pharmacies__logo_released',
    'pharmacies: pharmacies__storage',
    'product_offers: product_offers__picture_released',
  ],
  'trigger of a copied table': [
    'product_categories: product_categories__changed',
    'subscription_plans: subscription_plans__entitlements',
  ],
}
