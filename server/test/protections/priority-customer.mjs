// @ts-check

const customer = 'server/src/features/priority/customer'
const visits = [`${customer}/customer.test.ts`]
const streams = [`${customer}/customer-streams.test.ts`]

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'five digits are tried of a visit, and no more',
    file: `${customer}/customer.service.ts`,
    find: 'if (error instanceof TooManyRequests) return false',
    replace: 'if (error instanceof TooManyRequests) return true',
    tests: [`${customer}/customer-guesses.test.ts`],
  },
  {
    name: 'a network can try few tokens of a pharmacy in a minute',
    file: `${customer}/customer.service.ts`,
    find: '? ofNetwork(`priority-${kind}`, ip, found?.id)',
    replace: '? ofNetwork(`priority-${kind}`, ip, token)',
    tests: [`${customer}/customer-guesses.test.ts`],
  },
  {
    name: 'a network can try few numbers of a pharmacy in a minute',
    file: `${customer}/customer.service.ts`,
    find: '      await take(ofThisNetwork)\n',
    replace: '',
    tests: visits,
  },
  {
    name: 'fifteen digits are tried of a visit, over all hours',
    file: 'server/src/features/priority/priority-digits.ts',
    find: 'points: 3 * MAX_DIGIT_ATTEMPTS',
    replace: 'points: 300 * MAX_DIGIT_ATTEMPTS',
    tests: visits,
  },
  {
    name: 'guesses in a network refuse nobody with a link who shares it',
    file: `${customer}/customer.service.ts`,
    find: '      id === undefined\n        ? ofNetwork(`priority-${kind}`',
    replace: '      id !== null\n        ? ofNetwork(`priority-${kind}`',
    tests: visits,
  },
  {
    name: 'the changes of a visit are limited, whichever network they come from',
    file: `${customer}/customer.service.ts`,
    find: ': { limit: `priority-link-${kind}`, subject: id }',
    replace: ': { limit: `priority-link-${kind}`, subject: ip }',
    tests: visits,
  },
  {
    name: 'many networks together can try few numbers of a pharmacy in a minute',
    file: `${customer}/customer.service.ts`,
    find: "{ limit: 'priority-unlocks', subject: pharmacyId }",
    replace: "{ limit: 'priority-unlocks', subject: ip }",
    tests: [`${customer}/customer-guesses.test.ts`],
  },
  {
    name: 'a customer who was not there cannot say at once that they have arrived',
    file: `${customer}/customer.service.ts`,
    find: 'if (visit.coolsUntil !== null)',
    replace: 'if (visit.version < 0)',
    tests: visits,
  },
  {
    name: 'customers do not arrive at a closed pharmacy',
    file: `${customer}/customer.service.ts`,
    find: '          await requireOpen(pharmacyId)\n',
    replace: '',
    tests: visits,
  },
  {
    name: 'of two customers who arrive at the same time each has a code of their own',
    file: 'server/src/database/migrations/0021_priority_arrivals.sql',
    find: "pg_try_advisory_xact_lock(hashtext('priority_code ' || pharmacy), candidate::integer)",
    replace: 'candidate is not null',
    tests: visits,
  },
  {
    name: 'a link ends at its time, before any job says so',
    file: `${customer}/customer-visits.store.ts`,
    find: "visit.expires_at <= now() then 'expired'",
    replace: 'visit.expires_at <= now() then visit.status',
    tests: visits,
  },
  {
    name: 'a customer is not promised an operator whose screen has gone',
    file: `${customer}/customer-streams.ts`,
    find: 'return Math.min(left + 20, limit.attendanceMs)',
    replace: 'return left > 0 ? limit.attendanceMs : 0',
    tests: streams,
  },
  {
    name: 'a token has three streams at most',
    file: `${customer}/customer-streams.ts`,
    find: 'if (ofToken.length > limit.perToken && oldest)',
    replace: 'if (ofToken.length > limit.perProcess && oldest)',
    tests: streams,
  },
  {
    name: 'the streams of a pharmacy end when it is deactivated',
    file: `${customer}/customer-streams.ts`,
    find: "    events.on('account_changed', refresh),\n",
    replace: '',
    tests: streams,
  },
  {
    name: 'the stream of a display ends when the display is removed',
    file: `${customer}/customer-streams.ts`,
    find: 'return seen.has(subject.displayId) ? display : undefined',
    replace: 'return seen.size < 0 ? undefined : display',
    tests: streams,
  },
]
