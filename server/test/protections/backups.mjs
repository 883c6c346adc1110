// @ts-check

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a back-up that was cut off is refused',
    file: 'server/src/platform/backups/sealed.ts',
    find: '  nonce.writeUInt8(isLast ? 1 : 0, 0)\n',
    replace: '',
    tests: ['server/src/platform/backups/sealed.test.ts'],
  },
  {
    name: 'a stream under the name of another one is refused',
    file: 'server/src/platform/backups/sealed.ts',
    find: '`bancone backup ${name}`',
    replace: '`bancone backup`',
    tests: ['server/src/platform/backups/sealed.test.ts'],
  },
  {
    name: 'a restore refuses a folder that is not empty',
    file: 'server/src/platform/backups/restore.ts',
    find: '  await requireEmpty(into)\n',
    replace: '',
    tests: ['server/test/backups.test.ts'],
    only: 'is refused into a folder that is not empty',
  },
  {
    name: 'the test of a back-up finds missing rows',
    file: 'server/src/platform/backups/test-backup.ts',
    find: 'if (found >= least && found <= most) continue',
    replace: 'if (found >= 0 || least <= most) continue',
    tests: ['server/test/backups.test.ts'],
    only: 'fails for a copy with fewer rows',
  },
  {
    name: 'a restore is refused where the log has a gap',
    file: 'server/src/platform/backups/restore-database.ts',
    find: 'isBroken: later.length > 0',
    replace: 'isBroken: later.length < 0',
    tests: ['server/test/backups.test.ts'],
    only: 'where the log has a gap',
  },
  {
    name: 'a start that does not archive makes a back-up due',
    file: 'server/src/features/backups/backups.service.ts',
    find: '      if (!place?.isLogArchived) await runs.forgetArchive()\n',
    replace: '',
    tests: ['server/test/backups-of-a-server.test.ts'],
    only: 'are due after a start that did not archive',
  },
  {
    name: 'a restored pharmacy that was purged is purged before the first request',
    file: 'server/src/features/backups/backups.wiring.ts',
    find: '        await dependencies.purge(pharmacyId)\n',
    replace: '',
    tests: ['server/test/backups-of-a-server.test.ts'],
    only: 'has nothing of a pharmacy that was purged later',
  },
  {
    name: 'the recovery sheet needs a recent proof of identity',
    file: 'server/src/features/backups/backups.service.ts',
    find: '      await requireRecent(sessionId)\n',
    replace: '',
    tests: ['server/test/backups-of-a-server.test.ts'],
    only: 'are active when one was made',
  },
]
