import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import {
  newLocation,
  type OrderProcess,
  orderProcess,
  readingsAreOlder,
} from '../../../../test/order-process.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import { type ScriptedSource, scriptedSource } from '../../../../test/scripted-source.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { createOrdersStore } from '../list/orders.store.ts'
import { createOrderLeasesStore } from '../records/order-leases.store.ts'
import type { CopyTiming } from './order-copy.ts'
import { defaultPollTiming } from './order-poller.ts'
import { createPollScheduleStore } from './poll-schedule.store.ts'

let database: TestDatabase
let location: SourceLocation
let pharmacyId: string
let source: ScriptedSource
let now: number

beforeAll(async () => {
  database = await testDatabase()
})

beforeEach(async () => {
  await database.pool.query('delete from pharmacies')
  location = newLocation()
  pharmacyId = await addPharmacyRow(database, location)
  source = scriptedSource([sourceOrder()])
  now = Date.now()
})

const polls = () => createPollScheduleStore(database.db)
const claim = (most = 20) => polls().claim(most, defaultPollTiming)
const look = () =>
  polls().markWatched(pharmacyId, location, { forMs: 180_000, firstPollMs: 15_000 })
const passes = (milliseconds: number) => {
  now += milliseconds
  return readingsAreOlder(database, pharmacyId, milliseconds)
}

/** One of several processes, which look at what is due all the time. */
function start(copy: Partial<CopyTiming> = {}): OrderProcess {
  const process = orderProcess(database, {
    source,
    now: () => now,
    timing: { copy, pollSchedule: { checkIntervalMs: 10 } },
  })
  process.start()
  return process
}

/** Seconds until the store is read again by itself, to the nearest five. */
async function nextPoll(): Promise<number> {
  const { rows } = await database.pool.query<{ wait: number }>(
    `select round(extract(epoch from poll_at - now()) / 5)::int * 5 as wait from order_copies
    where pharmacy_id = $1`,
    [pharmacyId],
  )
  return rows[0]?.wait ?? Number.NaN
}

/** Changes of the base are reported by its webhook. */
async function report(): Promise<void> {
  await database.pool.query(
    `insert into airtable_webhooks (base_id, state) values ($1, 'active')`,
    [location.baseId],
  )
}

async function secondsToPoll(): Promise<number> {
  const { rows } = await database.pool.query<{ wait: number }>(
    'select extract(epoch from poll_at - now())::float8 as wait from order_copies where pharmacy_id = $1',
    [pharmacyId],
  )
  return rows[0]?.wait ?? Number.NaN
}

/** A device of that pharmacy wants to be told. */
async function subscribe(): Promise<void> {
  const sessionId = randomUUID()
  await database.pool.query(`insert into auth_sessions (id, user_id) values ($1, $2)`, [
    sessionId,
    pharmacyId,
  ])
  await database.pool.query(
    `insert into push_subscriptions (session_id, pharmacy_id, endpoint, p256dh, auth, told)
    values ($1, $2, $3, '', '', 0)`,
    [sessionId, pharmacyId, `https://push.example/${sessionId}`],
  )
}

