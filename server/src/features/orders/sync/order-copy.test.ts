import { setTimeout as pause } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { recordChange } from '../../../../test/order-changes.ts'
import { newLocation, orderProcess, readingsAreOlder } from '../../../../test/order-process.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import { type ScriptedSource, scriptedSource } from '../../../../test/scripted-source.ts'
import { connectDatabase } from '../../../database/database.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { createOrderChangesStore, type OrderChangesStore } from '../changes/order-changes.store.ts'
import { createOrdersStore } from '../list/orders.store.ts'
import { noHooks } from '../records/order-hooks.ts'
import { createOrderCopyStore } from './order-copy.store.ts'
import type { CopyTiming, OrderCopy } from './order-copy.ts'

let database: TestDatabase
let pharmacyId: string
let location: SourceLocation
let source: ScriptedSource
let now: number
/** What the processes logged as warnings or errors. */
let complaints: object[][]

beforeAll(async () => {
  database = await testDatabase()
})

beforeEach(async () => {
  await database.pool.query('delete from order_source_leases')
  location = newLocation()
  pharmacyId = await addPharmacyRow(database, location)
  source = scriptedSource([sourceOrder(), sourceOrder(), sourceOrder()])
  now = Date.now()
  complaints = []
})

/** The copy as one process of several keeps it. */
function process(timing: Partial<CopyTiming> = { maxAgeMs: 5_000, waitMs: 1_000 }): OrderCopy {
  const { copy, complaints: heard } = orderProcess(database, {
    source,
    now: () => now,
    timing: { copy: timing },
  })
  complaints.push(heard)
  return copy
}

/** For processes that wait for each other on a busy machine. */
const patient = { maxAgeMs: 60_000, waitMs: 60_000 }

/** A copy that was read once and is read again whenever it is asked for, and one of its orders. */
async function copied(maxAgeMs = 0) {
  const copy = process({ maxAgeMs, waitMs: 1_000 })
  await copy.ensureFresh(pharmacyId, location)
  const [order] = await orders.list()
  return {
    copy,
    ensureFresh: () => copy.ensureFresh(pharmacyId, location),
    recordId: order?.id ?? '',
  }
}

/** A reading that has seen the store and is held before it writes. */
async function heldReading(ensureFresh: () => Promise<unknown>) {
  const open = source.hold('reading')
  const reading = ensureFresh()
  await expect.poll(() => source.readings).toHaveLength(2)
  return async () => {
    open()
    await reading
  }
}

/** Time goes by, for the process and for the database. */
async function passes(milliseconds: number): Promise<void> {
  now += milliseconds
  await readingsAreOlder(database, pharmacyId, milliseconds)
}

const orders = {
  list: async () => (await createOrdersStore(database.db).listAfter(pharmacyId, null, 100)).records,
  copied: async () => (await createOrdersStore(database.db).stateOfCopy(pharmacyId)).copied,
  state: () => createOrderCopyStore(database.db, noHooks).copyState(pharmacyId, location),
  statusOf: async (recordId: string) =>
    (await orders.list()).find((one) => one.id === recordId)?.fields.Stato,
}

/** The reading right of another process, or what that process left of it. */
function leaseOfAnother(until: string) {
  return database.pool.query(
    `insert into order_source_leases
    values ($1, '00000000-0000-4000-8000-000000000000', now() + $2::interval)
    on conflict (key) do update set
      holder = excluded.holder, leased_until = excluded.leased_until`,
    [location.baseId, until],
  )
}

async function leases(): Promise<number> {
  return (await database.pool.query('select from order_source_leases')).rowCount ?? 0
}

async function pushesUnderWay(): Promise<number> {
  const claimed = 'select from order_changes where pharmacy_id = $1 and claimed_until is not null'
  return (await database.pool.query(claimed, [pharmacyId])).rowCount ?? 0
}

/** The store has taken it. */
function finish(changes: OrderChangesStore, change: Awaited<ReturnType<typeof recordChange>>) {
  if (!change) throw new Error('no such order')
  return changes.finish(
    pharmacyId,
    change.orderId,
    { version: change.version, status: 'Annullato' },
    null,
  )
}

