import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { untilBlocked } from '../../../../test/lock-waits.ts'
import { newLocation, orderProcess } from '../../../../test/order-process.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import { scriptedSource } from '../../../../test/scripted-source.ts'
import { SourceError, type SourceLocation, type SourceOrder } from '../../../ports/order-source.ts'
import { createOrdersStore } from '../list/orders.store.ts'
import type { StatusOfOrder, WrittenImage } from '../records/order-hooks.ts'
import { contentHash } from '../records/order-rows.ts'
import { createOrderCopyStore, type OrderCopyStore } from './order-copy.store.ts'

let database: TestDatabase
let pharmacyId: string
let location: SourceLocation
let store: OrderCopyStore
/** What happened besides, in the transactions that wrote orders. */
let arrivals: string[]
let images: WrittenImage[]
let statuses: (string | null)[][]

const hooks = {
  onArrived: async (_tx: unknown, id: string) => {
    arrivals.push(id)
  },
  onImages: async (_tx: unknown, _id: string, seen: WrittenImage[]) => {
    images.push(...seen)
  },
  onStatus: async (_tx: unknown, _id: string, orders: readonly StatusOfOrder[]) => {
    statuses.push(...orders.map(({ from, to }) => [from, to]))
  },
}

beforeAll(async () => {
  database = await testDatabase()
})

beforeEach(async () => {
  location = newLocation()
  pharmacyId = await addPharmacyRow(database, location)
  store = createOrderCopyStore(database.db, hooks)
  arrivals = []
  images = []
  statuses = []
})

const long = '2026-01-01T00:00:00.000Z'
const save = (order: SourceOrder, countsAsNew = true) =>
  store.saveOrders(pharmacyId, [order], long, { countsAsNew })
const rows = async () =>
  (await createOrdersStore(database.db).listAfter(pharmacyId, null, 100)).records
const isSeen = async (recordId: string) => (await rows()).find((row) => row.id === recordId)?.seen
const image = { url: 'https://pictures.example/1?until=noon', ref: 'att1' }

describe('an order that is removed', () => {
  it('does not come back with what a reading had read before, but with one after that', async () => {
    const { rows: times } = await database.pool.query<{ now: string }>('select now()::text')
    const readAt = times[0]?.now ?? ''
    const [gone, other] = [sourceOrder({}), sourceOrder({})]
    await store.saveOrders(pharmacyId, [gone], readAt, { countsAsNew: true })
    await store.removeOrders(pharmacyId, [gone.recordId], 'infinity')
    await store.saveOrders(pharmacyId, [gone, other], readAt, { countsAsNew: true })
    expect((await rows()).map(({ id }) => id)).toEqual([other.recordId])
    await store.saveOrders(pharmacyId, [gone], 'infinity', { countsAsNew: true })
    expect(await rows()).toHaveLength(2)
  })
})

describe('the hash of a record', () => {
  const order = sourceOrder({ image })

  it.each(Object.keys(order).filter((key) => key !== 'image'))('changes with %s', (key) => {
    expect(contentHash({ ...order, [key]: 'other' })).not.toBe(contentHash(order))
  })

  it('tells an empty cell from one that says so, and one cell from the next', () => {
    const hashes = [
      { address: null, details: 'null' },
      { address: 'null', details: null },
      { address: '', details: null },
    ].map((cells) => contentHash({ ...order, ...cells }))
    expect(new Set(hashes).size).toBe(3)
  })
})

describe('writing what was read', () => {
  it('leaves a row alone whose picture has another address alone', async () => {
    const order = sourceOrder({ image })
    expect(await save(order)).toBe(1)
    expect(await save({ ...order, image: { ...image, url: 'https://elsewhere.example/' } })).toBe(0)
    expect(await save({ ...order, image: { ...image, ref: 'att2' } })).toBe(1)
  })

  it('writes a status that must change though the record is the same', async () => {
    const order = sourceOrder({ status: 'Confermato' })
    await save(order)
    await database.pool.query(
      "update pharmacy_orders set status = 'Annullato' where pharmacy_id = $1",
      [pharmacyId],
    )
    expect(await save(order)).toBe(1)
    expect((await rows())[0]?.fields.Stato).toBe('Confermato')
  })

  it('tells the statuses of new orders, and those that changed', async () => {
    const [order, old] = [sourceOrder({ status: 'Confermato' }), sourceOrder()]
    await save(order)
    await save(old, false)
    await save({ ...order, status: 'Annullato' })
    await save({ ...order, status: 'Annullato', address: 'Via Po' })
    expect(statuses).toEqual([
      [null, 'Confermato'],
      ['Confermato', 'Annullato'],
    ])
  })

  it('tells of new orders, once for all that come together', async () => {
    const two = [sourceOrder(), sourceOrder()]
    await store.saveOrders(pharmacyId, two, long, { countsAsNew: true })
    expect(arrivals).toEqual([pharmacyId])
    await store.saveOrders(pharmacyId, [...two, sourceOrder()], long, { countsAsNew: true })
    expect(arrivals).toHaveLength(2)
  })

  it('tells nothing of orders that were changed, or were there at first', async () => {
    const order = sourceOrder()
    await save(order, false)
    await save({ ...order, address: null })
    expect(arrivals).toEqual([])
  })

  it('and what belongs to it happen together or not at all', async () => {
    const failing = createOrderCopyStore(database.db, {
      ...hooks,
      onArrived: () => Promise.reject(new Error('no job could be made')),
    })
    const saving = failing.saveOrders(pharmacyId, [sourceOrder()], long)
    await expect(saving).rejects.toThrow('no job')
    expect(await rows()).toEqual([])
  })

  it('names the pictures of orders that are new or changed', async () => {
    const [first, second] = [sourceOrder({ image }), sourceOrder({ image: { ...image, ref: 'b' } })]
    await store.saveOrders(pharmacyId, [first, second, sourceOrder()], long)
    expect(
      images
        .splice(0)
        .map((one) => one.ref)
        .sort(),
    ).toEqual(['att1', 'b'])
    await save(first)
    expect(images).toEqual([])
    await save({ ...second, image: { url: 'https://pictures.example/3', ref: 'att3' } })
    expect(images).toMatchObject([{ ref: 'att3' }])
  })

  it('forgets that a picture is kept when the order has none any more', async () => {
    const order = sourceOrder({ image })
    await save(order)
    await database.pool.query(
      'update pharmacy_orders set image_kept = true where pharmacy_id = $1',
      [pharmacyId],
    )
    await save({ ...order, address: null })
    expect((await rows())[0]?.picture).not.toBeNull()
    await save({ ...order, image: null })
    expect((await rows())[0]?.picture).toBeNull()
  })
})

