// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a status change and its outbox row are written in one transaction',
    file: 'server/src/features/orders/changes/order-changes.store.ts',
    find: 'const orders = await changeStatuses(tx, pharmacyId, changes, author)',
    replace: 'const orders = await changeStatuses(db, pharmacyId, changes, author)',
    tests: ['server/src/features/orders/changes/order-push.test.ts'],
  },
  {
    name: 'each status change enqueues a job that pushes it',
    file: 'server/src/features/orders/changes/order-changes.store.ts',
    find: '  await enqueueAll(\n    tx,',
    replace: '  if (noted.length < 0) await enqueueAll(\n    tx,',
    tests: ['server/src/features/orders/changes/order-changes-airtable.test.ts'],
  },
  {
    name: 'a push does not overwrite a status that was changed in the store meanwhile',
    file: 'server/src/features/orders/changes/order-push.ts',
    find: "if (!change.expected.includes(held)) return giveUp(orderId, change, 'conflict', found)",
    replace: '',
    tests: ['server/src/features/orders/changes/order-push.test.ts'],
  },
  {
    name: 'a status of an earlier unanswered push is not taken for a conflict',
    file: 'server/src/features/orders/changes/order-changes.store.ts',
    find: 'expected: [row.stored_status, ...row.attempted],',
    replace: 'expected: [row.stored_status],',
    tests: ['server/src/features/orders/changes/order-push.test.ts'],
  },
  {
    name: 'a newer status change stays in the outbox when the push of the older one ends',
    file: 'server/src/features/orders/changes/order-change-outcomes.store.ts',
    find: 'if (isUnsure || change.version !== pushed.version) {',
    replace: 'if (isUnsure) {',
    tests: ['server/src/features/orders/changes/order-push.test.ts'],
  },
  {
    name: 'a status change is refused if the order has another status than the caller saw',
    file: 'server/src/features/orders/changes/order-statuses.store.ts',
    find: "else 'left' end`.as('verdict'),",
    replace: "else 'changed' end`.as('verdict'),",
    tests: ['server/src/features/orders/changes/order-changes.test.ts'],
  },
  {
    name: 'orders are written in one locking order and do not deadlock',
    file: 'server/src/features/orders/copy/order-upsert.store.ts',
    find: '.sort((a, b) => (a.recordId < b.recordId ? -1 : 1)).map(orderRow)',
    replace: '.map(orderRow)',
    tests: ['server/src/features/orders/copy/order-arrivals.test.ts'],
  },
  {
    name: 'the same creation request twenty times at once makes one order',
    file: 'server/src/features/orders/creation/new-orders.store.ts',
    find: '\n        await lockNewOrders(tx, pharmacyId)',
    replace: '',
    tests: ['server/src/features/orders/creation/new-orders.test.ts'],
  },
  {
    name: 'the creation of a record is not repeated after an answer is lost',
    file: 'server/src/adapters/airtable/airtable-client.ts',
    find: 'const isLast = tries >= (call.creates ? 1 : (call.tries ?? MAX_TRIES))',
    replace: 'const isLast = tries >= (call.tries ?? MAX_TRIES)',
    tests: ['server/src/features/orders/creation/order-creation.test.ts'],
  },
  {
    name: 'a status change that was given up stays in the history of the order',
    file: 'server/src/features/orders/changes/order-change-outcomes.store.ts',
    find: 'await addFailure(tx, pharmacyId, orderId, { kind, wanted: change.status })',
    replace: '',
    tests: ['server/src/features/orders/changes/order-changes-airtable.test.ts'],
  },
  {
    name: 'a status that changes is in the history of the order, whoever changed it',
    file: 'server/src/database/migrations/0046_triggers_of_changed_orders.sql',
    find: '  if old.status is distinct from new.status then',
    replace: '  if false then',
    tests: ['server/src/features/orders/details/order-details.test.ts'],
  },
]