describe('a store is read by itself', () => {
  it('while a page is open, every 15 seconds', async () => {
    await look()
    expect(await claim()).toEqual([])
    expect(await nextPoll()).toBe(15)
    await passes(15_000)
    expect(await claim()).toEqual([{ pharmacyId, location, sweepIsDue: true }])
    expect(await nextPoll()).toBe(15)
    expect(await claim()).toEqual([])
  })

  it('every 60 seconds when it must be read whole each time', async () => {
    await look()
    await database.pool.query(
      `update order_copies set poll_at = now(), missing_columns = '{Image,Last}'`,
    )
    expect(await claim()).toHaveLength(1)
    expect(await nextPoll()).toBe(60)
  })

  it('as soon as before, also with requests in between', async () => {
    await look()
    await passes(10_000)
    await look()
    expect(await nextPoll()).toBe(5)
  })

  it('at once when a page finds that it answers again', async () => {
    await look()
    for (let failure = 0; failure < 5; failure += 1)
      await polls().postpone(pharmacyId, defaultPollTiming)
    expect(await nextPoll()).toBe(300)
    await look()
    expect(await nextPoll()).toBe(300)
    await orderProcess(database, { source }).copy.ensureFresh(pharmacyId, location)
    expect(await nextPoll()).toBe(0)
  })

  it('half a minute after a failure, also where the base reports its changes', async () => {
    await look()
    await report()
    await passes(15_000)
    expect(await claim()).toHaveLength(1)
    expect(await nextPoll()).toBe(300)
    await polls().postpone(pharmacyId, defaultPollTiming)
    expect(await nextPoll()).toBe(30)
  })

  it('no more after three minutes without a request', async () => {
    await look()
    await passes(180_000)
    expect(await claim()).toEqual([])
  })

  it('every 60 seconds without a request while a device has notifications on', async () => {
    await look()
    await subscribe()
    await passes(180_000)
    expect(await claim()).toHaveLength(1)
    expect(await nextPoll()).toBe(60)
    // A page is open again: the next reading need not be a minute away.
    await look()
    expect(await nextPoll()).toBe(15)
  })

  it.each([
    ['of a pharmacy that is not active', 'is_active = false'],
    ['of a deleted pharmacy', 'deleted_at = now()'],
    ['of a pharmacy whose orders are in our database', "orders_phase = 'retired'"],
    ['where there is none', 'airtable_base_id = null'],
    ['without a table', "airtable_table_id = ''"],
  ])('but not %s', async (_what, change) => {
    await look()
    await passes(15_000)
    await database.pool.query(`update pharmacies set ${change} where id = $1`, [pharmacyId])
    expect(await claim()).toEqual([])
  })

  it('where it is now, and not where it was', async () => {
    await look()
    await passes(15_000)
    const moved = newLocation()
    await database.pool.query(
      'update pharmacies set airtable_base_id = $2, airtable_table_id = $3 where id = $1',
      [pharmacyId, moved.baseId, moved.tableId],
    )
    expect(await claim()).toMatchObject([{ location: moved }])
  })

  it('once, however many processes there are', async () => {
    await look()
    await passes(15_000)
    const claims = await Promise.all(Array.from({ length: 5 }, () => claim()))
    expect(claims.flat()).toHaveLength(1)
  })

  it('the most overdue first, and so many at most', async () => {
    await look()
    await passes(20_000)
    const second = await addPharmacyRow(database, newLocation())
    await polls().markWatched(second, location, { forMs: 180_000, firstPollMs: -1_000 })
    expect((await claim(1)).map((due) => due.pharmacyId)).toEqual([pharmacyId])
    expect((await claim(1)).map((due) => due.pharmacyId)).toEqual([second])
  })
})

describe('processes that poll', () => {
  it('read once between them each time it is due, and sweep after it', async () => {
    await look()
    await passes(15_000)
    const processes = [start(), start(), start()]
    await expect.poll(() => source.sweeps).toHaveLength(1)
    expect(source.readings).toHaveLength(1)
    await passes(15_000)
    await expect.poll(() => source.readings).toHaveLength(2)
    await Promise.all(processes.map((process) => process.stop()))
    expect(source.readings).toHaveLength(2)
    expect(source.sweeps).toHaveLength(1)
  })

  it('go on to the next ones as soon as they have a hand free', async () => {
    for (let index = 0; index < 30; index += 1) {
      const where = newLocation()
      const id = await addPharmacyRow(database, where)
      await polls().markWatched(id, where, { forMs: 180_000, firstPollMs: -1_000 })
    }
    // It looks at what is due once in an hour.
    const process = orderProcess(database, {
      source,
      now: () => now,
      timing: { pollSchedule: { checkIntervalMs: 3_600_000 } },
    })
    process.start()
    await expect.poll(() => source.readings, { timeout: 15_000 }).toHaveLength(30)
  })

  it('leave a store that fails alone for longer and longer, until it answers', async () => {
    await look()
    await passes(15_000)
    source.failure = 'unreachable'
    const { complaints } = start()
    for (const wait of [30, 60, 120, 240, 300, 300]) {
      await expect.poll(nextPoll).toBe(wait)
      await passes(wait * 1_000 - 5_000)
      // The page stays open.
      await look()
      await passes(5_000)
    }
    await expect.poll(nextPoll).toBe(300)
    source.failure = null
    await passes(295_000)
    await look()
    await passes(5_000)
    await expect.poll(() => source.sweeps).toHaveLength(1)
    expect(await nextPoll()).toBeLessThanOrEqual(15)
    const kinds = new Set(complaints.map(({ details }) => JSON.stringify(details)))
    expect([...kinds]).toEqual([JSON.stringify({ pharmacyId, kind: 'unreachable' })])
  })

  it('read a reported change soon after another reading of the base, and not only at the next poll', async () => {
    await look()
    await report()
    const leases = createOrderLeasesStore(database.db)
    await leases.acquire(location.baseId, randomUUID())
    await polls().signal(location.baseId)
    start({ waitMs: 0 })
    await expect.poll(secondsToPoll).toBeGreaterThan(0.5)
    await expect.poll(secondsToPoll).toBeLessThan(5)
  })

  it('go on when the database was away', async () => {
    await look()
    const process = start()
    await database.pool.query('alter table order_copies rename to order_copies_away')
    await expect.poll(() => process.complaints).toHaveLength(1)
    await pause(50)
    expect(process.complaints).toMatchObject([{ message: 'the readings wait for the database' }])
    await database.pool.query('alter table order_copies_away rename to order_copies')
    await passes(15_000)
    await expect.poll(() => source.readings).toHaveLength(1)
  })

  it('end with what they have under way', async () => {
    await look()
    await passes(15_000)
    source.hold()
    const process = start()
    await expect.poll(() => source.readings).toHaveLength(1)
    await process.stop()
    await passes(15_000)
    await pause(50)
    expect(source.readings).toHaveLength(1)
    expect(process.complaints).toEqual([])
  })
})

