// @ts-check

const tests = ['server/test/customer-data.test.ts']
const service = 'server/src/features/customer-data/customer-data.service.ts'
const orders = 'server/src/features/orders/customers/customer-orders.store.ts'

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'the orders of another number with the same digits are not those of a customer',
    file: 'server/src/platform/customers.ts',
    find: 'numbers[n]?.includes(phone)',
    replace: 'numbers[n]?.length',
    tests,
  },
  {
    name: "an erasure anonymizes the orders that are linked with the customer's contact",
    file: orders,
    find: 'row.isLinked || numbered.has(row)',
    replace: 'numbered.has(row)',
    tests,
  },
  {
    name: 'an erasure leaves orders that are in Airtable',
    file: orders,
    find: 'here: found.filter((row) => row.isHere)',
    replace: 'here: found',
    tests,
  },
  {
    name: 'an erasure removes the notes on orders that are in Airtable',
    file: orders,
    find: '      await deleteNotesOf(tx, pharmacyId, recordIds)\n',
    replace: '',
    tests,
  },
  {
    name: "an erasure empties the visits of the customer's orders",
    file: 'server/src/features/priority/visits-of-customer.store.ts',
    find: 'row.isOfOrder || numbered.has(row)',
    replace: 'numbered.has(row)',
    tests,
  },
  {
    name: 'an erasure deletes the reports of messages, whose ids have the number',
    file: 'server/src/features/whatsapp/deliveries.store.ts',
    find: 'message_id = any(${messageIds}::text[])',
    replace: 'message_id is null',
    tests,
  },
  {
    name: 'an erasure ends an open visit and empties it',
    file: 'server/src/features/priority/visits-of-customer.store.ts',
    find: 'ended_at: sql<string>`now()`',
    replace: 'ended_at: null',
    tests,
  },
  {
    name: 'an erasure leaves the visits of the customer at another pharmacy',
    file: 'server/src/features/priority/visits-of-customer.store.ts',
    find: `
      .where('pharmacy_id', '=', pharmacyId)
      .where(sql<boolean>\`num_nonnulls`,
    replace: `
      .where(sql<boolean>\`num_nonnulls`,
    tests,
  },
  {
    name: "an erasure deletes the customer's contact and messages",
    file: service,
    find: '...(await messages.erase(tx, pharmacyId, customer, before)),',
    replace: 'messages: 0, isContact: false,',
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
    replace: '{ customers: 0, doSomeStay: false }',
    tests: ['server/test/backups-of-a-server.test.ts'],
  },
  {
    name: 'a restored database keeps what a customer did after the erasure',
    file: orders,
    find: 'record.airtable_created < ${before}::timestamptz',
    replace: 'true',
    tests,
  },
  {
    name: 'a restored database keeps the contact of a customer who came after the erasure',
    file: 'server/src/features/whatsapp/messages/customer-messages.store.ts',
    find: '(before !== undefined && contact.firstSeenAt >= before)',
    replace: 'false',
    tests,
  },
  {
    name: 'a restored database keeps the visits of a customer who came after the erasure',
    file: 'server/src/features/priority/visits-of-customer.store.ts',
    find: 'issued_at < ${before}::timestamptz',
    replace: 'true',
    tests,
  },
  {
    name: 'an erasure is looked for again while orders of its customer are in Airtable',
    file: 'server/src/features/backups/backups.wiring.ts',
    find: 'if (!doSomeStay) await',
    replace: 'await',
    tests,
  },
  {
    name: 'nothing is erased of a customer who has an order that is held',
    file: service,
    find: 'if (held.length > 0) throw',
    replace: 'if (held.length < 0) throw',
    tests,
  },
  {
    name: 'a restored hold that was released before the erasure does not keep the customer',
    file: orders,
    find: 'isHeld(before)',
    replace: 'isHeld()',
    tests,
  },
  {
    name: 'a hold that an erasure ends is deleted, since its reason may name the customer',
    file: orders,
    find: 'found.map(({ id }) => id)',
    replace: '[]',
    tests,
  },
  {
    name: 'a support visit does not show why an order is held, which may name the customer',
    file: 'contract/src/visit-responses.ts',
    find: '      hold: OrderHold.extend({ who, reason: HiddenText }).nullable(),\n',
    replace: '',
    tests: ['server/src/features/support/support-visits.test.ts'],
  },
  {
    name: 'a consent that waits for an erasure does not bring the number back',
    file: 'server/src/features/whatsapp/messages/order-messages.service.ts',
    find: 'if (!contact && !(await customers.hasPhone(tx, pharmacyId, order)))',
    replace: "if (!contact && order.id === '')",
    tests: ['server/src/features/whatsapp/messages/conversation.test.ts'],
  },
]
