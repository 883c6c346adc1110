// @ts-check

const tests = ['server/src/database/replica.test.ts']
const file = 'server/src/database/replica.ts'

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a report has everything that was committed before it began',
    file,
    find: 'if (has !== false) return has === true',
    replace: 'if (has !== null) return true',
    tests,
  },
  {
    name: 'a replica that was promoted is read no more',
    file,
    find: 'case when pg_is_in_recovery() then pg_last_wal_replay_lsn() >= $1::pg_lsn end as has',
    replace: 'not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= $1::pg_lsn as has',
    tests,
  },
  {
    name: 'a replica of another database does not let a server start',
    file,
    find: 'if (own === other) return',
    replace: 'if (own !== undefined) return',
    tests,
  },
  {
    name: 'a replica that is lost does not stop reports',
    file,
    find: '      use(false, reason(error))\n',
    replace: '      throw error\n',
    tests,
  },
  {
    name: 'orders are never read from a replica',
    file: 'server/src/wiring.ts',
    find: 'const common = { db, reports,',
    replace: 'const common = { db: reports, reports,',
    tests,
  },
]
