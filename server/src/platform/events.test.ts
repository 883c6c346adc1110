import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { breakableConnection } from '../../test/breakable-connection.ts'
import { type TestDatabase, testDatabase } from '../../test/database.ts'
import { silentLog } from '../../test/silent-log.ts'
import { chooseEventsWay, type EventsWay, eventLogTiming } from './event-log.ts'
import { createEvents } from './events.ts'

const timing = { ...eventLogTiming, attempt: 100, lease: 300 }

async function databaseWith(way: EventsWay): Promise<TestDatabase> {
  const database = await testDatabase()
  await choose(database, way)
  return database
}

async function choose({ pool }: TestDatabase, way: EventsWay): Promise<void> {
  const owner = await pool.connect()
  await chooseEventsWay(owner, way)
  owner.release()
}

/** A process, with what it has heard on the channel 'bells' and how often it may have missed something. */
async function process(database: TestDatabase, url = database.url, faster = timing) {
  const events = await createEvents(url, database.pool, silentLog, { timing: faster })
  onTestFinished(events.close)
  const heard: string[] = []
  let missed = 0
  events.on('bells', (payload) => heard.push(payload))
  events.onMissed(() => {
    missed += 1
  })
  await events.ready()
  return { events, heard, missed: () => missed }
}

/** A connection of its own, for a transaction that takes some time. */
async function writer({ url }: TestDatabase): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

const tell = "select notify_event(null, 'bells', $1)"

describe.each<EventsWay>(['notify', 'table'])('events by %s', (way) => {
  it('are heard in every process, each by its own channel', async () => {
    const database = await databaseWith(way)
    const [here, there] = [await process(database), await process(database)]
    here.events.on('drums', (payload) => here.heard.push(`drums ${payload}`))
    await here.events.ready()
    await here.events.notify('bells', 'one')
    await there.events.notify('drums', 'two')
    await vi.waitUntil(() => here.heard.length === 2 && there.heard.length === 1)
    expect(here.heard).toEqual(['one', 'drums two'])
    expect(there.heard).toEqual(['one'])
  })

  it('are heard in the order in which the transactions of a pharmacy follow each other', async () => {
    const database = await databaseWith(way)
    await database.pool.query(
      'create table counts as select n as pharmacy, 0 as count from generate_series(1, 3) as n',
    )
    const { heard } = await process(database)
    const writers = await Promise.all(Array.from({ length: 6 }, () => writer(database)))
    await Promise.all(
      writers.map(async (client, index) => {
        for (let round = 0; round < 40; round += 1) {
          await client.query(
            `with counted as (
               update counts set count = count + 1 where pharmacy = $1 returning pharmacy, count
             ) select notify_event(null, 'bells', pharmacy || ' ' || count) from counted`,
            [1 + ((index + round) % 3)],
          )
        }
      }),
    )
    await vi.waitUntil(() => heard.length >= 240)
    for (const pharmacy of ['1', '2', '3']) {
      const its = heard.filter((payload) => payload.startsWith(`${pharmacy} `))
      expect(its).toEqual(Array.from({ length: 80 }, (_, n) => `${pharmacy} ${n + 1}`))
    }
  })

  it('of a transaction that ends late are heard then, and hold up no others', async () => {
    const database = await databaseWith(way)
    const { heard } = await process(database)
    const [slow, aborted] = [await writer(database), await writer(database)]
    for (const [client, payload] of [
      [slow, 'slow'],
      [aborted, 'aborted'],
    ] as const) {
      await client.query('begin')
      await client.query(tell, [payload])
    }
    await database.pool.query(tell, ['quick'])
    await vi.waitUntil(() => heard.length === 1)
    await aborted.query('rollback')
    await slow.query('commit')
    await vi.waitUntil(() => heard.length === 2)
    await database.pool.query(tell, ['last'])
    await vi.waitUntil(() => heard.length > 2)
    expect(heard).toEqual(['quick', 'slow', 'last'])
  })

  it('that a transaction tells again are heard once', async () => {
    const database = await databaseWith(way)
    const { heard } = await process(database)
    await database.pool.query(
      "select notify_event(null, 'bells', 'ring ' || n % 2) from generate_series(1, 100) as n",
    )
    await database.pool.query(tell, ['last'])
    await vi.waitUntil(() => heard.includes('last'))
    expect(heard).toEqual(['ring 1', 'ring 0', 'last'])
  })

  it('are heard by the others when one listener fails or has left', async () => {
    const { events, heard } = await process(await databaseWith(way))
    events.on('drums', () => {
      throw new Error('deaf')
    })
    const leave = events.on('drums', () => heard.push('left'))
    events.on('drums', (payload) => heard.push(payload))
    leave()
    await events.ready()
    await events.notify('drums', 'one')
    await vi.waitUntil(() => heard.length > 0)
    expect(heard).toEqual(['one'])
  })

  it('are heard, or reported as missed, after the line broke', async () => {
    const database = await databaseWith(way)
    const line = await breakableConnection(database.url)
    const { events, heard, missed } = await process(database, line.url)
    await events.notify('bells', 'before')
    await vi.waitUntil(() => heard.length === 1)
    expect(events.disconnectedMs()).toBe(0)
    line.down(true)
    await vi.waitUntil(() => events.disconnectedMs() > 0)
    await database.pool.query(tell, ['meanwhile'])
    // Requested while the connection is broken.
    events.on('drums', (payload) => heard.push(`drums ${payload}`))
    line.down(false)
    await vi.waitUntil(() => events.disconnectedMs() === 0, { timeout: 10_000 })
    await events.notify('bells', 'again')
    await events.notify('drums', 'too')
    await vi.waitUntil(() => heard.includes('drums too'))
    const resumed = way === 'table'
    expect(heard).toEqual(['before', ...(resumed ? ['meanwhile'] : []), 'again', 'drums too'])
    expect(missed()).toBe(resumed ? 0 : 1)
  })

  it('are heard by the others after a process has died', async () => {
    const database = await databaseWith(way)
    const line = await breakableConnection(database.url)
    // The first one leads.
    await process(database, line.url)
    const others = [await process(database), await process(database)]
    line.down(true)
    for (const payload of ['one', 'two']) await database.pool.query(tell, [payload])
    await vi.waitUntil(() => others.every(({ heard }) => heard.length === 2), { timeout: 5_000 })
    for (const { heard, missed } of others) {
      expect(heard).toEqual(['one', 'two'])
      expect(missed()).toBe(0)
    }
  })
})

