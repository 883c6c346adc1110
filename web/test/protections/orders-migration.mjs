// @ts-check

const feature = 'web/src/features/orders-migration'
const list = [`${feature}/migrations-page.test.tsx`]
const one = [`${feature}/pharmacy/pharmacy-migration-page.test.tsx`]

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'migrating all pharmacies counts only those with the backup on',
    file: `${feature}/migrations-page.tsx`,
    find: 'data?.backup.filter(({ hasAirtable }) => hasAirtable).length ?? 0',
    replace: '[...(data?.backup ?? []), ...(data?.standard ?? [])].length',
    tests: list,
    only: 'asks, and the run of another administrator',
  },
  {
    name: 'a migration of all that runs is not started again',
    file: `${feature}/migrations-page.tsx`,
    find: ` && data.progress?.status !== 'running'`,
    replace: '',
    tests: list,
    only: 'asks, and the run of another administrator',
  },
  {
    name: 'a run is read out by quarters, not with each reading',
    file: `${feature}/migration-texts.ts`,
    find: 'Math.floor((run.percent ?? 0) / 25) * 25',
    replace: 'run.percent ?? 0',
    tests: list,
    only: 'a pharmacy is migrated after a question',
  },
  {
    name: 'the lists are read again a moment after the end of a run',
    file: `${feature}/use-migrations.ts`,
    find: '      refreshAfter(REFRESH_AFTER_MS.one)\n',
    replace: '',
    tests: list,
    only: 'a pharmacy is migrated after a question',
  },
  {
    name: 'a run with refused records does not count as a success',
    file: `${feature}/use-migrations.ts`,
    find: `} else if (state === 'completed') {`,
    replace: `} else if (state.startsWith('completed')) {`,
    tests: list,
    only: 'the end of a run with errors',
  },
  {
    name: 'a backup in use is not offered for deletion',
    file: `${feature}/migration-dialog.tsx`,
    find: '  if (pharmacy.use_supabase_orders) {',
    replace: '  if (false) {',
    tests: list,
    only: 'the backup is deleted after its code is typed',
  },
  {
    name: 'a run that another administrator starts is seen',
    file: `${feature}/use-migrations.ts`,
    find: `data && isAnyActive(data) ? activePollMs(data) : IDLE_POLL_MS`,
    replace: 'false',
    tests: list,
    only: 'the end of a run with errors',
  },
  {
    name: 'a status that is to stay is not mapped',
    file: `${feature}/pharmacy/after-dry-run.tsx`,
    find: `if (to !== '') known[status] = to`,
    replace: `known[status] = to || 'In attesa'`,
    tests: one,
    only: 'a dry run shows the difference',
  },
  {
    name: 'what a mapping changes in Airtable is said before it does',
    file: `${feature}/migration-dialog.tsx`,
    find: '          <MappingNote mapping={statusMapping} />\n',
    replace: '',
    tests: one,
    only: 'a dry run shows the difference',
  },
  {
    name: 'a move before its time wants a reason',
    file: `${feature}/pharmacy/phase-dialog.tsx`,
    find: `      setMissing(length < MIN_REASON)
      return`,
    replace: `      setMissing(length < MIN_REASON)`,
    tests: one,
    only: 'a phase shows what the next one needs',
  },
  {
    name: 'a move that its phase does not allow cannot be pressed',
    file: `${feature}/pharmacy/phase-steps.tsx`,
    find: '        inactive={!step.isPossible}\n',
    replace: '',
    tests: one,
    only: 'a phase shows what the next one needs',
  },
  {
    name: 'a refused move reads the phase again',
    file: `${feature}/pharmacy/phase-dialog.tsx`,
    find: '        await invalidateMigrations(client)\n',
    replace: '',
    tests: one,
    only: 'a phase that another administrator has changed',
  },
]