describe('an order', () => {
  it('is new when it arrives, and not when it was there at first', async () => {
    const [there, late] = [sourceOrder(), sourceOrder()]
    const source = scriptedSource([there])
    const { copy } = orderProcess(database, { source, timing: { copy: { maxAgeMs: 0 } }, hooks })
    await copy.ensureFresh(pharmacyId, location)
    expect([await isSeen(there.recordId), arrivals]).toEqual([true, []])
    source.records.set(late.recordId, late)
    await copy.ensureFresh(pharmacyId, location)
    expect(await isSeen(late.recordId)).toBe(false)
    expect(arrivals).toEqual([pharmacyId])
  })

  it('that was there at first is not new, also where the first reading ended half way', async () => {
    const orders = [sourceOrder(), sourceOrder()]
    const inner = scriptedSource(orders)
    let isBroken = true
    const source = {
      ...inner,
      async *readChanged() {
        for (const order of inner.records.values()) {
          yield { orders: [order], unreadable: [] }
          if (isBroken) throw new SourceError('unreachable', 'as the test wants')
        }
      },
    }
    const { copy } = orderProcess(database, { source, timing: { copy: { maxAgeMs: 0 } }, hooks })
    expect(await copy.ensureFresh(pharmacyId, location)).toBe('failed')
    expect(await rows()).toHaveLength(1)
    isBroken = false
    expect(await copy.ensureFresh(pharmacyId, location)).toBe('fresh')
    expect((await rows()).map(({ seen }) => seen)).toEqual([true, true])
    expect(arrivals).toEqual([])
  })

  it('of another table than before is not new either', async () => {
    const source = scriptedSource([sourceOrder()])
    const { copy } = orderProcess(database, { source, timing: { copy: { maxAgeMs: 0 } }, hooks })
    await copy.ensureFresh(pharmacyId, location)
    const order = sourceOrder()
    source.records.set(order.recordId, order)
    await copy.ensureFresh(pharmacyId, newLocation())
    expect(await isSeen(order.recordId)).toBe(true)
  })

  it('is seen once its status was changed in the store', async () => {
    const order = sourceOrder({ status: 'Confermato' })
    await save(order)
    expect(await isSeen(order.recordId)).toBe(false)
    await save({ ...order, address: null })
    expect(await isSeen(order.recordId)).toBe(false)
    await save({ ...order, status: 'Annullato' })
    expect(await isSeen(order.recordId)).toBe(true)
  })
})

/** Locks one order, as a change of it does. */
async function hold(recordId: string): Promise<() => Promise<void>> {
  const client = await database.pool.connect()
  let held = true
  const release = async () => {
    if (held) await client.query('rollback')
    if (held) client.release()
    held = false
  }
  onTestFinished(release)
  await client.query('begin')
  await client.query('select from pharmacy_orders where airtable_order_id = $1 for update', [
    recordId,
  ])
  return release
}

it('writing, seeing and removing the same orders at once never stand in each other’s way', async () => {
  const at = new Date().toISOString()
  const [a, middle, b] = [sourceOrder(), sourceOrder(), sourceOrder()]
  // Came in another order than that of their ids.
  for (const order of [b, middle, a]) await store.saveOrders(pharmacyId, [order], at)
  const all = [a, middle, b].map(({ recordId }) => recordId)
  const changed = (address: string) => [b, middle, a].map((order) => ({ ...order, address }))

  const works = [
    () => store.saveOrders(pharmacyId, changed('Via Nuova 1'), at),
    () => store.saveOrders(pharmacyId, changed('Via Nuova 2').reverse(), at),
    () => createOrdersStore(database.db).markSeen(pharmacyId, all),
    () => store.removeOrders(pharmacyId, all, '2020-01-01T00:00:00.000Z'),
  ]
  for (const [index, first] of works.entries()) {
    for (const second of works.slice(index + 1)) {
      await database.pool.query('update pharmacy_orders set seen_at = null')
      const release = await hold(middle.recordId)
      const done = Promise.all([first(), second()])
      done.catch(() => {})
      await untilBlocked(database.pool, 2)
      await release()
      await done
    }
  }
})
