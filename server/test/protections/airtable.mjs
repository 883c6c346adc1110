// @ts-check

const webhooks = ['server/src/features/airtable/webhooks.test.ts']
const tokens = ['server/src/features/airtable/airtable-tokens.test.ts']

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a ping needs the MAC of its bytes',
    file: 'server/src/features/airtable/pings.routes.ts',
    find: 'if (!known || !isSigned(known.secret, bytes, headers[MAC])) {',
    replace: 'if (!known) {',
    tests: webhooks,
  },
  {
    name: 'a ping that is sent again does nothing',
    file: 'server/src/features/airtable/airtable-webhooks.store.ts',
    find: `
        .where(sql<boolean>\`coalesce(ping_time < \${time}::timestamptz, true)\`)`,
    replace: '',
    tests: webhooks,
  },
  {
    name: 'an expired webhook does not count',
    file: 'server/src/database/airtable-webhooks.ts',
    find: `
      and coalesce(webhook.expires_at > now(), true)`,
    replace: '',
    tests: webhooks,
  },
  {
    name: 'a webhook whose pings do not arrive does not count',
    file: 'server/src/features/airtable/webhook-check.ts',
    find: ' && !isSilent',
    replace: '',
    tests: webhooks,
  },
  {
    name: 'a ping during a reading leads to another reading',
    file: 'server/src/features/orders/copy/order-copy.store.ts',
    find: `
            when signalled_at >= \${readAt}::timestamptz
            then least(poll_at, \${soonAfter(sql\`\${readAt}\`)})`,
    replace: '',
    tests: webhooks,
  },
  {
    name: 'a reported change that had to wait for another reading is read soon',
    file: 'server/src/features/orders/copy/order-poller.ts',
    find: "if (outcome === 'slow') await store.retrySignalled(pharmacyId)",
    replace: '',
    tests: ['server/src/features/orders/copy/order-poller.test.ts'],
  },
  {
    name: 'reported removals are read again when a process could not look for them',
    file: 'server/src/features/orders/copy/order-sweep.ts',
    find: "if (!looked) throw new Error('another process looks for removed orders of the pharmacy')",
    replace: 'void looked',
    tests: ['server/src/features/orders/copy/order-sweep.test.ts'],
  },
  {
    name: 'a webhook of one table does not count for another',
    file: 'server/src/database/airtable-webhooks.ts',
    find: `
      and (webhook.table_id is null or webhook.table_id = \${sql.ref(table)})`,
    replace: '',
    tests: webhooks,
  },
  {
    name: 'a base whose webhook is being replaced is polled, also when the creation fails',
    file: 'server/src/features/airtable/webhook-check.ts',
    find: `
    if (!(await webhooks.lost(due))) return`,
    replace: '',
    tests: webhooks,
  },
  {
    name: 'a check of a webhook that another one has overtaken stores nothing',
    file: 'server/src/features/airtable/airtable-webhooks.store.ts',
    find: `          ping_time: null,
        })
        .where('base_id', '=', baseId)
        .where('check_at', '=', checkAt)`,
    replace: `          ping_time: null,
        })
        .where('base_id', '=', baseId)`,
    tests: webhooks,
  },
  {
    name: 'a webhook made by a check that another one has overtaken is removed',
    file: 'server/src/features/airtable/webhook-check.ts',
    find: `await source.remove(baseId, made.id, signal)`,
    replace: '',
    tests: webhooks,
  },
  {
    name: 'a ping during the check of a webhook is not overruled',
    file: 'server/src/features/airtable/airtable-webhooks.store.ts',
    find: 'case when pinged_at > ${claimedAt}::timestamptz',
    replace: 'case when pinged_at > ${claimedAt}::timestamptz and false',
    tests: webhooks,
  },
  {
    name: 'a token is used for its own base only',
    file: 'server/src/features/airtable/airtable-tokens.store.ts',
    find: `
      .select(['token', 'key_id', 'set_at'])
      .where('base_id', '=', baseId)`,
    replace: `
      .select(['token', 'key_id', 'set_at'])`,
    tests: tokens,
  },
  {
    name: 'a token is stored for the base with which it was tried only',
    file: 'server/src/features/airtable/airtable-tokens.service.ts',
    find: '(await located(pharmacyId)).baseId !== baseId',
    replace: '(await located(pharmacyId)).baseId === undefined',
    tests: tokens,
  },
  {
    name: 'a token that does not work is not stored',
    file: 'server/src/features/airtable/airtable-tokens.service.ts',
    find: 'if (checked.problem !== null) return',
    replace: 'if (checked === null) return',
    tests: tokens,
  },
]
