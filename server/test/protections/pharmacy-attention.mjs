// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'an open session of an administrator does not suffice to change the address of a pharmacy',
    file: 'server/src/features/pharmacy-actions/pharmacy-actions.service.ts',
    find: `
      await requireFresh(session)
      const { email, hasJoined }`,
    replace: `
      const { email, hasJoined }`,
    tests: ['server/src/features/pharmacy-actions/pharmacy-actions.test.ts'],
  },
  {
    name: 'an open session of an administrator does not suffice to reset a second factor',
    file: 'server/src/features/pharmacy-actions/pharmacy-actions.service.ts',
    find: `
      await requireFresh(session)
      await store.account(pharmacyId)`,
    replace: `
      await store.account(pharmacyId)`,
    tests: ['server/src/features/pharmacy-actions/pharmacy-actions.test.ts'],
  },
  {
    name: 'actions for pharmacies do not reach other accounts or deleted pharmacies',
    file: 'server/src/features/pharmacy-actions/pharmacy-actions.service.ts',
    find: `
      await store.account(pharmacyId)
      const actor = actorOf(session.userId, pharmacyId, origin)
      if (await inviteAgain`,
    replace: `
      const actor = actorOf(session.userId, pharmacyId, origin)
      if (await inviteAgain`,
    tests: ['server/src/features/pharmacy-actions/pharmacy-actions.test.ts'],
  },
  {
    name: 'the old address is informed when an administrator changes the address of an account',
    file: 'server/src/platform/auth/admin.service.ts',
    find: 'await enqueueMail({ ...notice, to: { userId: id } }, tx)',
    replace: 'void notice',
    tests: ['server/src/features/pharmacy-actions/pharmacy-actions.test.ts'],
  },
  {
    name: 'an address that never joined gets no notice of its change, because it may be wrong',
    file: 'server/src/platform/auth/admin.service.ts',
    find: 'locked.email_confirmed_at !== null && updated.email !== locked.email',
    replace: 'updated.email !== locked.email',
    tests: ['server/src/features/pharmacy-actions/pharmacy-actions.test.ts'],
  },
  {
    name: 'recovery codes end with the last of several second factors that are reset',
    file: 'server/src/platform/auth/factors.service.ts',
    find: 'factors: verified.slice(place)',
    replace: 'factors: verified',
    tests: ['server/src/features/pharmacy-actions/pharmacy-actions.test.ts'],
  },
  {
    name: 'orders that are read again are read from the beginning',
    file: 'server/src/features/orders/copy/order-copy.store.ts',
    find: `
          changed_until: null,
          sweep_at: sql<string>\`now()\`,
          failures: 0,`,
    replace: `
          sweep_at: sql<string>\`now()\`,
          failures: 0,`,
    tests: ['server/src/features/orders/copy/order-rereading.test.ts'],
  },
  {
    name: 'deleted pharmacies are not in the overview',
    file: 'server/src/features/pharmacy-overview/pharmacy-overview.store.ts',
    find: 'where pharmacy.deleted_at is null',
    replace: '',
    tests: ['server/src/features/pharmacy-overview/pharmacy-overview.test.ts'],
  },
]
