// @ts-check

const migration = 'server/src/features/orders/migration/'

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a dry run writes no order',
    file: `${migration}migration-batches.store.ts`,
    find: "if (mode === 'full') await write()",
    replace: 'await write()',
    tests: [`${migration}orders-migration.test.ts`],
  },
  {
    name: 'records that a run has done are not done again',
    file: `${migration}migration-batches.store.ts`,
    find: 'const orders = all.filter(({ recordId }) => fresh.has(recordId))',
    replace: 'const orders = all.filter(({ recordId }) => recordId !== "" || fresh.has(recordId))',
    tests: [`${migration}orders-migration.test.ts`, `${migration}migration-kills.test.ts`],
  },
  {
    name: 'a run continues at the last change that it has seen',
    file: `${migration}migration-reading.ts`,
    find: 'return source.readByChange(run.location, run.cursor, signal)',
    replace: 'return source.readByChange(run.location, null, signal)',
    tests: [`${migration}migration-kills.test.ts`],
  },
  {
    name: 'a run whose process is silent is taken over',
    file: `${migration}migration-work.store.ts`,
    find: `
          or due.heartbeat_at < clock_timestamp() - make_interval(secs => \${stalledMs / 1_000}::float8)`,
    replace: '',
    tests: [`${migration}migration-kills.test.ts`],
  },
  {
    name: 'a verification compares the contents, not the numbers',
    file: `${migration}migration-comparison.ts`,
    find: 'a?.orders === b?.orders && a?.sum === b?.sum',
    replace: 'a?.orders === b?.orders',
    tests: [`${migration}orders-migration.test.ts`],
  },
  {
    name: 'of two administrators who migrate all one starts the runs',
    file: `${migration}migration-runs.store.ts`,
    find: "        await sql`select pg_advisory_xact_lock(hashtextextended('migrate all', 0))`.execute(tx)\n",
    replace: '',
    tests: [`${migration}orders-migration.test.ts`],
  },
  {
    name: 'a pharmacy does not leave shadow before its time without a reason',
    file: `${migration}migration-phases.rules.ts`,
    find: 'step.isPossible && (hasReason || !step.needsReason)',
    replace: 'step.isPossible && (hasReason || true)',
    tests: [`${migration}orders-phases.test.ts`],
  },
  {
    name: 'the backup that pages are answered from is not deleted',
    file: `${migration}backup-orders.store.ts`,
    find: 'state.use_supabase_orders || ',
    replace: '',
    tests: [`${migration}orders-phases.test.ts`],
  },
  {
    name: 'what is written into Airtable is imported in the phase database although no page is open',
    file: 'server/src/features/orders/copy/poll-schedule.store.ts',
    find: "or p.orders_phase in ('shadow', 'database')",
    replace: '',
    tests: [`${migration}orders-phases.test.ts`],
  },
  {
    name: 'an order that is deleted in Airtable stays in the phase database',
    file: 'server/src/features/orders/changes/order-push.ts',
    find: 'return change.isMirrored ? finish(orderId, change, null) : removeGone(orderId, change)',
    replace: 'return removeGone(orderId, change)',
    tests: [`${migration}orders-phases.test.ts`],
  },
  {
    name: 'a run does not skip orders because newer ones have no time of change',
    file: `${migration}migration-reading.ts`,
    find: 'const time = changedAt?.get(recordId)',
    replace: 'const time = changedAt && new Date().toISOString()',
    tests: [`${migration}orders-migration.test.ts`],
  },
  {
    name: 'a pharmacy leaves the database for Airtable only by the run that brings all changes there',
    file: 'server/src/features/pharmacies/admin-pharmacies.store.ts',
    find: 'if (wasMirrored && !after.use_supabase_orders) {',
    replace: 'if (wasMirrored && after.name === "") {',
    tests: ['server/src/features/pharmacies/admin-pharmacies.test.ts'],
  },
]
