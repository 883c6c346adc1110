// @ts-check

/** Lost writes. Without an entry, an acknowledged change is lost or made twice. */
/** @type {import('../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a code of a pharmacy is never used again',
    file: 'server/src/database/schema/04-pharmacies.sql',
    find: 'insert into used_pharmacy_codes (code) values (upper(new.pharmacy_id));',
    replace: '',
    tests: ['server/src/features/pharmacies/admin-pharmacies.test.ts'],
  },
  {
    name: 'rows that a preview refused are not applied',
    file: 'server/src/features/pharmacy-imports/pharmacy-imports.store.ts',
    find: `
            .set({ is_done: true })
            .where('import_id', '=', importId)
            .where('outcome', '=', 'refused')`,
    replace: `
            .set({ is_done: false })
            .where('import_id', '=', importId)
            .where('outcome', '=', 'refused')`,
    tests: ['server/src/features/pharmacy-imports/pharmacy-imports.test.ts'],
  },
  {
    name: 'a form that was opened before another change overwrites nothing',
    file: 'server/src/features/pharmacies/admin-pharmacies.store.ts',
    find: 'if (seen !== undefined && seen !== before.version) {',
    replace: 'if (false) {',
    tests: ['server/src/features/pharmacies/admin-pharmacies.test.ts'],
  },
  {
    name: 'a restored pharmacy that was purged is purged before the first request',
    file: 'server/src/features/backups/backups.wiring.ts',
    find: `        await dependencies.purge(pharmacyId)
`,
    replace: '',
    tests: ['server/test/backups-of-a-server.test.ts'],
    only: 'has nothing of a pharmacy that was purged later',
  },
  {
    name: 'an import checks the SHA-256 of every table',
    file: 'server/src/platform/transfer/table-copy.ts',
    find: 'if (meter.digest() !== sha256) {',
    replace: 'if (meter.digest() === name) {',
    tests: ['server/test/transfer.test.ts'],
    only: 'is refused with the table of another export',
  },
  {
    name: 'a status change and its outbox row are written in one transaction',
    file: 'server/src/features/orders/changes/order-changes.store.ts',
    find: 'const orders = await changeStatuses(tx, hooks, pharmacyId, authored(wanted, author))',
    replace: 'const orders = await changeStatuses(db, hooks, pharmacyId, authored(wanted, author))',
    tests: ['server/src/features/orders/changes/order-push.test.ts'],
  },
  {
    name: 'each status change enqueues a job that pushes it',
    file: 'server/src/features/orders/changes/order-changes.store.ts',
    find: `  await enqueuePushes(
    tx,`,
    replace: `  if (queued.length < 0) await enqueuePushes(
    tx,`,
    tests: ['server/src/features/orders/changes/order-changes-airtable.test.ts'],
  },
  {
    name: 'a push does not overwrite a status that was changed in the store meanwhile',
    file: 'server/src/features/orders/changes/order-push.ts',
    find: `if (!change.expected.includes(held)) return giveUp(orderId, change, 'conflict', found)`,
    replace: '',
    tests: ['server/src/features/orders/changes/order-push.test.ts'],
  },
  {
    name: 'a newer status change stays in the outbox when the push of the older one ends',
    file: 'server/src/features/orders/changes/order-changes.store.ts',
    find: 'if (isUnsure || change.version !== pushed.version) {',
    replace: 'if (isUnsure) {',
    tests: ['server/src/features/orders/changes/order-push.test.ts'],
  },
  {
    name: 'a status change is refused if the order has another status than the caller saw',
    file: 'server/src/features/orders/changes/order-statuses.store.ts',
    find: `else 'changed_meanwhile' end\`.as('verdict'),`,
    replace: `else 'changed' end\`.as('verdict'),`,
    tests: ['server/src/features/orders/changes/order-changes.test.ts'],
  },
  {
    name: 'the same creation request twenty times at once makes one order',
    file: 'server/src/features/orders/creation/new-orders.store.ts',
    find: `
        await lockNewOrders(tx, pharmacyId)`,
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
    name: 'an order that Airtable may have without an answer is not corrected or removed here',
    file: 'server/src/features/orders/corrections/order-corrections.store.ts',
    find: `if (isInAirtable || order.place === 'sent')`,
    replace: 'if (isInAirtable)',
    tests: ['server/src/features/orders/corrections/order-corrections.test.ts'],
  },
  {
    name: 'a status stays as it is when its column in the store is gone',
    file: 'server/src/features/orders/records/order-upsert.store.ts',
    find: `unknown.has('status')`,
    replace: 'false',
    tests: ['server/src/features/orders/sync/order-import.test.ts'],
  },
  {
    name: 'a reading keeps a status that waits to be pushed to the store',
    file: 'server/src/features/orders/records/order-upsert.store.ts',
    find: `
      or not \${hasNoChange}`,
    replace: '',
    tests: ['server/src/features/orders/sync/order-copy.test.ts'],
  },
  {
    name: 'a record that the database refuses does not stop the others of its page',
    file: 'server/src/database/write-in-halves.ts',
    find: 'if (!isRefusedValue(error) || items.length === 0) throw error',
    replace: 'throw error',
    tests: ['server/src/features/orders/sync/order-import.test.ts'],
  },
  {
    name: 'a sweep looks each missing record up before it removes the order',
    file: 'server/src/features/orders/sync/order-sweep.ts',
    find: '? await findGone(sweep, suspects)',
    replace: '? suspects',
    tests: ['server/src/features/orders/sync/order-sweep.test.ts'],
  },
  {
    name: 'the removal of an order is refused while its status change waits',
    file: 'server/src/features/orders/records/order-upsert.store.ts',
    find: `
    .where(hasNoChange)`,
    replace: '',
    tests: ['server/src/features/orders/sync/order-sweep.test.ts'],
  },
  {
    name: 'a dry run writes no order',
    file: 'server/src/features/orders/migration/migration-batches.store.ts',
    find: `if (mode === 'full') await write()`,
    replace: 'await write()',
    tests: ['server/src/features/orders/migration/orders-migration.test.ts'],
  },
  {
    name: 'a pharmacy leaves the database for Airtable only by the run that brings all changes there',
    file: 'server/src/features/pharmacies/admin-pharmacies.store.ts',
    find: 'if (wasMirrored && !after.use_supabase_orders) {',
    replace: 'if (wasMirrored && after.name === "") {',
    tests: ['server/src/features/pharmacies/admin-pharmacies.test.ts'],
  },
  {
    name: 'a webhook that is sent again is not processed again',
    file: 'server/src/features/whatsapp/webhook/inbox.store.ts',
    find: `conflict.column('body_hash').doNothing()`,
    replace: `conflict.column('body_hash').doUpdateSet({ body: sql<Buffer>\`excluded.body\` })`,
    tests: ['server/src/features/whatsapp/webhook/webhook.test.ts'],
  },
  {
    name: 'an event that the database refuses does not stop the others of its webhook',
    file: 'server/src/features/whatsapp/webhook/event-processing.ts',
    find: 'if (!isRefused && !isLastTry) throw error',
    replace: 'throw error',
    tests: ['server/src/features/whatsapp/webhook/webhook.test.ts'],
  },
  {
    name: 'an order without its code is not lost',
    file: 'server/src/features/whatsapp/messages/inbound.service.ts',
    find: ' || hasOrderWords(text)',
    replace: '',
    tests: ['server/src/features/whatsapp/messages/conversation.test.ts'],
  },
  {
    name: 'a job that is added while a worker takes the pending one is not lost',
    file: 'server/src/platform/jobs.ts',
    find: 'missing = missing.filter(({ key }) => keys.has(key))',
    replace: 'missing = []',
    tests: ['server/src/platform/jobs.test.ts'],
  },
  {
    name: 'screens are told to read again after the LISTEN connection was restored',
    file: 'server/src/platform/realtime/realtime.service.ts',
    find: `      onMissed()
`,
    replace: '',
    tests: ['server/test/realtime/orders.test.ts'],
  },
  {
    name: 'a purge that was interrupted does not repeat complete steps, nor forget open ones',
    file: 'server/src/features/pharmacies/deletion/pharmacy-purge.ts',
    find: `
      if (step !== 'account') await store.finishStep(begun, step)`,
    replace: '',
    tests: ['server/src/features/pharmacies/deletion/pharmacy-deletion.test.ts'],
  },
  {
    name: 'an offer whose answer was lost is sent again under the same id',
    file: 'web/src/app/routes/offers/use-offer-saving.ts',
    find: 'sentAs ?? crypto.randomUUID()',
    replace: 'crypto.randomUUID()',
    tests: ['web/src/app/routes/offers/offer-sending.test.tsx'],
  },
  {
    name: 'the idempotency key of a new order is stored before the order is sent',
    file: 'web/src/features/orders/new-order/new-order-sheet.tsx',
    find: `    saveOrderDraft({ attempt })
`,
    replace: '',
    tests: ['web/src/features/orders/new-order/new-order.test.tsx'],
  },
]
