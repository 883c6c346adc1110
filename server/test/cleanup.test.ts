import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestServer, testServer } from './server.ts'

const TASK = 'auth.cleanup'

let server: TestServer
let userId: string
beforeAll(async () => {
  server = await testServer()
  userId = await server.addUser('anna@example.it')
})

const tables = [
  'auth_sessions',
  'auth_refresh_tokens',
  'auth_one_time_tokens',
  'auth_flow_states',
  'auth_external_flows',
  'auth_challenges',
  'auth_factors',
  'rate_limits',
  'audit_events',
]
beforeEach(async () => {
  for (const table of tables) await server.database.pool.query(`delete from ${table}`)
  await server.database.pool.query(
    "update auth_signing_keys set created_at = now() - interval '1 day'",
  )
})

const cleanUp = () => server.runTask(TASK)

/** One column of a table, sorted. */
async function left(table: string, column: string): Promise<string[]> {
  const { rows } = await server.database.pool.query<{ value: string }>(
    `select ${column}::text as value from ${table} order by 1`,
  )
  return rows.map(({ value }) => value)
}

/** @param ago since the last use, as a PostgreSQL interval @param age since the sign-in */
async function addSession(ago: string, age = '89 days 23 hours'): Promise<string> {
  const id = randomUUID()
  await server.database.pool.query(
    `insert into auth_sessions (id, user_id, created_at, refreshed_at)
    values ($1, $2, now() - $4::interval, now() - $3::interval)`,
    [id, userId, ago, age],
  )
  return id
}

/** @param replaced how long ago; null for the active token */
async function addToken(sessionId: string, counter: number, replaced: string | null) {
  await server.database.pool.query(
    `insert into auth_refresh_tokens (token_hash, session_id, counter, issued_at, replaced_at)
    values ($1, $2, $3, now() - interval '1 year', now() - $4::interval)`,
    [randomUUID(), sessionId, counter, replaced],
  )
}

/** Rows of each table before and after its limit, and those that remain. */
const expiring: [what: string, insert: string, column: string, left: string[]][] = [
  [
    'links and codes that expired',
    `auth_one_time_tokens (user_id, kind, link_hash, code_hash, expires_at) values
      (:user, 'recovery', '1', 'code', now() - interval '1 second'),
      (:user, 'invite', '2', 'code', now() - interval '8 days'),
      (:user, 'magiclink', '3', 'code', now() + interval '1 minute')`,
    'kind',
    ['magiclink'],
  ],
  [
    'half-done sign-ins that expired',
    `auth_flow_states (code_hash, user_id, method, code_challenge, expires_at) values
      ('1', :user, 'recovery', 'challenge', now() - interval '1 second'),
      ('2', :user, 'magiclink', 'challenge', now() + interval '1 minute')`,
    'method',
    ['magiclink'],
  ],
  [
    'half-done sign-ins elsewhere that expired',
    `auth_external_flows (state_hash, browser_hash, sealed, provider, redirect_to, expires_at) values
      ('1', 'browser', 'sealed', 'gone', 'http://localhost:3000', now() - interval '1 second'),
      ('2', 'browser', 'sealed', 'away', 'http://localhost:3000', now() + interval '1 minute')`,
    'provider',
    ['away'],
  ],
  [
    'factors that were not enrolled in five minutes',
    `auth_factors (user_id, friendly_name, status, secret, created_at) values
      (:user, 'old', 'verified', 'secret', now() - interval '1 year'),
      (:user, 'late', 'unverified', 'secret', now() - interval '5 minutes 1 second'),
      (:user, 'begun', 'unverified', 'secret', now() - interval '4 minutes 50 seconds')`,
    'friendly_name',
    ['begun', 'old'],
  ],
  [
    'limits whose window is over',
    `rate_limits (key, points, expire)
      select key, 3, extract(epoch from now()) * 1000 + ahead
      from (values ('over', -1000), ('counting', 60000)) as each (key, ahead)`,
    'key',
    ['counting'],
  ],
  [
    'events of accounts after 180 days, and after 30 what concerns no account',
    `audit_events (action, user_id, at) values
      ('old', :user, now() - interval '180 days 1 hour'),
      ('young', :user, now() - interval '179 days 23 hours'),
      ('old', null, now() - interval '30 days 1 hour'),
      ('young too', null, now() - interval '29 days 23 hours'),
      ('files_administered', null, now() - interval '30 days 1 hour')`,
    'action',
    ['files_administered', 'young', 'young too'],
  ],
]

