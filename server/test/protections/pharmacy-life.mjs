// @ts-check

const MOVES = ['server/test/move-pharmacy.test.ts']

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
  {
    name: 'orders that are closed while a pharmacy moves are not changed, whatever a server believes',
    file: 'server/src/database/migrations/0049_triggers_for_one_pharmacy.sql',
    find: `
      unseen = kept.unseen + change.unseen,
      version = kept.version + 1
    where kept.pharmacy_id = change.pharmacy_id
    returning kept.closed_until into closed;`,
    replace: `
      unseen = kept.unseen + change.unseen,
      version = kept.version + 1
    where kept.pharmacy_id = change.pharmacy_id;`,
    tests: MOVES,
    only: 'changes no order once its orders are closed',
  },
  {
    name: 'what a pharmacy changes until it is closed for a move comes along',
    file: 'server/src/platform/transfer/move-pharmacy.ts',
    find: '    await syncAll(source, target, tables, options)\n    const last',
    replace: '    const last',
    tests: MOVES,
    only: 'has every acknowledged change there',
  },
  {
    name: 'rows of a pharmacy that moves are copied without triggers',
    file: 'server/src/platform/transfer/move-pharmacy.ts',
    find: '    await withoutTriggers(target)\n    const result',
    replace: '    const result',
    tests: MOVES,
    only: 'has every acknowledged change there',
  },
  {
    name: 'a pharmacy whose move fails is active again',
    file: 'server/src/platform/transfer/undo-move.ts',
    find: 'open(client, id, wasActive)',
    replace: 'open(client, id, false)',
    tests: MOVES,
    only: 'works on where it was',
  },
  {
    name: 'a move that fails leaves no rows in the other database',
    file: 'server/src/platform/transfer/undo-move.ts',
    find: "    await target.query('commit')\n",
    replace: '',
    tests: MOVES,
    only: 'works on where it was',
  },
  {
    name: 'a pharmacy that has moved stays there with its rows and files when an error follows',
    file: 'server/src/platform/transfer/undo-move.ts',
    find: "if (rowCount !== 0) return 'is_there'",
    replace: "if (rowCount === null) return 'is_there'",
    tests: MOVES,
    only: 'stays there with its files',
  },
  {
    name: 'a move that fails leaves no files in the other store',
    file: 'server/src/platform/transfer/undo-move.ts',
    find: "if (removed === 'removed') await move.removeFiles()",
    replace: '',
    tests: MOVES,
    only: 'works on where it was',
  },
  {
    name: 'a move whose copy is refused ends',
    file: 'server/src/platform/transfer/row-sync.ts',
    find: '    void source.end().catch(() => {})\n',
    replace: '',
    tests: MOVES,
    only: 'when the other database refuses a row',
  },
  {
    name: 'two commands do not move a pharmacy at once',
    file: 'server/src/platform/transfer/move-pharmacy.ts',
    find: 'if (!rows[0]?.locked) throw new StartupError(message)',
    replace: '',
    tests: MOVES,
    only: 'moves once when two commands',
  },
  {
    name: 'a move says what was written too late to come along',
    file: 'server/src/platform/transfer/moving-pharmacy.ts',
    find: 'return rows.map(({ name }) => name)',
    replace: 'return rows.slice(0, 0).map(({ name }) => name)',
    tests: MOVES,
    only: 'moves once when two commands',
  },
  {
    name: 'a row that is gone does not move with a pharmacy',
    file: 'server/src/platform/transfer/row-sync.ts',
    find: '(wanted.get(id) === row ? [] : [id])',
    replace: '(wanted.get(id) === row || !wanted.has(id) ? [] : [id])',
    tests: ['server/src/platform/transfer/row-sync.test.ts'],
  },
  {
    name: 'a pharmacy that has moved away is not activated, and works in one place',
    file: 'server/src/features/pharmacies/admin-pharmacies.store.ts',
    find: 'if (after.is_active && !before.is_active && (await hasMoved(tx, after.pharmacy_id))) {',
    replace: 'if (!before && (await hasMoved(tx, after.pharmacy_id))) {',
    tests: MOVES,
    only: 'has every acknowledged change there',
  },
  {
    name: 'the public page of a pharmacy that has moved leads to the other server',
    file: 'server/src/features/public-offers/public-offers.routes.ts',
    find: 'const isRefused = page.status === 403 || page.status === 404',
    replace: 'const isRefused = page.status === 404',
    tests: ['server/src/features/public-offers/public-pages.test.ts'],
  },
]
