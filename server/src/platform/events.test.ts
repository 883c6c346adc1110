import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { breakableConnection } from '../../test/breakable-connection.ts'
import { type TestDatabase, testDatabase } from '../../test/database.ts'
import { silentLog } from '../../test/silent-log.ts'
import { createEvents } from './events.ts'

/** A process, with what it has heard on the channel 'bells' and how often it may have missed something. */
async function process(database: TestDatabase, url = database.url) {
  const events = await createEvents(url, database.pool, silentLog)
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

const ring = "select pg_notify('bells', $1)"

describe('events', () => {
  it('are heard in every process, each by its own channel', async () => {
    const database = await testDatabase()
    const [here, there] = [await process(database), await process(database)]
    here.events.on('drums', (payload) => here.heard.push(`drums ${payload}`))
    await here.events.ready()
    await here.events.notify('bells', 'one')
    await there.events.notify('drums', 'two')
    await vi.waitUntil(() => here.heard.length === 2 && there.heard.length === 1)
    expect(here.heard).toEqual(['one', 'drums two'])
    expect(there.heard).toEqual(['one'])
  })

  it('of a transaction that ends late are heard then, and hold up no others', async () => {
    const database = await testDatabase()
    const { heard } = await process(database)
    const [slow, aborted] = [await writer(database), await writer(database)]
    for (const [client, payload] of [
      [slow, 'slow'],
      [aborted, 'aborted'],
    ] as const) {
      await client.query('begin')
      await client.query(ring, [payload])
    }
    await database.pool.query(ring, ['quick'])
    await vi.waitUntil(() => heard.length === 1)
    await aborted.query('rollback')
    await slow.query('commit')
    await vi.waitUntil(() => heard.length === 2)
    await database.pool.query(ring, ['last'])
    await vi.waitUntil(() => heard.length > 2)
    expect(heard).toEqual(['quick', 'slow', 'last'])
  })

  it('are heard by the others when one listener fails or has left', async () => {
    const { events, heard } = await process(await testDatabase())
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

  it('are reported as missed after the connection broke, and heard again', async () => {
    const database = await testDatabase()
    const connection = await breakableConnection(database.url)
    const { events, heard, missed } = await process(database, connection.url)
    const other = await process(database)
    await events.notify('bells', 'before')
    await vi.waitUntil(() => heard.length === 1)
    expect(events.disconnectedMs()).toBe(0)
    connection.down(true)
    await vi.waitUntil(() => events.disconnectedMs() > 0)
    await database.pool.query(ring, ['meanwhile'])
    // Requested while the connection is broken.
    events.on('drums', (payload) => heard.push(`drums ${payload}`))
    connection.down(false)
    await vi.waitUntil(() => events.disconnectedMs() === 0, { timeout: 10_000 })
    await events.notify('bells', 'again')
    await events.notify('drums', 'too')
    await vi.waitUntil(() => heard.includes('drums too'))
    expect(heard).toEqual(['before', 'again', 'drums too'])
    expect(missed()).toBe(1)
    expect(other.heard).toEqual(['before', 'meanwhile', 'again'])
    expect(other.missed()).toBe(0)
  })
})