describe('the cleanup', () => {
  it.each(expiring)('forgets %s', async (_what, insert, column, expected) => {
    await server.database.pool.query(`insert into ${insert}`.replaceAll(':user', `'${userId}'`))
    await cleanUp()
    const [table = ''] = insert.split(' ')
    expect(await left(table, column)).toEqual(expected)
  })

  it('forgets challenges that expired', async () => {
    await server.database.pool.query(
      `with factor as (
        insert into auth_factors (user_id, friendly_name, status, secret)
        values ($1, 'old', 'verified', 'secret') returning id
      )
      insert into auth_challenges (factor_id, address, expires_at) select id, each.* from factor, (
        values ('expired', now() - interval '1 second'), ('good', now() + interval '1 minute')
      ) as each`,
      [userId],
    )
    await cleanUp()
    expect(await left('auth_challenges', 'address')).toEqual(['good'])
  })

  it('ends sessions that were not used for 60 days or that are 90 days old, with their tokens', async () => {
    const idle = await addSession('60 days 1 hour')
    const used = await addSession('59 days 23 hours')
    await addSession('1 day', '90 days 1 hour')
    await addToken(idle, 0, null)
    await addToken(used, 0, null)
    await cleanUp()
    expect(await left('auth_sessions', 'id')).toEqual([used])
    expect(await left('auth_refresh_tokens', 'session_id')).toEqual([used])
  })

  it('forgets refresh tokens replaced over 30 days ago, never the active one', async () => {
    const session = await addSession('1 day')
    await addToken(session, 1, '30 days 1 hour')
    await addToken(session, 2, '29 days 23 hours')
    await addToken(session, 3, null)
    await cleanUp()
    expect(await left('auth_refresh_tokens', 'counter')).toEqual(['2', '3'])
  })

  it('forgets users without an address who never came back', async () => {
    const { rows } = await server.database.pool.query<{ id: string }>(
      `insert into auth_users (is_anonymous, created_at) values
         (true, now() - interval '61 days'), (true, now() - interval '59 days')
       returning id`,
    )
    await cleanUp()
    const kept = await left('auth_users', 'id')
    expect(kept).not.toContain(rows[0]?.id)
    expect(kept).toContain(rows[1]?.id)
    await server.database.pool.query('delete from auth_users where is_anonymous')
  })

  it('lets a new key take over in order when the newest is 90 days old', async () => {
    const [first] = await left('auth_signing_keys', 'kid')
    const age = (days: number) =>
      server.database.pool.query(
        'update auth_signing_keys set created_at = now() - make_interval(days => $1)',
        [days],
      )
    await age(89)
    await cleanUp()
    expect(await left('auth_signing_keys', 'kid')).toEqual([first])

    await age(91)
    await cleanUp()
    const { rows } = await server.database.pool.query<{ signs: number; retires: number | null }>(
      `select
        round(extract(epoch from signs_from - now()) / 60)::int as signs,
        round(extract(epoch from retired_at - now()) / 60)::int as retires
      from auth_signing_keys order by created_at`,
    )
    // In minutes: an old key that is retired when its last token has expired, and one that signs soon.
    expect(rows.map(({ retires }) => retires)).toEqual([15 + 120, null])
    expect(rows[1]?.signs).toBe(15)

    await cleanUp()
    expect(await left('auth_signing_keys', 'kid')).toHaveLength(2)
  })

  it('runs by itself, every day at the same hour', async () => {
    const { tasks, daily = {} } = server.jobs
    expect(daily[TASK]).toBe('02:17')
    for (const name of Object.keys(daily)) expect(tasks).toHaveProperty([name])
    const times = Object.values(daily)
    expect(new Set(times).size).toBe(times.length)
  })
})
