// @ts-check

/** Races. Without an entry, two concurrent changes both succeed or both fail. */
/** @type {import('../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a removed or demoted owner cannot complete a concurrent change of colleagues',
    file: 'server/src/features/colleagues/colleagues.service.ts',
    find: `
    if (!(await members.isStillOwner(pharmacy.id, userId))) throw new AppError('access.owners_only')`,
    replace: '',
    tests: ['server/src/features/colleagues/colleagues-removal.test.ts'],
  },
  {
    name: 'of two changes at once under two record ids of an order one is refused',
    file: 'server/src/features/orders/changes/order-changes.store.ts',
    find: 'return isOther ? undefined : order',
    replace: 'return order',
    tests: ['server/src/features/orders/changes/order-changes.test.ts'],
  },
  {
    name: 'orders are written in one locking order and do not deadlock',
    file: 'server/src/features/orders/records/order-upsert.store.ts',
    find: '.sort((a, b) => (a.recordId < b.recordId ? -1 : 1))',
    replace: '',
    tests: ['server/src/features/orders/sync/order-arrivals.test.ts'],
  },
  {
    name: 'of two administrators who migrate all one starts the runs',
    file: 'server/src/features/orders/migration/migration-runs.store.ts',
    find: `        await sql\`select pg_advisory_xact_lock(hashtextextended('migrate all', 0))\`.execute(tx)
`,
    replace: '',
    tests: ['server/src/features/orders/migration/orders-migration.test.ts'],
  },
  {
    name: 'of two desks that call the same customer one succeeds',
    file: 'server/src/features/priority/priority-sessions.store.ts',
    find: `
          .where('status', '=', from)
          .where('status_version', '=', version)
          .where(({ not }) => not(isExpired))`,
    replace: `
          .where(({ not }) => not(isExpired))`,
    tests: ['server/src/features/priority/priority.test.ts'],
  },
  {
    name: 'a change of one desk does not undo a later change of another',
    file: 'server/src/features/priority/priority-sessions.store.ts',
    find: `
          .where('status', '=', from)
          .where('status_version', '=', version)`,
    replace: `
          .where('status', '=', from)`,
    tests: ['server/src/features/priority/priority-undo.test.ts'],
  },
  {
    name: 'of two customers who arrive at the same time each has a code of their own',
    file: 'server/src/database/schema/10-priority.sql',
    find: `pg_try_advisory_xact_lock(hashtext('priority_code ' || pharmacy), candidate::integer)`,
    replace: 'candidate is not null',
    tests: ['server/src/features/priority/customer/customer.test.ts'],
  },
  {
    name: 'a public page that changed while it was read is not cached',
    file: 'server/src/features/public-offers/offers-cache.ts',
    find: 'if (isOutdated || isAlias) return',
    replace: 'if (isAlias) return',
    tests: ['server/src/features/public-offers/public-pages-cache.test.ts'],
  },
  {
    name: 'an ended session is forgotten by every other process at once',
    file: 'server/src/wiring/access.ts',
    find: 'for (const id of ended) sessions.markEnded(id)',
    replace: '',
    tests: ['server/src/features/account/account.test.ts'],
  },
  {
    name: 'a value that was invalidated while it was loaded is not cached',
    file: 'server/src/platform/cache.ts',
    find: 'value !== undefined && isValid(tagsOf?.(value, key))',
    replace: 'value !== undefined',
    tests: ['server/src/platform/cache.test.ts', 'server/src/http/session.test.ts'],
  },
  {
    name: 'a refresh token used again after the reuse interval ends the session',
    file: 'server/src/platform/auth/refresh-grant.ts',
    find: `        await tables.sessions.end({ userId: session.user_id, only: session.id })
`,
    replace: '',
    tests: ['server/test/conformance/refreshing.test.ts'],
  },
  {
    name: 'concurrent refreshes of one token wait for the lock of its session',
    file: 'server/src/platform/auth/sessions.store.ts',
    find: `        .forUpdate('session')
`,
    replace: '',
    tests: ['server/test/pitfalls/tokens.test.ts'],
  },
  {
    name: 'a mailed code or link that is presented several times at once opens one session',
    file: 'server/src/platform/auth/verify.service.ts',
    find: '!user || !(await tables.tokens.consume(kept.linkHash))',
    replace: '!user || (await tables.tokens.consume(kept.linkHash)) === undefined',
    tests: ['server/test/conformance/mail-codes.test.ts'],
  },
  {
    name: 'a sign-in under way with the old password fails once the password is changed',
    file: 'server/src/platform/auth/sessions.service.ts',
    find: ' && now.password_hash === user.password_hash',
    replace: '',
    tests: ['server/test/pitfalls/takeover.test.ts'],
  },
  {
    name: 'a second server on the same data folder is refused while the first lives',
    file: 'server/src/database/embedded/database-session.ts',
    find: 'select pg_try_advisory_lock($1) as taken',
    replace: 'select $1::int > 0 as taken',
    tests: ['server/src/database/embedded.test.ts'],
    only: 'a second server is refused while the first lives',
  },
  {
    name: 'migrations run once when several processes start together',
    file: 'server/src/database/start-lock.ts',
    find: `    while (!(await tryLock(client))) await pause(RETRY_MS)
`,
    replace: '',
    tests: ['server/test/database.test.ts'],
  },
  {
    name: 'a database whose server lives in another container is not started a second time',
    file: 'server/src/database/embedded/decide.ts',
    find: `facts.recorded === 'elsewhere, beating' || `,
    replace: '',
    tests: ['server/src/database/embedded/decide.test.ts'],
  },
  {
    name: 'a message is sent by one process',
    file: 'server/src/features/whatsapp/messages/outbox.store.ts',
    find: `
    .where('state', 'in', states)`,
    replace: '',
    tests: ['server/src/features/whatsapp/messages/messages.test.ts'],
  },
  {
    name: 'a message without a response is not sent again',
    file: 'server/src/features/whatsapp/messages/message-sending.ts',
    find: `if (error.isUnsure) await outbox.markUnsure(pharmacyId, id)
      else await`,
    replace: 'await',
    tests: ['server/src/features/whatsapp/messages/messages.test.ts'],
  },
  {
    name: 'a status change sends the status it saw, so that a conflict is asked about',
    file: 'web/src/features/orders/change/use-change-status.ts',
    find: 'query: { was: comparableStatus(target.status) },',
    replace: 'query: {},',
    tests: ['web/src/app/routes/dashboard-conflict.test.tsx'],
  },
  {
    name: 'a change of a priority session says which state and version it saw, so that of two desks one wins',
    file: 'web/src/features/priority/board/use-session-change.ts',
    find: 'body: { from: status, to, version, desk: deskName() }',
    replace: `body: { from: 'user_arrived', to, version: 1, desk: deskName() }`,
    tests: ['web/src/features/priority/board/board-page.test.tsx'],
  },
]
