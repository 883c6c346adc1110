import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../test/database.ts'
import { sourceOrder } from '../../../test/orders.ts'
import { addPharmacyRow } from '../../../test/pharmacy-row.ts'
import { location, type ScriptedSource, scriptedSource } from '../../../test/scripted-source.ts'
import { silentLog } from '../../../test/silent-log.ts'
import { createOrderChangesStore } from './order-changes.store.ts'
import { createOrderCopyStore } from './order-copy.store.ts'
import { createOrderCopy, type OrderCopy } from './order-copy.ts'
import { createOrderPush } from './order-push.ts'
import { createOrdersStore } from './orders.store.ts'

let database: TestDatabase
let pharmacyId: string
let source: ScriptedSource
let now: number

beforeAll(async () => {
  database = await testDatabase()
})

beforeEach(async () => {
  await database.pool.query('delete from order_source_leases')
  pharmacyId = await addPharmacyRow(database, location)
  source = scriptedSource([sourceOrder(), sourceOrder(), sourceOrder()])
  now = Date.now()
})

/** The copy as one process of several keeps it. */
function process(timing = { fresh: 5_000, patience: 1_000 }): OrderCopy {
  const changes = createOrderChangesStore(database.db)
  return createOrderCopy({
    store: createOrderCopyStore(database.db),
    source,
    onAnswered: createOrderPush({ changes, source, log: silentLog }).pushWaiting,
    clock: { now: () => now },
    log: silentLog,
    timing,
  })
}

const orders = {
  list: () => createOrdersStore(database.db).page(pharmacyId, { page: 1, pageSize: 100 }),
  copied: () => createOrdersStore(database.db).copyStatus(pharmacyId),
}

describe('the copy of the orders', () => {
  it('holds everything after the first reading, and asks only for changes afterwards', async () => {
    const copy = process()
    expect(await copy.freshen(pharmacyId, location)).toBe('fresh')
    expect(await orders.list()).toHaveLength(3)
    expect((await orders.copied()).readAt).toEqual(expect.any(String))

    const newest = [...source.records.values()].at(-1)
    const late = sourceOrder({ status: 'Confermato' })
    source.records.set(late.recordId, late)
    now += 5_000
    expect(await copy.freshen(pharmacyId, location)).toBe('fresh')
    expect((await orders.list())[0]?.id).toBe(late.recordId)
    expect(source.readings).toEqual([
      null,
      new Date(Date.parse(newest?.updatedAt ?? '') - 120_000).toISOString(),
    ])
  })

  it('is not read again while it is fresh', async () => {
    const copy = process()
    await copy.freshen(pharmacyId, location)
    now += 4_999
    expect(await copy.freshen(pharmacyId, location)).toBe('fresh')
    expect(source.readings).toHaveLength(1)
  })

  it('is read once for many who ask at once, in several processes', async () => {
    const copies = [process(), process(), process()]
    const open = source.hold()
    const asked = copies.flatMap((copy) => [1, 2, 3].map(() => copy.freshen(pharmacyId, location)))
    setTimeout(open, 300)
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['fresh']))
    expect(source.readings).toHaveLength(1)
  })

  it('shows what is there when the store is slow, and goes on reading', async () => {
    const copy = process({ fresh: 5_000, patience: 50 })
    const open = source.hold()
    expect(await copy.freshen(pharmacyId, location)).toBe('slow')
    open()
    await copy.settle()
    expect(await orders.list()).toHaveLength(3)
  })

  it('keeps what it has when the store fails, and remembers why', async () => {
    const copy = process()
    await copy.freshen(pharmacyId, location)
    const { readAt } = await orders.copied()
    source.failure = 'unreachable'
    now += 5_000
    expect(await copy.freshen(pharmacyId, location)).toBe('failed')
    expect(await copy.freshen(pharmacyId, location)).toBe('failed')
    expect(source.readings).toHaveLength(2)
    expect(await orders.list()).toHaveLength(3)
    expect((await orders.copied()).readAt).toBe(readAt)
    const { rows } = await database.pool.query(
      'select failure from order_copies where pharmacy_id = $1',
      [pharmacyId],
    )
    expect(rows).toEqual([{ failure: 'unreachable' }])

    source.failure = null
    now += 5_000
    expect(await copy.freshen(pharmacyId, location)).toBe('fresh')
  })

  it('is taken over when the process that read it died', async () => {
    await createOrderCopyStore(database.db).takeLease(
      location.baseId,
      '00000000-0000-4000-8000-000000000000',
    )
    const copy = process({ fresh: 0, patience: 200 })
    expect(await copy.freshen(pharmacyId, location)).toBe('slow')
    await copy.settle()
    await database.pool.query(
      "update order_source_leases set leased_until = now() - interval '1 second'",
    )
    expect(await copy.freshen(pharmacyId, location)).toBe('fresh')
  })

  it('begins anew when the pharmacy gets another table', async () => {
    const copy = process({ fresh: 0, patience: 1_000 })
    await copy.freshen(pharmacyId, location)
    await copy.freshen(pharmacyId, { ...location, tableId: 'tblOTHER000000001' })
    expect(source.readings).toEqual([null, null])
  })

  it('does not write what is the same', async () => {
    const store = createOrderCopyStore(database.db)
    const same = [...source.records.values()]
    const at = new Date().toISOString()
    expect(await store.saveOrders(pharmacyId, same, at)).toBe(3)
    expect(await store.saveOrders(pharmacyId, same, at)).toBe(0)
    const [first] = same
    if (!first) throw new Error('no order')
    expect(await store.saveOrders(pharmacyId, [{ ...first, address: null }], at)).toBe(1)
  })
})

describe('a status that was changed here', () => {
  it('is not undone by a reading that began before', async () => {
    const copy = process({ fresh: 0, patience: 1_000 })
    await copy.freshen(pharmacyId, location)
    const [order] = await orders.list()
    const recordId = order?.id ?? ''

    // The reading has seen the old status, and arrives after the change has been pushed.
    const open = source.hold()
    const reading = copy.freshen(pharmacyId, location)
    await expect.poll(() => source.readings.length).toBe(2)
    const changes = createOrderChangesStore(database.db)
    const change = await changes.record(pharmacyId, recordId, 'Annullato')
    await changes.finish(change?.orderId ?? '', { version: 1, status: 'Annullato' })
    const stored = source.records.get(recordId)
    open()
    await reading
    expect(stored?.status).toBe('In attesa')
    expect((await orders.list()).find((one) => one.id === recordId)?.fields.Stato).toBe('Annullato')
  })

  it('is not undone while it waits for the store, and goes there when it answers', async () => {
    const copy = process({ fresh: 0, patience: 1_000 })
    await copy.freshen(pharmacyId, location)
    const [order] = await orders.list()
    const recordId = order?.id ?? ''
    await createOrderChangesStore(database.db).record(pharmacyId, recordId, 'Confermato')
    expect((await orders.copied()).pendingChanges).toBe(1)

    await copy.freshen(pharmacyId, location)
    expect((await orders.list()).find((one) => one.id === recordId)?.fields.Stato).toBe(
      'Confermato',
    )
    await expect.poll(() => source.writes).toEqual([{ recordId, status: 'Confermato' }])
    await expect.poll(async () => (await orders.copied()).pendingChanges).toBe(0)
  })
})