describe('a page', () => {
  it('reads the store after a while without requests, and not while the poller reads it', async () => {
    const here = orderProcess(database, { source, now: () => now })
    const there = orderProcess(database, { source, now: () => now })
    expect(await here.copy.ensureFresh(pharmacyId, location)).toBe('fresh')
    expect(source.readings).toHaveLength(1)
    for (let minute = 0; minute < 4; minute += 1) {
      for (let poll = 0; poll < 4; poll += 1) {
        await passes(15_000)
        for (const due of await claim()) await there.copy.poll(due.pharmacyId, due.location)
      }
      // Ten screens, on two processes.
      const asked = [here, there].flatMap((process) =>
        Array.from({ length: 5 }, () => process.copy.ensureFresh(pharmacyId, location)),
      )
      expect(new Set(await Promise.all(asked))).toEqual(new Set(['fresh']))
    }
    expect(source.readings).toHaveLength(17)
  })

  it('reads it when it has not been for one and a half times as long as it should', async () => {
    const { copy } = orderProcess(database, { source, now: () => now })
    await copy.ensureFresh(pharmacyId, location)
    await passes(22_000)
    await copy.ensureFresh(pharmacyId, location)
    expect(source.readings).toHaveLength(1)
    await passes(1_000)
    await copy.ensureFresh(pharmacyId, location)
    expect(source.readings).toHaveLength(2)
  })

  it('of a store that just failed elsewhere does not try it again', async () => {
    const [here, there] = [1, 2].map(() => orderProcess(database, { source, now: () => now }))
    source.failure = 'denied'
    expect(await here?.copy.ensureFresh(pharmacyId, location)).toBe('failed')
    expect(await there?.copy.ensureFresh(pharmacyId, location)).toBe('failed')
    expect(source.readings).toHaveLength(1)
    const { copied } = await createOrdersStore(database.db).stateOfCopy(pharmacyId)
    expect(copied.trouble).toBe('denied')
  })

  it('that is refreshed reads the store, unless that was done five seconds ago', async () => {
    const { copy } = orderProcess(database, { source, now: () => now })
    await copy.ensureFresh(pharmacyId, location)
    await passes(4_000)
    expect(await copy.refresh(pharmacyId, location)).toBe('fresh')
    expect(source.readings).toHaveLength(1)
    await passes(1_000)
    expect(await copy.refresh(pharmacyId, location)).toBe('fresh')
    expect(source.readings).toHaveLength(2)
  })

  it('is noted at most every 30 seconds', async () => {
    const { copy } = orderProcess(database, { source, now: () => now })
    const watchedUntil = async () =>
      (
        await database.pool.query<{ until: string }>(
          'select watched_until as until from order_copies where pharmacy_id = $1',
          [pharmacyId],
        )
      ).rows[0]?.until
    await copy.ensureFresh(pharmacyId, location)
    const first = await watchedUntil()
    now += 29_000
    await copy.ensureFresh(pharmacyId, location)
    expect(await watchedUntil()).toBe(first)
    now += 1_000
    await copy.ensureFresh(pharmacyId, location)
    expect(await watchedUntil()).not.toBe(first)
  })
})
