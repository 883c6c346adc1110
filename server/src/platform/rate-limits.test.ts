import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../test/database.ts'
import { connectDatabase } from '../database/database.ts'
import { createRateLimits, networkOf, TooManyRequests } from './rate-limits.ts'

const limits = {
  few: { points: 3, seconds: 60 },
  long: { points: 3, seconds: 3600 },
  once: { points: 1, seconds: 10 },
}
const key = Buffer.alloc(32, 7)
const anna = 'anna@example.it'
const few = { limit: 'few', subject: anna } as const
const long = { limit: 'long', subject: anna } as const

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
beforeEach(() => database.pool.query('delete from rate_limits'))

const rateLimits = (pool = database.pool) => createRateLimits(pool, key, limits)

/** Moves the counters into the past. */
async function pass(seconds: number): Promise<void> {
  await database.pool.query('update rate_limits set expire = expire - $1', [seconds * 1000])
}

async function points(): Promise<number[]> {
  const { rows } = await database.pool.query<{ points: number }>(
    'select points from rate_limits order by points',
  )
  return rows.map((row) => row.points)
}

async function refusal(taken: Promise<void>): Promise<TooManyRequests> {
  const error = await taken.catch((why: unknown) => why)
  if (error instanceof TooManyRequests) return error
  throw new Error('it was not refused', { cause: error })
}

describe('a limit', () => {
  it('lets so many through, and says to the next one how long to wait', async () => {
    const { take } = rateLimits()
    for (let n = 0; n < 3; n++) await take(few)
    const { limit, retryAfter } = await refusal(take(few))
    expect(limit).toBe('few')
    expect(retryAfter).toBeGreaterThan(30)
    expect(retryAfter).toBeLessThanOrEqual(60)
    expect(Number.isInteger(retryAfter)).toBe(true)
  })

  it('counts from the first one: those that are refused do not prolong it', async () => {
    const { take } = rateLimits()
    for (let n = 0; n < 3; n++) await take(few)
    await pass(40)
    expect((await refusal(take(few))).retryAfter).toBeLessThanOrEqual(20)
    await pass(21)
    for (let n = 0; n < 3; n++) await take(few)
    await expect(take(few)).rejects.toBeInstanceOf(TooManyRequests)
  })

  it('asks to wait a second at least', async () => {
    const { take } = rateLimits()
    await take({ limit: 'once', subject: anna })
    await pass(9.9)
    // Not always refused: on a busy machine the window may already have ended.
    const error = await take({ limit: 'once', subject: anna }).catch((why: unknown) => why)
    if (error) expect(error).toMatchObject({ limit: 'once', retryAfter: 1 })
  })

  it('is of one name and of one who is counted', async () => {
    const { take } = rateLimits()
    for (let n = 0; n < 3; n++) await take(few)
    await take(long)
    await take({ limit: 'few', subject: 'bruno@example.it' })
    await expect(take(few)).rejects.toBeInstanceOf(TooManyRequests)
  })

  it('is not passed by asking all at once', async () => {
    const { take } = rateLimits()
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => take(few)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  })

  it('holds across two processes', async () => {
    const other = connectDatabase(database.url, { max: 2 })
    try {
      const [here, there] = [rateLimits(), rateLimits(other.pool)]
      await here.take(few)
      await there.take(few)
      await here.take(few)
      await expect(there.take(few)).rejects.toBeInstanceOf(TooManyRequests)
      await there.reset(few)
      await here.take(few)
      expect(await points()).toEqual([1])
    } finally {
      await other.close()
    }
  })
})

describe('several limits', () => {
  it('are all counted, and the one with the longest wait is told', async () => {
    const { take } = rateLimits()
    for (let n = 0; n < 3; n++) await take(few, long)
    expect(await points()).toEqual([3, 3])
    await expect(take(few, long)).rejects.toMatchObject({ limit: 'long' })
    await expect(take(long, few)).rejects.toMatchObject({ limit: 'long' })
    await pass(61)
    await expect(take(few, long)).rejects.toMatchObject({ limit: 'long' })
    await take(few)
  })

  it('may be none', async () => {
    const { take, refund, reset } = rateLimits()
    await expect(Promise.all([take(), refund(), reset()])).resolves.toBeDefined()
  })
})

describe('what was no abuse', () => {
  it('is given back, one for one', async () => {
    const { take, refund } = rateLimits()
    for (let n = 0; n < 10; n++) {
      await take(few, long)
      await refund(few, long)
    }
    expect(await points()).toEqual([0, 0])
    for (let n = 0; n < 3; n++) await take(few)
    await refund(few)
    await take(few)
    await expect(take(few)).rejects.toBeInstanceOf(TooManyRequests)
  })

  it('does not begin a window anew', async () => {
    const { take, refund } = rateLimits()
    await take(few)
    await pass(59)
    await take(few)
    await refund(few)
    await pass(2)
    await take(few)
    expect(await points()).toEqual([1])
  })

  it('is not given to the window after it', async () => {
    const { take, refund } = rateLimits()
    await take(few)
    await pass(61)
    await refund(few)
    for (let n = 0; n < 3; n++) await take(few)
    await expect(take(few)).rejects.toBeInstanceOf(TooManyRequests)
  })

  it('is not given to one that was begun anew meanwhile', async () => {
    const { take, refund, reset } = rateLimits()
    await take(few)
    await reset(few)
    await refund(few)
    for (let n = 0; n < 3; n++) await take(few)
    await expect(take(few)).rejects.toBeInstanceOf(TooManyRequests)
  })
})

it('begins to count anew, for those that are named alone', async () => {
  const { take, reset } = rateLimits()
  for (let n = 0; n < 3; n++) await take(few, long)
  await reset(few)
  await take(few)
  await expect(take(long)).rejects.toBeInstanceOf(TooManyRequests)
  expect(await points()).toEqual([1, 4])
})

describe('the table', () => {
  it('holds no address, and keys that cannot be computed without the secret', async () => {
    await rateLimits().take(few, { limit: 'few', subject: '203.0.113.7' })
    const { rows } = await database.pool.query<{ key: string }>('select * from rate_limits')
    expect(rows).toHaveLength(2)
    for (const row of rows) expect(row.key).toMatch(/^few:[A-Za-z0-9_-]{43}$/)
    expect(JSON.stringify(rows)).not.toMatch(/anna|example|203\.0/)
    await createRateLimits(database.pool, Buffer.alloc(32, 8), limits).take(few)
    expect(await points()).toEqual([1, 1, 1])
  })

  it('that cannot be used is no refusal', async () => {
    const gone = connectDatabase(database.url, { max: 1 })
    await gone.pool.end()
    const { take } = rateLimits(gone.pool)
    await expect(take(few)).rejects.not.toBeInstanceOf(TooManyRequests)
  })
})

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['2001:db8:1:2::9', '2001:db8:1:2'],
    ['2001:DB8:1:2:FFFF::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:0:0:1:2:3:4', '2001:db8:0:0'],
    ['2001:db8:1::5:6:7:8', '2001:db8:1:0'],
    ['1::3:4:5:6:7:8', '1:0:3:4'],
    ['::2:3:4:5:6:7:8', '0:2:3:4'],
    ['::', '0:0:0:0'],
    ['::1', '0:0:0:0'],
    ['1::', '1:0:0:0'],
    ['64:ff9b::203.0.113.7', '64:ff9b:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['fe80::1:2:3:4%2', 'fe80:0:0:0'],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
