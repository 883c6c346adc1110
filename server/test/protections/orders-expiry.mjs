// @ts-check

const tests = ['server/src/features/orders/expiry/order-expiry.test.ts']
const ownTests = ['server/src/features/orders/expiry/order-retention.test.ts']
const file = 'server/src/features/orders/expiry/order-expiry.store.ts'
const anonymization = 'server/src/features/orders/customers/order-anonymization.store.ts'
const traces = 'server/src/customer-traces.ts'

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'an order that expires loses the names of its attachments',
    file: anonymization,
    find: '      attachments: null,\n',
    replace: '',
    tests,
  },
  {
    name: 'an order that expires loses its notes, which name the customer',
    file: anonymization,
    find: '  await deleteNotesOf(tx, pharmacyId, recordIds)\n',
    replace: '',
    tests,
  },
  {
    name: 'an order that expires is no example in a report of a migration',
    file: anonymization,
    find: '  await forgetExamples(tx, pharmacyId)\n',
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
    find: `      and contact.last_inbound_at >= \${since}
    union`,
    replace: `      and false
    union`,
    tests,
  },
  {
    name: 'a customer who has written from the telephone number of an order does not expire',
    file: 'server/src/features/whatsapp/messages/order-customers.store.ts',
    find: 'where contact.pharmacy_id = ${pharmacyId} and contact.last_inbound_at >= ${since}',
    replace: 'where contact.pharmacy_id = ${pharmacyId} and false',
    tests,
  },
  {
    name: 'a customer of several telephone numbers who has written from one does not expire',
    file: 'server/src/features/whatsapp/messages/order-customers.store.ts',
    find: 'order.numbers.some((one) => written.has(one))',
    replace: 'order.numbers.length === 0',
    tests,
  },
  {
    name: 'a note on an order whose customer has expired expires, too',
    file,
    find: 'and note.record_id = record.airtable_order_id',
    replace: 'and false',
    tests,
  },
  {
    name: 'an order that waits again after its customer has expired is cancelled',
    file,
    find: '(${hasCustomer} or record.status = ${WAITING} or exists (',
    replace: '(${hasCustomer} or exists (',
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
    name: 'an order that expires loses its picture',
    file: anonymization,
    find: '  await deleteImagesOf(tx, pharmacyId, ids)\n',
    replace: '',
    tests,
  },
  {
    name: 'the messages about an order that expires are deleted',
    file: traces,
    find: '    await deleteMessagesOf(tx, pharmacyId, ids)\n',
    replace: '',
    tests,
  },
  {
    name: 'orders do not expire while they are in Airtable, also if the job was added before',
    file,
    find: `
    .where(isInDatabaseOnly)
    .where(isOld(days))`,
    replace: `
    .where(isOld(days))`,
    tests,
  },
  {
    name: 'orders do not expire when the id of their base is missing for a moment',
    file: anonymization,
    find: "and order_copies.read_at > now() - interval '30 days'",
    replace: 'and false',
    tests,
  },
  {
    name: 'an order whose customer has expired is not made in Airtable',
    file: 'server/src/database/migrations/0047_expired_orders_stay_here.sql',
    find: ') > 0',
    replace: ') >= 0',
    tests,
  },
  {
    name: 'an order that waits is kept longer than one that is closed',
    file,
    find: '${before(days + WAITING_DAYS)}',
    replace: '${before(days)}',
    tests,
  },
  {
    name: 'an order that is held does not expire',
    file,
    find: 'not ${isHeld()} and (',
    replace: '(',
    tests,
  },
  {
    name: 'the time that a pharmacy has chosen is before that of the platform',
    file,
    find: '(await ownDays(tx, pharmacyId)) ?? platformDays',
    replace: 'platformDays ?? (await ownDays(tx, pharmacyId))',
    tests,
  },
  {
    name: 'of two changes of the time at once the second is refused',
    file: 'server/src/features/orders/expiry/order-retention.store.ts',
    find: 'if (stored !== before)',
    replace: 'if (stored !== before && before !== null)',
    tests: ownTests,
  },
  {
    name: 'an order whose customer was erased is not held, which would promise too much',
    file: 'server/src/features/orders/expiry/order-holds.store.ts',
    find: 'if (!order.hasCustomer)',
    replace: 'if (order.id === reason)',
    tests: ownTests,
  },
  {
    name: 'a hold stays when its row is merged with the order that was made here',
    file: 'server/src/features/orders/creation/order-creation-outcomes.store.ts',
    find: '          await moveHold(tx, pharmacyId, decision.holderId, orderId)\n',
    replace: '',
    tests: ['server/src/features/orders/creation/order-creation-outcomes.test.ts'],
  },
  {
    name: 'the time of the platform is chosen only as it was seen',
    file: 'server/src/features/orders/expiry/order-retention.service.ts',
    find: 'seen.platformDays !== (await platformDays())',
    replace: 'seen.platformDays === undefined',
    tests: ownTests,
  },
  {
    name: 'the time of the platform is announced without the pharmacies that have chosen their own',
    file,
    find: 'countOld(days, sql`not ${hasOwnDays}`)',
    replace: 'countOld(days, sql`true`)',
    tests,
  },
]