describe('the copy of the orders', () => {
  it('holds everything after the first reading, and asks only for changes afterwards', async () => {
    const copy = process()
    expect(await copy.ensureFresh(pharmacyId, location)).toBe('fresh')
    expect(await orders.list()).toHaveLength(3)
    expect((await orders.copied()).readAt).toEqual(expect.any(String))

    const newest = [...source.records.values()].at(-1)
    const late = sourceOrder({ status: 'Confermato' })
    source.records.set(late.recordId, late)
    await passes(5_000)
    expect(await copy.ensureFresh(pharmacyId, location)).toBe('fresh')
    expect((await orders.list())[0]?.id).toBe(late.recordId)
    expect(source.readings).toEqual([null, expect.any(String)])
    // Two minutes before it, and as long as the reading took.
    const before = Date.parse(newest?.updatedAt ?? '') - Date.parse(source.readings[1] ?? '')
    expect(Math.floor(before / 60_000)).toBe(2)
  })

  it('is not read again while it is fresh', async () => {
    const copy = process()
    await copy.ensureFresh(pharmacyId, location)
    await passes(4_999)
    expect(await copy.ensureFresh(pharmacyId, location)).toBe('fresh')
    expect(source.readings).toHaveLength(1)
  })

  it('is read once for many who ask at once, in several processes', async () => {
    const copies = [1, 2, 3].map(() => process(patient))
    const open = source.hold()
    const asked = copies.flatMap((copy) =>
      [1, 2, 3].map(() => copy.ensureFresh(pharmacyId, location)),
    )
    setTimeout(open, 600)
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['fresh']))
    expect(source.readings).toHaveLength(1)
  })

  it('shows what is there when the store is slow, and goes on reading', async () => {
    const copy = process({ maxAgeMs: 5_000, waitMs: 50 })
    const open = source.hold()
    expect(await copy.ensureFresh(pharmacyId, location)).toBe('slow')
    open()
    await expect.poll(orders.list).toHaveLength(3)
  })

  it('keeps what it has when the store fails', async () => {
    const copy = process()
    await copy.ensureFresh(pharmacyId, location)
    source.failure = 'unreachable'
    await passes(5_000)
    const { readAt } = await orders.copied()
    expect(await copy.ensureFresh(pharmacyId, location)).toBe('failed')
    expect(await copy.ensureFresh(pharmacyId, location)).toBe('failed')
    expect(source.readings).toHaveLength(2)
    expect(await orders.list()).toHaveLength(3)
    expect((await orders.copied()).readAt).toBe(readAt)

    // A store that is back is seen by the first page that asks.
    source.failure = null
    await passes(5_000)
    expect(await copy.ensureFresh(pharmacyId, location)).toBe('fresh')
    expect(source.readings).toHaveLength(3)
  })

  it('is waited for again and again while there is none', async () => {
    const copy = process()
    source.failure = 'unreachable'
    expect(await copy.ensureFresh(pharmacyId, location)).toBe('failed')
    source.failure = null
    await passes(5_000)
    expect(await copy.ensureFresh(pharmacyId, location)).toBe('fresh')
  })

  it('keeps one page waiting when the store hangs, and not every one', async () => {
    const copy = process({ maxAgeMs: 5_000, waitMs: 1_000, fallbackWaitMs: 20 })
    await copy.ensureFresh(pharmacyId, location)
    const open = source.hold()
    await passes(5_000)
    expect(await copy.ensureFresh(pharmacyId, location)).toBe('slow')
    const next = () => Promise.race([copy.ensureFresh(pharmacyId, location), pause(500, 'waited')])
    expect(await next()).toBe('slow')
    open()
    await expect.poll(next, { timeout: 10_000 }).toBe('fresh')

    // It came in the end, but late: the next one is not waited for as long.
    const openAgain = source.hold()
    // The reading may end after the page that saw its copy, and count as made just now.
    const later = async () => {
      await passes(5_000)
      return next()
    }
    await expect.poll(later, { timeout: 10_000 }).toBe('slow')
    openAgain()
    await expect.poll(next, { timeout: 10_000 }).toBe('fresh')
    await expect.poll(() => source.readings, { timeout: 10_000 }).toHaveLength(3)
  })

  it('is read on when a change seems to come from the future', async () => {
    const copy = process({ maxAgeMs: 0, waitMs: 1_000 })
    const future = sourceOrder({ updatedAt: '2999-01-01T00:00:00.000Z' })
    source.records.set(future.recordId, future)
    await copy.ensureFresh(pharmacyId, location)
    const late = sourceOrder({ updatedAt: new Date().toISOString() })
    source.records.set(late.recordId, late)
    expect(await copy.ensureFresh(pharmacyId, location)).toBe('fresh')
    expect((await orders.list()).map((order) => order.id)).toContain(late.recordId)
  })

  it('begins anew when the pharmacy gets another table', async () => {
    const { copy } = await copied()
    await copy.ensureFresh(pharmacyId, { ...location, tableId: 'tblOTHER000000001' })
    expect(source.readings).toEqual([null, null])
  })
})

