// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a purge that was interrupted does not repeat complete steps, nor forget open ones',
    file: 'server/src/features/pharmacies/life/pharmacy-purge.ts',
    find: `
      if (step !== 'account') await store.finishStep(begun, step)`,
    replace: '',
    tests: ['server/src/features/pharmacies/life/pharmacy-life.test.ts'],
  },
  {
    name: 'a purge removes the closed accounts of former colleagues',
    file: 'server/src/features/pharmacies/life/pharmacy-tables.store.ts',
    find: `
    or exists (select from auth_users where id = user_id and deleted_at is not null)`,
    replace: '',
    tests: ['server/src/features/pharmacies/life/pharmacy-life.test.ts'],
  },
  {
    name: 'a pharmacy is not purged before its thirty days are over',
    file: 'server/src/features/pharmacies/life/pharmacy-purge.store.ts',
    find: 'deleted_at <= now() - make_interval(days => ${days})',
    replace: 'deleted_at <= now()',
    tests: ['server/src/features/pharmacies/life/pharmacy-life.test.ts'],
  },
  {
    name: 'only a deleted pharmacy is purged',
    file: 'server/src/features/pharmacies/life/pharmacy-purge.store.ts',
    find: 'if (!pharmacy?.deleted_at) return undefined',
    replace: 'if (!pharmacy) return undefined',
    tests: ['server/src/features/pharmacies/life/pharmacy-life.test.ts'],
  },
  {
    name: 'a purge needs a recent authentication',
    file: 'server/src/features/pharmacies/life/pharmacy-life.service.ts',
    find: `
      await requireRecent(sessionId)
      await db.transaction()`,
    replace: `
      await db.transaction()`,
    tests: ['server/src/features/pharmacies/life/pharmacy-life.test.ts'],
  },
  {
    name: 'a purge needs the code of the pharmacy',
    file: 'server/src/features/pharmacies/life/pharmacy-life.service.ts',
    find: `if (own.toUpperCase() !== code)`,
    replace: `if (false)`,
    tests: ['server/src/features/pharmacies/life/pharmacy-life.test.ts'],
  },
  {
    name: 'a pharmacy that is being purged is not restored',
    file: 'server/src/features/pharmacies/life/pharmacy-life.service.ts',
    find: `
        await purges.requireNone(pharmacyId, tx)
        const isRestored`,
    replace: `
        const isRestored`,
    tests: ['server/src/features/pharmacies/life/pharmacy-life.test.ts'],
  },
  {
    name: 'a purge removes the pictures of orders from the file store',
    file: 'server/src/features/pharmacies/life/pharmacy-purge.ts',
    find: 'await dependencies.removeOrderPictures(purge.pharmacyId, signal)',
    replace: '0',
    tests: ['server/src/features/pharmacies/life/pharmacy-life.test.ts'],
  },
  {
    name: 'the keys of removed files are kept until their bytes are removed',
    file: 'server/src/features/pharmacies/life/pharmacy-purge.store.ts',
    find: "step === 'files' ? sql`, noted as (${withFiles})` : sql``",
    replace: 'sql``',
    tests: ['server/src/features/pharmacies/life/pharmacy-life.test.ts'],
  },
  {
    name: 'an export of a pharmacy contains no hash of a key',
    file: 'server/src/features/pharmacies/life/pharmacy-tables.store.ts',
    find: "api_keys: own('access', ['key_hash']),",
    replace: "api_keys: own('access'),",
    tests: ['server/src/features/pharmacies/life/pharmacy-life.test.ts'],
  },
  {
    name: 'an export of a pharmacy contains no hash of a password',
    file: 'server/src/features/pharmacies/life/pharmacy-tables.store.ts',
    find: `
      'password_hash',`,
    replace: '',
    tests: ['server/src/features/pharmacies/life/pharmacy-life.test.ts'],
  },
  {
    name: 'the file of an export is downloaded in a recent session only',
    file: 'server/src/features/pharmacies/life/pharmacy-life.service.ts',
    find: `
      await requireRecent(sessionId)
      const found`,
    replace: `
      const found`,
    tests: ['server/src/features/pharmacies/life/pharmacy-life.test.ts'],
  },
  {
    name: 'jobs of orders wait while their pharmacy is deactivated',
    file: 'server/src/features/orders/order-job-pause.store.ts',
    find: 'row.is_active && row.deleted_at === null',
    replace: 'row.deleted_at === null',
    tests: ['server/src/features/pharmacies/life/pharmacy-life.test.ts'],
  },
]
