import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { createPageViewsStore } from './page-views.store.ts'
import { pageViewsTasks } from './page-views.wiring.ts'
import {
  createVisitorSaltsStore,
  PAST_SALTS_TASK,
  type VisitorSaltsStore,
} from './visitor-salts.store.ts'
import { createVisitorSalts } from './visitor-salts.ts'

const NOON = Date.parse('2026-07-28T10:00:00Z')
/** 00:00 in Rome. */
const MIDNIGHT = Date.parse('2026-07-28T22:00:00Z')
const HALF_PAST = MIDNIGHT + 30 * 60_000

let database: TestDatabase
let store: VisitorSaltsStore
let now = NOON
const clock = { now: () => now }

beforeAll(async () => {
  database = await testDatabase()
  store = createVisitorSaltsStore(database.db)
})

beforeEach(() => {
  now = NOON
  return database.pool.query('delete from visitor_salts; delete from graphile_worker._private_jobs')
})

/** Counts how often the database is asked. */
function counted() {
  const asked: string[] = []
  const salts = createVisitorSalts(
    {
      find(day) {
        asked.push(`find ${day}`)
        return store.find(day)
      },
      ofToday(day, at) {
        asked.push(day)
        return store.ofToday(day, at)
      },
    },
    clock,
  )
  return { asked, salts }
}

describe('the salt of a day', () => {
  it('is one, however many ask for it first at once, with a job that removes it', async () => {
    const salts = await Promise.all(
      Array.from({ length: 20 }, () => store.ofToday('2026-07-28', NOON)),
    )
    expect(new Set(salts.map((salt) => salt.toString('hex'))).size).toBe(1)
    expect(salts[0]).toHaveLength(32)
    const { rows } = await database.pool.query<{ seconds: string }>(
      `select round(extract(epoch from run_at - now())) as seconds
       from graphile_worker.jobs where task_identifier = $1`,
      [PAST_SALTS_TASK],
    )
    expect(rows.map(({ seconds }) => Number(seconds))).toEqual([(HALF_PAST - NOON) / 1000 + 1])
  })

  it('is asked for once by a process, and again on the next day', async () => {
    const { asked, salts } = counted()
    const [one, other] = await Promise.all([salts.now(), salts.now()])
    expect(other.today).toEqual(one.today)
    expect(one.yesterday).toBeNull()
    now = HALF_PAST
    expect((await salts.now()).today).not.toEqual(one.today)
    expect(asked).toEqual(['2026-07-28', '2026-07-29'])
  })

  it('is there for half an hour of the next day, and not longer', async () => {
    const { salts } = counted()
    const { today } = await salts.now()
    now = MIDNIGHT
    expect((await salts.now()).yesterday).toEqual(today)
    now = HALF_PAST - 1
    expect((await salts.now()).yesterday).toEqual(today)
    now = HALF_PAST
    expect((await salts.now()).yesterday).toBeNull()
  })

  it('is forgotten by a process without page views', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { asked, salts } = counted()
    now = HALF_PAST
    await salts.now()
    vi.advanceTimersByTime(59 * 60_000)
    await salts.now()
    expect(asked).toEqual(['2026-07-29'])
    vi.advanceTimersByTime(60_000)
    await salts.now()
    expect(asked).toEqual(['2026-07-29', '2026-07-29'])
  })

  it('is asked for again after the database did not answer', async () => {
    const answers = [Promise.reject(new Error('away')), Promise.resolve(Buffer.from('salt'))]
    const ofToday = () => answers.shift() ?? Promise.reject(new Error())
    const salts = createVisitorSalts({ find: store.find, ofToday }, clock)
    await expect(salts.now()).rejects.toThrow('away')
    expect((await salts.now()).today).toEqual(Buffer.from('salt'))
  })

  it.each([
    ['in winter', '2026-01-15T23:30:00Z', '2026-01-16'],
    ['in summer', '2026-07-27T22:30:00Z', '2026-07-28'],
  ])('is removed at half past midnight in Rome, %s', async (_when, at, today) => {
    for (const day of ['2025-12-31', '2026-01-15', '2026-07-27', today]) {
      await store.ofToday(day, Date.parse(at))
    }
    const tasks = pageViewsTasks({
      pageViews: createPageViewsStore(database.db),
      salts: store,
      retentionDays: async () => 30,
      clock,
      log: { info() {} },
    })
    const removal = tasks[PAST_SALTS_TASK]
    const first = async () => {
      await removal?.run({})
      const { rows } = await database.pool.query<{ day: string }>(
        'select day from visitor_salts order by day limit 1',
      )
      return rows[0]?.day ?? ''
    }
    now = Date.parse(at) - 1
    expect((await first()) < today).toBe(true)
    now = Date.parse(at)
    expect(await first()).toBe(today)
  })
})