describe('one reading of a base at a time', () => {
  it('also for two pharmacies of one process', async () => {
    const otherId = await addPharmacyRow(database, location)
    const copy = process()
    const open = source.hold()
    const first = copy.ensureFresh(pharmacyId, location)
    await expect.poll(() => source.readings).toHaveLength(1)
    const second = copy.ensureFresh(otherId, location)
    await pause(50)
    expect(await leases()).toBe(1)
    open()
    expect(await Promise.all([first, second])).toEqual(['fresh', 'fresh'])
    expect(source.atOnce).toBe(1)
    expect(source.readings).toHaveLength(2)
    expect(await leases()).toBe(0)
  })

  it('is over for all when it fails', async () => {
    const open = source.hold()
    const asked = [1, 2].map(() => process(patient).ensureFresh(pharmacyId, location))
    await pause(250)
    source.failure = 'denied'
    open()
    expect(await Promise.all(asked)).toEqual(['failed', 'failed'])
    expect(source.readings).toHaveLength(1)
    expect((await orders.state()).failedAt).toEqual(expect.any(String))
  })

  it('is taken over when the process that read died', async () => {
    await leaseOfAnother('30 seconds')
    const asked = process().ensureFresh(pharmacyId, location)
    await pause(50)
    expect(source.readings).toEqual([])
    await leaseOfAnother('-1 second')
    expect(await asked).toBe('fresh')
  })

  it('is not waited for without end', async () => {
    await leaseOfAnother('30 seconds')
    expect(await process({ maxAgeMs: 0, waitMs: 200 }).ensureFresh(pharmacyId, location)).toBe(
      'slow',
    )
  })

  it('is given up by who lost the right to it', async () => {
    const open = source.hold()
    const asked = process().ensureFresh(pharmacyId, location)
    await expect.poll(() => source.readings).toHaveLength(1)
    await leaseOfAnother('30 seconds')
    open()
    expect(await asked).toBe('slow')
    expect(await orders.list()).toEqual([])
    expect((await orders.state()).readAt).toBeNull()
    expect(await leases()).toBe(1)
  })
})

describe('the end of the process', () => {
  it('ends a reading that hangs, and calls it no failure', async () => {
    source.hold()
    const copy = process()
    const asked = copy.ensureFresh(pharmacyId, location)
    await expect.poll(() => source.readings).toHaveLength(1)
    await copy.stop()
    expect(await asked).toBe('slow')
    expect(await orders.state()).toMatchObject({ changedUntil: null, msSinceAttempt: null })
    expect(await leases()).toBe(0)
    expect(complaints.flat()).toEqual([])

    await passes(5_000)
    expect(await copy.ensureFresh(pharmacyId, location)).toBe('slow')
    expect(source.readings).toHaveLength(1)
  })

  it("ends the wait for another's reading", async () => {
    await leaseOfAnother('30 seconds')
    const copy = process({ maxAgeMs: 0, waitMs: 60_000 })
    const asked = copy.ensureFresh(pharmacyId, location)
    await pause(50)
    await copy.stop()
    expect(await asked).toBe('slow')
    expect(complaints.flat()).toEqual([])
  })

  it('waits a moment for the push that is under way, and begins no other', async () => {
    const { copy, ensureFresh } = await copied()
    for (const { id } of await orders.list())
      await recordChange(database, pharmacyId, id, 'Annullato')
    const open = source.hold('writing')
    await ensureFresh()
    await expect.poll(pushesUnderWay).toBe(1)
    setTimeout(open, 100)
    await copy.stop()
    expect(source.writes).toHaveLength(1)
    expect((await orders.copied()).pendingChanges).toBe(2)
  })

  it('pushes one after the other however often it is told to, and what came meanwhile after that', async () => {
    const { copy } = await copied(60_000)
    const [first, second, third] = (await orders.list()).map(({ id }) => id)
    await recordChange(database, pharmacyId, first ?? '', 'Annullato')
    await recordChange(database, pharmacyId, second ?? '', 'Annullato')
    const open = source.hold('writing')
    for (let n = 0; n < 3; n += 1) copy.pushPending(pharmacyId)
    await expect.poll(pushesUnderWay).toBe(1)
    await recordChange(database, pharmacyId, third ?? '', 'Annullato')
    copy.pushPending(pharmacyId)
    await pause(100)
    expect(await pushesUnderWay()).toBe(1)
    open()
    await expect.poll(async () => (await orders.copied()).pendingChanges).toBe(0)
    expect(source.writes).toHaveLength(3)
  })

  it('does not wait for a push that hangs: it is kept', async () => {
    const { copy, ensureFresh, recordId } = await copied()
    await recordChange(database, pharmacyId, recordId, 'Annullato')
    source.hold('writing')
    await ensureFresh()
    await expect.poll(pushesUnderWay).toBe(1)
    await copy.stop()
    expect((await orders.copied()).pendingChanges).toBe(1)
  })
})

