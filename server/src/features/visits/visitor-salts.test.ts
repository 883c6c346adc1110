import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { createVisitorSaltsStore, type VisitorSaltsStore } from './visitor-salts.store.ts'
import { createVisitorSalts } from './visitor-salts.ts'
import { PAST_SALTS_TASK, pastSaltTasks } from './visitor-salts-job.ts'

let database: TestDatabase
let store: VisitorSaltsStore

beforeAll(async () => {
  database = await testDatabase()
  store = createVisitorSaltsStore(database.db)
})

beforeEach(() => database.pool.query('delete from visitor_salts'))

describe('the salt of a day', () => {
  it('is one, however many ask for it first at once', async () => {
    const salts = await Promise.all(Array.from({ length: 20 }, () => store.of('2026-07-28')))
    expect(new Set(salts.map((salt) => salt.toString('hex'))).size).toBe(1)
    expect(salts[0]).toHaveLength(32)
  })

  it('is not that of another day', async () => {
    expect(await store.of('2026-07-28')).not.toEqual(await store.of('2026-07-29'))
  })

  it('is asked for once by a process, and again on the next day', async () => {
    const asked: string[] = []
    const salts = createVisitorSalts({
      of(day) {
        asked.push(day)
        return store.of(day)
      },
    })
    const [one, other] = await Promise.all([salts.of('2026-07-28'), salts.of('2026-07-28')])
    expect(other).toEqual(one)
    expect(await salts.of('2026-07-29')).not.toEqual(one)
    expect(asked).toEqual(['2026-07-28', '2026-07-29'])
  })

  it('is not remembered by a process that nobody visits any more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const asked: string[] = []
    const salts = createVisitorSalts({
      async of(day) {
        asked.push(day)
        return Buffer.from(`salt ${asked.length}`)
      },
    })
    await salts.of('2026-07-28')
    vi.advanceTimersByTime(59 * 60_000)
    expect(String(await salts.of('2026-07-28'))).toBe('salt 1')
    vi.advanceTimersByTime(60_000)
    expect(String(await salts.of('2026-07-28'))).toBe('salt 2')
  })

  it('is asked for again after the database did not answer', async () => {
    const answers = [Promise.reject(new Error('away')), Promise.resolve(Buffer.from('salt'))]
    const salts = createVisitorSalts({ of: () => answers.shift() ?? Promise.reject(new Error()) })
    await expect(salts.of('2026-07-28')).rejects.toThrow('away')
    expect(await salts.of('2026-07-28')).toEqual(Buffer.from('salt'))
  })

  it.each([
    ['in winter', '2026-01-15T23:17:00Z', '2026-01-16'],
    ['in summer', '2026-07-27T23:17:00Z', '2026-07-28'],
  ])('is removed when the day is over in Rome, %s', async (_when, now, today) => {
    for (const day of ['2025-12-31', '2026-01-15', '2026-07-27', today]) await store.of(day)
    const removing = pastSaltTasks({
      salts: store,
      clock: { now: () => Date.parse(now) },
      log: { info() {} },
    })[PAST_SALTS_TASK]
    await removing?.run({})
    const { rows } = await database.pool.query<{ day: string }>(
      'select day from visitor_salts order by day limit 1',
    )
    expect(rows).toEqual([{ day: today }])
  })
})
