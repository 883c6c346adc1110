// @ts-check

const plansTest = 'server/src/features/subscription-plans/subscription-plans.test.ts'
const pharmaciesTest = 'server/src/features/pharmacies/admin-pharmacies.test.ts'

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a change of a plan does not reach what a pharmacy deviates in',
    file: 'server/src/database/migrations/0013_plans.sql',
    find: 'where not exists (select from plan_deviations d where d.pharmacy_id = pharmacy and d.key = feature)',
    replace: '',
    tests: [plansTest],
  },
  {
    name: 'a change of a plan reaches the pharmacies that follow it',
    file: 'server/src/database/migrations/0013_plans.sql',
    find: 'update pharmacies set plan_valid_until = plan_valid_until where subscription_plan_id = new.id;',
    replace: '',
    tests: [plansTest],
  },
  {
    name: 'the features of a plan end 14 days after its last day, not before',
    file: 'server/src/database/migrations/0013_plans.sql',
    find: 'valid_until + 14 < ',
    replace: 'valid_until < ',
    tests: [plansTest],
  },
  {
    name: 'the features of ended plans are switched off every night',
    file: 'server/src/features/pharmacies/plan-deviations.store.ts',
    find: 'is_plan_over(plan_valid_until) and',
    replace: 'false and',
    tests: [plansTest],
  },
  {
    name: 'the nightly end of plans and a change of a plan do not wait for each other',
    file: 'server/src/features/pharmacies/plan-deviations.store.ts',
    find: `
    await lockPlans(tx)`,
    replace: '',
    tests: [plansTest],
  },
  {
    name: 'the effects of a plan leave out deleted pharmacies',
    file: 'server/src/features/subscription-plans/plan-effects.store.ts',
    find: 'and pharmacy.deleted_at is null',
    replace: '',
    tests: [plansTest],
  },
  {
    name: 'saving a pharmacy whose plan is over does not take its features away for good',
    file: 'server/src/features/pharmacies/admin-pharmacies.store.ts',
    find: 'plan.max_offers, null))',
    replace: 'plan.max_offers, pharmacy.plan_valid_until))',
    tests: [plansTest],
  },
  {
    name: 'a code of a pharmacy is never used again',
    file: 'server/src/database/migrations/0013_plans.sql',
    find: 'insert into used_pharmacy_codes (code) values (upper(new.pharmacy_id));',
    replace: '',
    tests: [pharmaciesTest],
  },
  {
    name: 'a password of a pharmacy is set only in a session that authenticated lately',
    file: 'server/src/features/pharmacies/admin-pharmacies.service.ts',
    find: '      await requireFresh(session)\n      // Answers',
    replace: '      // Answers',
    tests: [pharmaciesTest],
  },
  {
    name: 'a pharmacy with a password is created only in a session that authenticated lately',
    file: 'server/src/features/pharmacies/admin-pharmacies.service.ts',
    find: 'if (wanted.password) await requireFresh(session)',
    replace: '',
    tests: [pharmaciesTest],
  },
  {
    name: 'the sessions of a deleted pharmacy have no access',
    file: 'server/src/features/pharmacies/pharmacies.store.ts',
    find: "            .on('pharmacy.deleted_at', 'is', null),",
    replace: ',',
    tests: [pharmaciesTest],
  },
  {
    name: 'the API keys of a deleted pharmacy have no access',
    file: 'server/src/features/pharmacies/pharmacies.store.ts',
    find: `
        .select(['airtable_base_id', 'airtable_table_id', 'orders_phase'])
        .where('id', '=', pharmacyId)
        .where('deleted_at', 'is', null)`,
    replace: `
        .select(['airtable_base_id', 'airtable_table_id', 'orders_phase'])
        .where('id', '=', pharmacyId)`,
    tests: [pharmaciesTest],
  },
  {
    name: 'the public page of a deleted pharmacy is gone',
    file: 'server/src/features/pharmacies/pharmacies.store.ts',
    find: `
        .where(sql\`upper(pharmacy_id)\`, '=', sql\`upper(\${code})\`)
        .where('deleted_at', 'is', null)`,
    replace: `
        .where(sql\`upper(pharmacy_id)\`, '=', sql\`upper(\${code})\`)`,
    tests: [pharmaciesTest],
  },
  {
    name: 'the site map leaves out deleted pharmacies',
    file: 'server/src/features/public-offers/site-map.store.ts',
    find: "      .where('deleted_at', 'is', null)",
    replace: '',
    tests: [pharmaciesTest],
  },
  {
    name: 'the orders of a deleted pharmacy are not read from Airtable',
    file: 'server/src/features/orders/copy/poll-schedule.store.ts',
    find: 'and p.is_active and p.deleted_at is null and',
    replace: 'and p.is_active and',
    tests: ['server/src/features/orders/copy/order-poller.test.ts'],
  },
  {
    name: 'the devices of a deleted pharmacy are not notified',
    file: 'server/src/features/notifications/push-devices.store.ts',
    find: "\n        .where('pharmacy.deleted_at', 'is', null)",
    replace: '',
    tests: ['server/src/features/notifications/notifying.test.ts'],
  },
  {
    name: 'the picture of an order is not served while its pharmacy is deleted',
    file: 'server/src/features/orders/images/order-attachments.store.ts',
    find: "\n        .where('pharmacy.deleted_at', 'is', null)",
    replace: '',
    tests: ['server/test/order-pictures.test.ts'],
  },
  {
    name: 'jobs of orders wait while their pharmacy is deleted',
    file: 'server/src/features/orders/order-job-pause.store.ts',
    find: 'row.is_active && row.deleted_at === null',
    replace: 'row.is_active',
    tests: ['server/src/features/pharmacies/life/pharmacy-life.test.ts'],
  },
  {
    name: 'visits to the page of a deleted pharmacy are not counted',
    file: 'server/src/features/visits/visits.store.ts',
    find: "\n        .where('deleted_at', 'is', null)",
    replace: '',
    tests: ['server/src/features/visits/visits.test.ts'],
  },
  {
    name: 'a deleted pharmacy is not changed',
    file: 'server/src/features/pharmacies/admin-pharmacies.store.ts',
    find: "if (before.deleted_at !== null) throw new AppError('pharmacies.not_found')",
    replace: '',
    tests: [pharmaciesTest],
  },
  {
    name: 'a category with offers is not deleted, and the refusal counts them',
    file: 'server/src/features/product-categories/admin-categories.store.ts',
    find: "if (offers > 0) throw new AppError('categories.in_use', { details: { offers } })",
    replace: '',
    tests: ['server/src/features/product-categories/product-categories.test.ts'],
  },
  {
    name: 'a check of a connection does not repeat its requests',
    file: 'server/src/adapters/airtable/airtable-inspection.ts',
    find: 'tries: 1,',
    replace: '',
    tests: ['server/src/adapters/airtable/airtable-inspection.test.ts'],
  },
  {
    name: 'each endpoint asks for its own feature, not for any',
    file: 'server/src/http/serve.ts',
    find: 'if (endpoint.feature && !hasFeature(pharmacy, endpoint.feature))',
    replace: 'if (endpoint.feature && pharmacy.features.length === 0)',
    tests: ['server/test/access.test.ts'],
  },
  {
    name: 'a row that is being applied is undone when its import is cancelled',
    file: 'server/src/features/pharmacy-imports/import-rows.store.ts',
    find: 'if (numUpdatedRows === 0n) throw new ImportEndedError()',
    replace: '',
    tests: ['server/src/features/pharmacy-imports/pharmacy-imports.test.ts'],
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
    name: 'an import in the background is recorded in the name of the administrator who started it',
    file: 'server/src/features/pharmacy-imports/apply-rows.ts',
    find: 'await runInRequest({ ...by.context, actor }, () => applyBatch(importId, by, signal))',
    replace: 'await applyBatch(importId, by, signal)',
    tests: ['server/src/features/pharmacy-imports/pharmacy-imports.test.ts'],
  },
  {
    name: 'a cell of a refused row that a spreadsheet would take for a formula is made text',
    file: 'server/src/features/pharmacy-imports/import-files.ts',
    find: '(isPhone[column] ? telephone(cell) : spreadsheetText(cell))',
    replace: '(isPhone[column] ? telephone(cell) : cell)',
    tests: ['server/src/features/pharmacy-imports/pharmacy-imports.test.ts'],
  },
  {
    name: 'a file does not change the address of a pharmacy that it names by code',
    file: 'server/src/features/pharmacy-imports/import-rows.rules.ts',
    find: `const conflict = pharmacy ? conflictWith(pharmacy, values) : takenBy(values, known)`,
    replace: `const conflict = pharmacy ? undefined : takenBy(values, known)`,
    tests: ['server/src/features/pharmacy-imports/pharmacy-imports.test.ts'],
  },
  {
    name: 'a form that was opened before another change overwrites nothing',
    file: 'server/src/features/pharmacies/admin-pharmacies.store.ts',
    find: 'if (seen !== undefined && seen !== before.version) {',
    replace: 'if (false) {',
    tests: ['server/src/features/pharmacies/admin-pharmacies.test.ts'],
  },
]