describe('writing what was read', () => {
  it('is one statement to PostgreSQL, however many orders there are', async () => {
    const { db, pool, close } = connectDatabase(database.url, { max: 1 })
    onTestFinished(close)
    const store = createOrderCopyStore(db, noHooks)
    const at = new Date().toISOString()
    for (const count of [1, 2, 50, 100]) {
      const some = Array.from({ length: count }, () => sourceOrder())
      expect(await store.saveOrders(pharmacyId, some, at)).toBe(count)
    }
    const { rows } = await pool.query<{ prepared: number }>(
      `select count(*)::int as prepared from pg_prepared_statements
      where statement like 'insert into "pharmacy_orders"%'`,
    )
    expect(rows).toEqual([{ prepared: 1 }])
  })

  it('takes the last of two versions of an order', async () => {
    const order = sourceOrder()
    const at = new Date().toISOString()
    await createOrderCopyStore(database.db, noHooks).saveOrders(
      pharmacyId,
      [order, { ...order, status: 'Annullato' }],
      at,
    )
    expect(await orders.statusOf(order.recordId)).toBe('Annullato')
  })
})

describe('a status that was changed here', () => {
  it.each(['before', 'after'])(
    'is not undone by a reading that saw the old one and ends after the push (changed %s it began)',
    async (when) => {
      const { ensureFresh, recordId } = await copied()
      const changes = createOrderChangesStore(database.db, noHooks)
      const record = () => recordChange(database, pharmacyId, recordId, 'Annullato')
      const before = when === 'before' ? await record() : undefined
      // Long enough ago to be told apart from the reading by the millisecond.
      await pause(10)
      const endReading = await heldReading(ensureFresh)
      await finish(changes, before ?? (await record()))
      expect(source.records.get(recordId)?.status).toBe('In attesa')
      await endReading()
      expect(await orders.statusOf(recordId)).toBe('Annullato')
    },
  )

  it('and given up is what the store holds, also after a reading that saw it before', async () => {
    const { ensureFresh, recordId } = await copied()
    const changes = createOrderChangesStore(database.db, noHooks)
    const change = await recordChange(database, pharmacyId, recordId, 'Annullato')
    const endReading = await heldReading(ensureFresh)
    const updatedAt = new Date(now).toISOString()
    const before = source.records.get(recordId) ?? sourceOrder()
    const stored = { ...before, status: 'Prenotato Domani', updatedAt }
    source.records.set(recordId, stored)
    const { orderId = '', version = '' } = change ?? {}
    expect(await changes.giveUp(pharmacyId, orderId, version, { kind: 'conflict', stored })).toBe(
      true,
    )
    await endReading()
    expect(await orders.statusOf(recordId)).toBe('Prenotato Domani')
    await ensureFresh()
    const here = (await orders.list()).find((one) => one.id === recordId)
    expect(here?.fields).toMatchObject({ Stato: 'Prenotato Domani', Last: updatedAt })
  })

  it('is not undone while it waits for the store, and goes there when it answers', async () => {
    const { ensureFresh, recordId } = await copied()
    await recordChange(database, pharmacyId, recordId, 'Confermato')
    expect((await orders.copied()).pendingChanges).toBe(1)
    await ensureFresh()
    expect(await orders.statusOf(recordId)).toBe('Confermato')
    await expect.poll(() => source.writes).toEqual([{ recordId, status: 'Confermato' }])
    await expect.poll(async () => (await orders.copied()).pendingChanges).toBe(0)
  })
})
