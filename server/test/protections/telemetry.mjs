// @ts-check

const TESTS = ['server/test/telemetry.test.ts']
const PROGRAM = ['server/test/telemetry-program.test.ts']

/** @type {import('../../../scripts/protection-list.mjs').Protection[]} */
export const protections = [
  {
    name: 'metrics are hidden from callers without the token',
    file: 'server/src/http/metrics.ts',
    find: "if (!isAllowed(request.headers.authorization, token)) throw new AppError('route.not_found')",
    replace: '',
    tests: TESTS,
  },
  {
    name: 'metrics name routes by their templates, never by paths',
    file: 'server/src/http/request-telemetry.ts',
    find: "return request.is404 ? 'none' : (request.routeOptions.url ?? 'none')",
    replace: "return request.url.split('?')[0] ?? ''",
    tests: TESTS,
  },
  {
    name: 'a job that failed is as old as its first attempt, not as its next one',
    file: 'server/src/platform/telemetry/database-readings.ts',
    find: "when attempts > (locked_at is not null)::integer and coalesce(key, '') not like 'daily:%' then created_at",
    replace: 'when false then created_at',
    tests: TESTS,
  },
  {
    name: 'changes that wait for a deactivated pharmacy raise no alert',
    file: 'server/src/features/orders/order-backlogs.store.ts',
    find: `join pharmacies on pharmacies.id = change.pharmacy_id
    where is_active and deleted_at is null`,
    replace: 'join pharmacies on pharmacies.id = change.pharmacy_id',
    tests: TESTS,
  },
  {
    name: 'values of statements are in no log',
    file: 'server/src/database/prepared-client.ts',
    find: 'const ended = watch(text)',
    replace: 'const ended = watch(`${text} ${String(values)}`)',
    tests: PROGRAM,
  },
  {
    name: 'a process that does not hear the events of the others is not ready',
    file: 'server/src/platform/readiness.ts',
    find: 'await echo()',
    replace: '',
    tests: ['server/src/platform/events-echo.test.ts'],
  },
]
