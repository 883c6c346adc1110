// @ts-check

const tests = ['server/src/database/replica.test.ts']
const file = 'server/src/database/replica.ts'

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'a report has everything that was committed before it began',
    file,
    find: 'if (!state?.is_replica || state.is_there)',
    replace: 'if (!state?.is_replica || began > 0)',
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
    name: 'a replica from before a restore is not read, though it may be further',
    file,
    find: "and upper(lpad(to_hex(timeline_id), 8, '0')) = $2 as is_replica",
    replace: 'and $2 is not null as is_replica',
    tests,
  },
  {
    name: 'a replica that is lost does not stop reports',
    file,
    find: '      read(false, reason(error))\n',
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
