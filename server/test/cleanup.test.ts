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

async function cleanUp(): Promise<void> {
  const task = server.jobs.tasks[TASK]
  if (!task) throw new Error(`there is no task ${TASK}`)
  await task({})
}

/** One column of a table, sorted. */
async function left(table: string, column: string): Promise<string[]> {
  const { rows } = await server.database.pool.query<{ value: string }>(
    `select ${column}::text as value from ${table} order by 1`,
  )
  return rows.map(({ value }) => value)
}

/** @param ago as PostgreSQL writes an interval: when it was used last */
async function addSession(ago: string): Promise<string> {
  const id = randomUUID()
  await server.database.pool.query(
    `insert into auth_sessions (id, user_id, created_at, refreshed_at)
    values ($1, $2, now() - interval '1 year', now() - $3::interval)`,
    [id, userId, ago],
  )
  return id
}

/** @param replaced how long ago; null for the active one */
async function addToken(sessionId: string, counter: number, replaced: string | null) {
  await server.database.pool.query(
    `insert into auth_refresh_tokens (token_hash, session_id, counter, issued_at, replaced_at)
    values ($1, $2, $3, now() - interval '1 year', now() - $4::interval)`,
    [randomUUID(), sessionId, counter, replaced],
  )
}

async function addMailToken(kind: string, expiresIn: string) {
  await server.database.pool.query(
    `insert into auth_one_time_tokens (user_id, kind, link_hash, code_hash, expires_at)
    values ($1, $2, $3, 'code', now() + $4::interval)`,
    [userId, kind, randomUUID(), expiresIn],
  )
}

async function addFlow(method: string, expiresIn: string) {
  await server.database.pool.query(
    `insert into auth_flow_states (code_hash, user_id, method, code_challenge, expires_at)
    values ($1, $2, $3, 'challenge', now() + $4::interval)`,
    [randomUUID(), userId, method, expiresIn],
  )
}

async function addExternalFlow(provider: string, expiresIn: string) {
  await server.database.pool.query(
    `insert into auth_external_flows
      (state_hash, browser_hash, sealed, provider, redirect_to, expires_at)
    values ($1, 'browser', 'sealed', $2, 'http://localhost:3000', now() + $3::interval)`,
    [randomUUID(), provider, expiresIn],
  )
}

/** @param begun how long ago */
async function addFactor(name: string, status: 'unverified' | 'verified', begun: string) {
  await server.database.pool.query(
    `insert into auth_factors (user_id, friendly_name, status, secret, created_at)
    values ($1, $2, $3, 'secret', now() - $4::interval)`,
    [userId, name, status, begun],
  )
}

async function addChallenge(factor: string, address: string, expiresIn: string) {
  await server.database.pool.query(
    `insert into auth_challenges (factor_id, address, expires_at)
    select id, $2, now() + $3::interval from auth_factors where friendly_name = $1`,
    [factor, address, expiresIn],
  )
}

async function addLimit(key: string, expiresIn: number) {
  await server.database.pool.query(
    'insert into rate_limits (key, points, expire) values ($1, 3, $2)',
    [key, Date.now() + expiresIn],
  )
}

async function addEvent(action: string, ago: string, whose: 'of somebody' | 'of nobody') {
  await server.database.pool.query(
    `insert into audit_events (action, at, user_id)
     values ($1, now() - $2::interval, case when $3 then gen_random_uuid() end)`,
    [action, ago, whose === 'of somebody'],
  )
}

describe('the cleanup', () => {
  it('ends sessions that nobody used for 60 days, with their tokens', async () => {
    const idle = await addSession('60 days 1 hour')
    const used = await addSession('59 days 23 hours')
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

  it('forgets links, codes and half-done sign-ins that expired', async () => {
    await addMailToken('recovery', '-1 second')
    await addMailToken('invite', '-8 days')
    await addMailToken('magiclink', '1 minute')
    await addFlow('recovery', '-1 second')
    await addFlow('magiclink', '1 minute')
    await addExternalFlow('gone', '-1 second')
    await addExternalFlow('away', '1 minute')
    await cleanUp()
    expect(await left('auth_external_flows', 'provider')).toEqual(['away'])
    expect(await left('auth_one_time_tokens', 'kind')).toEqual(['magiclink'])
    expect(await left('auth_flow_states', 'method')).toEqual(['magiclink'])
  })

  it('forgets factors that were not enrolled in five minutes, and challenges that expired', async () => {
    await addFactor('old', 'verified', '1 year')
    await addFactor('late', 'unverified', '5 minutes 1 second')
    await addFactor('begun', 'unverified', '4 minutes 50 seconds')
    await addChallenge('old', 'expired', '-1 second')
    await addChallenge('late', 'of the late one', '1 minute')
    await addChallenge('begun', 'good', '1 minute')
    await cleanUp()
    expect(await left('auth_factors', 'friendly_name')).toEqual(['begun', 'old'])
    expect(await left('auth_challenges', 'address')).toEqual(['good'])
  })

  it('forgets limits whose window is over', async () => {
    await addLimit('over', -1_000)
    await addLimit('counting', 60_000)
    await cleanUp()
    expect(await left('rate_limits', 'key')).toEqual(['counting'])
  })

  it('forgets events after 180 days, and after 30 what concerns no account', async () => {
    await addEvent('old', '180 days 1 hour', 'of somebody')
    await addEvent('young', '179 days 23 hours', 'of somebody')
    await addEvent('old', '30 days 1 hour', 'of nobody')
    await addEvent('young too', '29 days 23 hours', 'of nobody')
    await cleanUp()
    expect(await left('audit_events', 'action')).toEqual(['young', 'young too'])
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
    // In minutes: an old one that goes when its last token has expired, and one that signs soon.
    expect(rows.map(({ retires }) => retires)).toEqual([15 + 120, null])
    expect(rows[1]?.signs).toBe(15)

    await cleanUp()
    expect(await left('auth_signing_keys', 'kid')).toHaveLength(2)
  })

  it('changes nothing the second time', async () => {
    const session = await addSession('1 day')
    await addSession('61 days')
    await addToken(session, 1, '31 days')
    await addToken(session, 2, null)
    await addMailToken('recovery', '-1 hour')
    await addMailToken('invite', '1 hour')
    await addFlow('recovery', '-1 hour')
    await addFlow('invite', '1 hour')
    await addExternalFlow('gone', '-1 hour')
    await addExternalFlow('away', '1 hour')
    await addFactor('left', 'unverified', '1 hour')
    await addFactor('used', 'verified', '1 hour')
    await addChallenge('used', 'late', '-1 hour')
    await addChallenge('used', 'good', '1 hour')
    await addLimit('over', -1_000)
    await addLimit('counting', 60_000)
    await addEvent('old', '181 days', 'of somebody')
    await addEvent('young', '1 day', 'of somebody')
    const all = ['auth_users', 'auth_signing_keys', ...tables]
    const state = () => Promise.all(all.map((table) => left(table, table)))

    const before = await state()
    await cleanUp()
    const after = await state()
    expect(after).not.toEqual(before)
    expect(after.map((rows) => rows.length)).toEqual([1, before[1]?.length, ...tables.map(() => 1)])
    await cleanUp()
    expect(await state()).toEqual(after)
  })

  it('runs by itself, every day at the same hour', async () => {
    const { tasks, daily = [] } = server.jobs
    expect(daily).toContainEqual({ task: TASK, at: '02:17' })
    for (const { task } of daily) expect(tasks).toHaveProperty([task], expect.any(Function))
  })
})
