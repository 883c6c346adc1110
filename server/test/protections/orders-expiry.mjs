// @ts-check

const tests = ['server/src/features/orders/expiry/order-expiry.test.ts']
const file = 'server/src/features/orders/expiry/order-expiry.store.ts'
const traces = 'server/src/customer-traces.ts'

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'an order that expires loses its notes, which name the customer',
    file,
    find: '          await deleteNotesOf(tx, pharmacyId, recordIds)\n',
    replace: '',
    tests,
  },
  {
    name: 'an order that expires is no example in a report of a migration',
    file,
    find: '          await forgetExamples(tx, pharmacyId)\n',
    replace: '',
    tests,
  },
  {
    name: 'an order that expires leads to no contact of WhatsApp',
    file: traces,
    find: '    await deleteLinksOf(tx, pharmacyId, ids)\n',
    replace: '',
    tests,
  },
  {
    name: 'the customer of an order who has written lately does not expire',
    file: 'server/src/features/whatsapp/messages/order-customers.store.ts',
    find: 'and contact.last_inbound_at >= ${since}`.execute(tx)',
    replace: 'and false`.execute(tx)',
    tests,
  },
  {
    name: 'the customer of an order who was here lately does not expire',
    file: traces,
    find: '.filter(({ recordId }) => expected.has(recordId))',
    replace: '.filter(() => false)',
    tests,
  },
  {
    name: 'orders that Airtable has do not expire here, where they would come back',
    file,
    find: "(not ${isOnAirtable('pharmacies')} and pharmacies.deleted_at is null)",
    replace: '(pharmacies.deleted_at is null)',
    tests,
  },
  {
    name: 'an order that waits is kept longer than one that is closed',
    file,
    find: '${before(days + WAITING_DAYS)}',
    replace: '${before(days)}',
    tests,
  },
]
