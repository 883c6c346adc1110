/**
 * What stands in the way of distributing the tables by `pharmacy_id`, by what has to change first (`docs/scaling.md`). The
 * list only gets shorter: a new table has `pharmacy_id` first in its primary key, in what is unique and in foreign keys.
 */
export const knownObstacles: Record<string, readonly string[]> = {
  // For servers of the last release, while they are replaced one after the other: indexes for what they find by an id alone
  // or name in 'on conflict', and triggers that fill the columns that they do not know. The functions of the triggers and
  // priority_take_back (visit, source, person) go with them. Before that of order_images goes, links of pictures name the
  // pharmacy, whose servers of this release find an image by its order alone.
  'dropped with the next release': [
    'migration_items: migration_items__until_next_release',
    'migration_items__until_next_release',
    'migration_records: migration_records__until_next_release',
    'order_changes__until_next_release',
    'order_creations__until_next_release',
    'order_image_files: order_image_files__until_next_release',
    'order_image_files__until_next_release',
    'order_images__until_next_release',
    'pharmacy_orders__until_next_release',
    'priority_access_sessions__until_next_release',
    'priority_events: priority_events__until_next_release',
    'priority_links: priority_links__until_next_release',
    'whatsapp_contacts__until_next_release',
    'whatsapp_order_contacts__until_next_release',
    'whatsapp_outbox__until_next_release',
  ],

  // They are only added to and dropped by day. To move them between nodes without a pause takes a key.
  'no primary key': ['offer_events', 'offer_page_views'],

  'primary key without pharmacy_id': [
    // Queues, from which one statement takes the oldest rows of all pharmacies.
    'analytics_changes (id)',
    'visit_queue (id)',
    // Written by triggers for each statement, which the statements replace.
    'order_confirmations (order_id)',
    'order_search (order_id)',
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

  // They are refused, or run once on every shard. The statement does their work: counting, history and search.
  'trigger for each statement': [
    'pharmacy_orders: pharmacy_orders__added',
    'pharmacy_orders: pharmacy_orders__analytics_added',
    'pharmacy_orders: pharmacy_orders__analytics_removed',
    'pharmacy_orders: pharmacy_orders__changed',
    'pharmacy_orders: pharmacy_orders__gone',
    'pharmacy_orders: pharmacy_orders__removed',
    'pharmacy_orders: pharmacy_orders__search_added',
    'product_categories: product_categories__changed',
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
