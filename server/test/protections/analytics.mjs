// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a note of another pharmacy is not removed',
    file: 'server/src/features/analytics/notes.store.ts',
    find: `
          .where('pharmacy_id', '=', pharmacyId)
          .executeTakeFirst()`,
    replace: `
          .executeTakeFirst()`,
    tests: ['server/src/features/analytics/traffic.test.ts', 'server/test/other-pharmacy.test.ts'],
  },
  {
    name: 'a note of another pharmacy is not changed',
    file: 'server/src/features/analytics/notes.store.ts',
    find: `
          .where('pharmacy_id', '=', pharmacyId)
          .returning(`,
    replace: `
          .returning(`,
    tests: ['server/src/features/analytics/traffic.test.ts', 'server/test/other-pharmacy.test.ts'],
  },
  {
    name: 'a setting of analytics leaves alone what another tab has changed',
    file: 'server/src/features/analytics/analytics-settings.store.ts',
    find: 'changes.hasOrderCodes ?? before.hasOrderCodes',
    replace: 'changes.hasOrderCodes ?? false',
    tests: ['server/src/features/analytics/traffic.test.ts'],
  },
  {
    name: 'arrivals stay counted after their visits are deleted',
    file: 'server/src/features/analytics/figures-reader.ts',
    find: '() => arrivals.figures(pharmacyId, days),',
    replace: '',
    tests: ['server/src/features/analytics/analytics.test.ts'],
  },
  {
    name: 'notes that are added at the same time keep to their limit',
    file: 'server/src/features/analytics/notes.store.ts',
    find: 'await lockPharmacy(tx, pharmacyId)',
    replace: '',
    tests: ['server/src/features/analytics/traffic.test.ts'],
  },
  {
    name: 'today is compared with the same hours of the other day',
    file: 'server/src/features/analytics/analytics.rules.ts',
    find: 'al === dayOf(now) ? sameTimeOn(to, now) : null',
    replace: 'al === dayOf(now) ? null : null',
    tests: ['server/src/features/analytics/analytics.test.ts'],
  },
  {
    name: 'a day has the hours that it has when the clocks change',
    file: 'server/src/features/analytics/analytics-buckets.store.ts',
    find: "${endOf(span)} - interval '1 hour', interval '1 hour') as at",
    replace: "${beginningOf(span)} + interval '23 hours', interval '1 hour') as at",
    tests: ['server/src/features/analytics/analytics.test.ts'],
  },
  {
    name: 'orders that are not folded yet count',
    file: 'server/src/features/analytics/order-figures.store.ts',
    find: ' + coalesce(changed.${sql.ref(column)}, 0)',
    replace: ' + 0 * coalesce(changed.${sql.ref(column)}, 0)',
    tests: ['server/src/features/analytics/analytics.test.ts'],
  },
  {
    name: 'visits are counted themselves where their figures cannot be read',
    file: 'server/src/features/analytics/figures-reader.ts',
    find: 'const live = () => visits.live(pharmacyId, spans)',
    replace: "const live = async () => Promise.reject(new Error('lost'))",
    tests: ['server/src/features/analytics/analytics.test.ts'],
  },
  {
    name: 'the page is shown without its orders where they cannot be read',
    file: 'server/src/features/analytics/analytics.service.ts',
    find: '      ordersFailed: ordered === null,',
    replace: '      ordersFailed: false,',
    tests: ['server/src/features/analytics/analytics.test.ts'],
  },
  {
    name: 'the weekly mail goes to those that want it',
    file: 'server/src/features/analytics/weekly-mail/weekly-mail.store.ts',
    find: "    .where('settings.has_weekly_mail', '=', true)\n",
    replace: '',
    tests: ['server/src/features/analytics/weekly-mail/weekly-mail.test.ts'],
  },
  {
    name: 'the figures of a day follow a status that changes',
    file: 'server/src/database/migrations/0046_triggers_of_changed_orders.sql',
    find: '  elsif before is distinct from after then',
    replace: '  elsif false then',
    tests: ['server/src/features/visits/folding.test.ts'],
  },
  {
    name: 'a confirmation that is taken back is none in the figures',
    file: 'server/src/database/migrations/0046_triggers_of_changed_orders.sql',
    find: '    delete from order_confirmations where pharmacy_id = new.pharmacy_id and order_id = new.id;\n',
    replace: '    null;\n',
    tests: [
      'server/src/features/visits/folding.test.ts',
      'server/src/features/analytics/analytics.test.ts',
    ],
  },
]
