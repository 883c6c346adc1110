// @ts-check

const tests = ['server/src/features/orders/expiry/order-expiry.test.ts']
const file = 'server/src/features/orders/expiry/order-expiry.store.ts'

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'an order that expires loses its notes, which name the customer',
    file,
    find: "'order_events', 'order_notes'",
    replace: "'order_events'",
    tests,
  },
  {
    name: 'an order that expires leads no more to its record in the order source',
    file,
    find: "      airtable_order_id: sql<string>`'rec' || left(replace(gen_random_uuid()::text, '-', ''), 14)`,\n",
    replace: '',
    tests,
  },
  {
    name: 'an order that expires leads to no contact of WhatsApp',
    file: 'server/src/wiring-whatsapp.ts',
    find: '  await deleteLinksOf(tx, pharmacyId, orderIds)\n',
    replace: '',
    tests,
  },
  {
    name: 'orders that Airtable has do not expire here, where they would come back',
    file,
    find: "        .where(sql<boolean>`not ${isOnAirtable('pharmacies')}`)\n",
    replace: '',
    tests,
  },
  {
    name: 'an order that waits is kept longer than one that is closed',
    file,
    find: '${days + WAITING_DAYS}',
    replace: '${days}',
    tests,
  },
]
