import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { breakableConnection } from '../../test/breakable-connection.ts'
import { type TestDatabase, testDatabase } from '../../test/database.ts'
import { silentLog } from '../../test/silent-log.ts'
import { createEvents } from './events.ts'

async function events(database: TestDatabase, url = database.url) {
  const made = await createEvents(url, database.pool, silentLog)
  onTestFinished(made.close)
  return made
}

describe('events', () => {
  it('are heard in every process, each by its own channel', async () => {
    const database = await testDatabase()
    const [here, there] = [await events(database), await events(database)]
    const heard: string[] = []
    here.on('bells', (payload) => heard.push(`here ${payload}`))
    there.on('bells', (payload) => heard.push(`there ${payload}`))
    there.on('drums', (payload) => heard.push(`drums ${payload}`))
    await Promise.all([here.ready(), there.ready()])
    await here.notify('bells', 'one')
    await vi.waitUntil(() => heard.length === 2)
    await here.notify('drums', 'two')
    await vi.waitUntil(() => heard.length === 3)
    expect(heard.toSorted()).toEqual(['drums two', 'here one', 'there one'])
  })

  it('are heard by the others when one listener fails or has left', async () => {
    const database = await testDatabase()
    const made = await events(database)
    const heard: string[] = []
    made.on('bells', () => {
      throw new Error('deaf')
    })
    const leave = made.on('bells', () => heard.push('left'))
    made.on('bells', (payload) => heard.push(payload))
    leave()
    await made.ready()
    await made.notify('bells', 'one')
    await vi.waitUntil(() => heard.length > 0)
    expect(heard).toEqual(['one'])
  })

  it('are heard again after the line broke, which is told', async () => {
    const database = await testDatabase()
    const line = await breakableConnection(database.url)
    const made = await events(database, line.url)
    const heard: string[] = []
    let missed = 0
    made.on('bells', (payload) => heard.push(payload))
    made.onMissed(() => {
      missed += 1
    })
    await made.ready()
    expect(made.disconnectedMs()).toBe(0)
    line.down(true)
    await vi.waitUntil(() => made.disconnectedMs() > 0)
    await database.pool.query("select pg_notify('bells', 'lost')")
    // Requested while the connection is broken.
    made.on('drums', (payload) => heard.push(`drums ${payload}`))
    line.down(false)
    await vi.waitUntil(() => missed === 1, { timeout: 10_000 })
    expect(made.disconnectedMs()).toBe(0)
    await made.notify('bells', 'again')
    await made.notify('drums', 'too')
    await vi.waitUntil(() => heard.length === 2)
    expect(heard).toEqual(['again', 'drums too'])
  })
})
