// @ts-check

const tests = ['server/test/customer-data.test.ts']
const service = 'server/src/features/customer-data/customer-data.service.ts'
const orders = 'server/src/features/orders/customers/customer-orders.store.ts'

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: "a customer's orders are found where a field has several telephone numbers",
    file: 'server/src/platform/customers.ts',
    find: "strpos(regexp_replace(${text}, '[^0-9]', '', 'g'), ${national}) > 0",
    replace: 'false',
    tests,
  },
  {
    name: "an erasure anonymizes the orders that are linked with the customer's contact",
    file: orders,
    find: '(record.id = any(${orderIds}::bigint[])',
    replace: '(false',
    tests,
  },
  {
    name: 'an erasure leaves the orders of other customers',
    file: orders,
    find: '      .where(isOfCustomer(of))\n',
    replace: '',
    tests,
  },
  {
    name: 'an erasure leaves orders that are in Airtable',
    file: orders,
    find: '        .where(isInDatabaseOnly)\n',
    replace: '',
    tests,
  },
  {
    name: 'an erasure ends an open visit and empties it',
    file: 'server/src/features/priority/customer-visits.store.ts',
    find: 'ended_at: sql<string>`coalesce(ended_at, now())`',
    replace: 'ended_at: sql<string>`ended_at`',
    tests,
  },
  {
    name: 'an erasure leaves the visits of the customer at another pharmacy',
    file: 'server/src/features/priority/customer-visits.store.ts',
    find: `        .where('pharmacy_id', '=', pharmacyId)
        .where(isOfCustomer(customer))
        .$if(`,
    replace: `        .where(isOfCustomer(customer))
        .$if(`,
    tests,
  },
  {
    name: "an erasure deletes the customer's contact and messages",
    file: service,
    find: 'messages: await messages.erase(tx, pharmacyId, customer, before)',
    replace: 'messages: 0',
    tests,
  },
  {
    name: 'an erasure is recorded',
    file: service,
    find: "await audit.record({ action: 'customer_erased', userId: null, details }, tx)",
    replace: '',
    tests,
  },
  {
    name: 'a text without one whole telephone number finds no customer',
    file: service,
    find: 'if (!customer || another) throw',
    replace: 'if (!customer) throw',
    tests,
  },
  {
    name: 'a customer whose data were erased after the back-up is erased after its restore',
    file: 'server/src/features/backups/backups.wiring.ts',
    find: 'await dependencies.eraseCustomers(pharmacyId, ofPharmacy)',
    replace: '',
    tests: ['server/test/backups-of-a-server.test.ts'],
  },
  {
    name: 'a restored database keeps what a customer did after the erasure',
    file: orders,
    find: 'record.airtable_created < ${before}::timestamptz',
    replace: 'true',
    tests,
  },
]