describe('the log of events', () => {
  it('is led by another process at once when the leader stops', async () => {
    const database = await databaseWith('table')
    const leader = await process(database)
    const slow = { ...timing, attempt: 60_000 }
    const { heard } = await process(database, database.url, slow)
    await leader.events.close()
    await database.pool.query(tell, ['one'])
    await vi.waitUntil(() => heard.length === 1)
  })

  it('is announced by a new leader also where that one has read it before', async () => {
    const database = await databaseWith('table')
    const [first, second] = [
      await breakableConnection(database.url),
      await breakableConnection(database.url),
    ]
    await process(database, first.url)
    const next = await process(database, second.url)
    const { heard } = await process(database, database.url, { ...timing, attempt: 60_000 })
    first.down(true)
    await database.pool.query(tell, ['one'])
    // It reads when the connection is back.
    second.cut()
    await vi.waitUntil(() => next.heard.length === 1)
    await vi.waitUntil(() => heard.length === 1, { timeout: 5_000 })
  })

  it('is followed by processes that began without it, and left by them', async () => {
    const database = await databaseWith('notify')
    const before = await process(database)
    await choose(database, 'table')
    await process(database)
    await database.pool.query(tell, ['row'])
    await vi.waitUntil(() => before.heard.length === 1)
    await choose(database, 'notify')
    await database.pool.query(tell, ['notification'])
    await vi.waitUntil(() => before.heard.length === 2)
    expect(before.heard).toEqual(['row', 'notification'])
    const { rows } = await database.pool.query('select payload from event_log')
    expect(rows).toEqual([{ payload: 'row' }])
  })

  it.each([
    ['a crash of PostgreSQL has emptied it', 'truncate event_log, event_log_leader'],
    [
      'rows have been deleted meanwhile',
      'delete from event_log; update event_log_leader set cleared = pg_current_xact_id()',
    ],
  ])('reports what is missing when %s', async (_what, statement) => {
    const database = await databaseWith('table')
    const line = await breakableConnection(database.url)
    await process(database)
    const { events, heard, missed } = await process(database, line.url)
    await events.notify('bells', 'before')
    await vi.waitUntil(() => heard.length === 1)
    line.down(true)
    await vi.waitUntil(() => events.disconnectedMs() > 0)
    await database.pool.query(tell, ['lost'])
    await database.pool.query(statement)
    line.down(false)
    await vi.waitUntil(() => missed() === 1, { timeout: 5_000 })
    await events.notify('bells', 'again')
    await vi.waitUntil(() => heard.includes('again'), { timeout: 5_000 })
    expect(heard).toEqual(['before', 'again'])
  })

  it('keeps rows for some time, and is then cleared by its leader', async () => {
    const database = await databaseWith('table')
    const kept = 1_500
    const { heard, missed } = await process(database, database.url, { ...timing, kept })
    const told = Date.now()
    await database.pool.query(tell, ['one'])
    const count = async () =>
      (await database.pool.query<{ n: number }>('select count(*)::int as n from event_log')).rows[0]
        ?.n
    await vi.waitUntil(async () => (await count()) === 0)
    expect(Date.now() - told).toBeGreaterThanOrEqual(kept)
    expect(heard).toEqual(['one'])
    await database.pool.query(tell, ['two'])
    await vi.waitUntil(() => heard.length === 2)
    expect(missed()).toBe(0)
  })
})
