// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'order lists, counts and exports select the orders of one pharmacy only',
    file: 'server/src/features/orders/search/filtered-orders.store.ts',
    find: `
    .selectFrom('pharmacy_orders')
    .where('pharmacy_orders.pharmacy_id', '=', pharmacyId)`,
    replace: `
    .selectFrom('pharmacy_orders')`,
    // A list names the pharmacy twice; counts and selections would be wrong.
    tests: ['server/src/features/orders/search/order-lists.test.ts'],
  },
  {
    name: 'a status change does not reach an order of another pharmacy',
    file: 'server/src/features/orders/changes/order-statuses.store.ts',
    find: `
              .on('record.pharmacy_id', '=', pharmacyId)`,
    replace: '',
    tests: ['server/src/features/orders/orders.test.ts'],
  },
  {
    name: 'earlier orders of a telephone number exclude those of other pharmacies',
    file: 'server/src/features/orders/search/order-search.store.ts',
    find: `
        .where('other.pharmacy_id', '=', pharmacyId)`,
    replace: '',
    tests: ['server/src/features/orders/search/order-search-rows.test.ts'],
  },
  {
    name: 'the cache of order pages is keyed by pharmacy',
    file: 'server/src/features/orders/order-page-cache.ts',
    find: 'JSON.stringify([pharmacyId, filter, sort, page, pageSize])',
    replace: 'JSON.stringify([filter, sort, page, pageSize])',
    tests: ['server/src/features/orders/order-page-cache.test.ts'],
  },
  {
    name: 'a caller is not given what was asked for before it came',
    file: 'server/src/platform/batch.ts',
    find: `
    next = undefined
    const all = [...keys]`,
    replace: `
    const all = [...keys]
    setTimeout(() => (next = undefined), 50)`,
    tests: ['server/src/platform/batch.test.ts'],
  },
  {
    name: 'a batch gives every caller the value of its own key',
    file: 'server/src/platform/batch.ts',
    find: 'return (await loads.get(key))?.get(key)',
    replace: 'return [...((await loads.get(key)) ?? []).values()][0]?.[1]',
    tests: ['server/src/platform/batch.test.ts'],
  },
  {
    name: 'order events are broadcast to the topic of their pharmacy only',
    file: 'server/src/http/pharmacy-topics.ts',
    find: 'realtime.broadcast(pharmacyTopic(pharmacy), topicEvents.orders, { kind, ids })',
    replace: `for (const topic of realtime.topics()) {
      realtime.broadcast(topic, topicEvents.orders, { kind, ids })
    }`,
    tests: ['server/test/realtime/orders.test.ts'],
  },
  {
    name: 'changes of visits are broadcast to the topic of their pharmacy only',
    file: 'server/src/http/pharmacy-topics.ts',
    find: 'realtime.broadcast(pharmacyTopic(pharmacyId), topicEvents.priority, {})',
    replace:
      'for (const topic of realtime.topics()) realtime.broadcast(topic, topicEvents.priority, {})',
    tests: ['server/test/realtime/orders.test.ts'],
  },
  {
    name: 'a listing of a whole bucket is narrowed to the folder of the pharmacy',
    file: 'server/src/platform/storage/lists.service.ts',
    find: 'const start = principal.isAdmin || prefix.startsWith(own) ? prefix : own',
    replace: 'const start = prefix',
    tests: ['server/test/conformance/storage/isolation.test.ts'],
  },
  {
    name: 'an offer cannot use an image of another pharmacy',
    file: 'server/src/features/images/images.store.ts',
    find: '(image.pharmacy_id = ${pharmacyId} or exists (',
    replace: '(${pharmacyId}::text is not null or exists (',
    tests: ['server/src/features/images/images-job.test.ts'],
  },
  {
    name: 'an API key is revoked by its own pharmacy only',
    file: 'server/src/features/api-keys/api-keys.store.ts',
    find: `
          .where('id', '=', keyId)
          .where('pharmacy_id', '=', pharmacyId)`,
    replace: `
          .where('id', '=', keyId)`,
    tests: ['server/src/features/api-keys/api-keys.test.ts'],
  },
  {
    name: 'a test notification is sent to devices of the own pharmacy only',
    file: 'server/src/features/notifications/push-devices.store.ts',
    find: `
        .where('device.pharmacy_id', '=', pharmacyId)
        .where('device.endpoint', '=', endpoint)`,
    replace: `
        .where('device.endpoint', '=', endpoint)`,
    tests: ['server/src/features/notifications/notifications.test.ts'],
  },
  {
    name: 'a logo is a picture of the own pharmacy',
    file: 'server/src/features/pharmacy-profile/pharmacy-profile.service.ts',
    find: "if (url === undefined) throw new AppError('images.not_found')",
    replace: 'if (url === undefined) return before',
    tests: ['server/src/features/pharmacy-profile/pharmacy-profile.test.ts'],
  },
]
