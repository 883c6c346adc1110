// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a status stays as it is when its column in the store is gone',
    file: 'server/src/features/orders/copy/order-upsert.store.ts',
    find: "unknown.has('status')",
    replace: 'false',
    tests: ['server/src/features/orders/copy/order-import.test.ts'],
  },
  {
    name: 'a reading keeps a status that waits to be pushed to the store',
    file: 'server/src/features/orders/copy/order-upsert.store.ts',
    find: '\n      or not ${hasNoChange}',
    replace: '',
    tests: ['server/src/features/orders/copy/order-copy.test.ts'],
  },
  {
    name: 'the lease of a base is refused while another holder has it',
    file: 'server/src/features/orders/copy/order-leases.store.ts',
    find: "is('order_source_leases.holder', '=', holder),",
    replace: "is('order_source_leases.holder', '<>', ''),",
    tests: ['server/src/features/orders/copy/order-copy.test.ts'],
  },
  {
    name: 'a store that fails is polled at longer and longer intervals',
    file: 'server/src/features/orders/copy/order-poller.ts',
    find: "if (outcome === 'failed') await store.postpone(pharmacyId, timing)",
    replace: '',
    tests: ['server/src/features/orders/copy/order-poller.test.ts'],
  },
  {
    name: 'a record that the database refuses does not stop the others of its page',
    file: 'server/src/database/write-in-halves.ts',
    find: 'if (!isRefusedValue(error) || items.length === 0) throw error',
    replace: 'throw error',
    tests: ['server/src/features/orders/copy/order-import.test.ts'],
  },
  {
    name: 'an order that comes to name another pharmacy leaves the copy of the first',
    file: 'server/src/features/orders/copy/order-import.ts',
    find: "if (foreign.length > 0) await store.removeOrders(pharmacyId, foreign, 'infinity')",
    replace: '',
    tests: ['server/src/features/orders/copy/order-import.test.ts'],
  },
  {
    name: 'a sweep looks each missing record up before it removes the order',
    file: 'server/src/features/orders/copy/order-sweep.ts',
    find: '? await findGone(sweep, suspects)',
    replace: '? suspects',
    tests: ['server/src/features/orders/copy/order-sweep.test.ts'],
  },
  {
    name: 'the removal of an order is refused while its status change waits',
    file: 'server/src/features/orders/copy/order-upsert.store.ts',
    find: '\n    .where(hasNoChange)',
    replace: '',
    tests: ['server/src/features/orders/copy/order-sweep.test.ts'],
  },
  {
    name: 'an update of an order raises the version that cached pages depend on',
    file: 'server/src/database/migrations/0049_triggers_for_one_pharmacy.sql',
    find: `
      unseen = kept.unseen + change.unseen,
      version = kept.version + 1`,
    replace: `
      unseen = kept.unseen + change.unseen`,
    tests: ['server/src/features/orders/images/order-images.test.ts'],
  },
  {
    name: 'a base is left alone after Airtable answered 429',
    file: 'server/src/adapters/airtable/airtable-client.ts',
    find: 'await rate.pauseBase(call.baseId)',
    replace: '',
    tests: ['server/src/adapters/airtable/airtable-failures.test.ts'],
  },
  {
    name: 'a search by words finds the orders of the own pharmacy only',
    file: 'server/src/database/migrations/0049_triggers_for_one_pharmacy.sql',
    find: `      where s.pharmacy_id = pharmacy and s.created >= since and s.created < before
      order by s.created desc, s.order_id desc limit walk`,
    replace: `      where s.created >= since and s.created < before
      order by s.created desc, s.order_id desc limit walk`,
    tests: ['server/src/features/orders/search/order-words.test.ts'],
  },
  {
    name: 'the picture of an order is not served while its pharmacy is inactive',
    file: 'server/src/features/orders/images/order-attachments.store.ts',
    find: "\n        .where('pharmacy.is_active', '=', true)",
    replace: '',
    tests: ['server/test/order-pictures.test.ts'],
  },
  {
    name: 'a page of orders is found in an index, and only its orders are read',
    file: 'server/src/features/orders/search/newest-page.store.ts',
    find: '.orderBy(sorting.recenti)',
    replace: '.orderBy(sql`airtable_created desc, id desc, order_details`)',
    tests: ['server/src/features/orders/search/order-lists.test.ts'],
  },
]
