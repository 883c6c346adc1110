import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { recordChange } from '../../../../test/order-changes.ts'
import { newLocation, type OrderProcess, orderProcess } from '../../../../test/order-process.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import { type ScriptedSource, scriptedSource } from '../../../../test/scripted-source.ts'
import type { SourceLocation, SourceOrder } from '../../../ports/order-source.ts'
import { createOrdersStore } from '../list/orders.store.ts'
import { noHooks } from '../records/order-hooks.ts'
import { createOrderLeasesStore } from '../records/order-leases.store.ts'
import { createOrderCopyStore } from './order-copy.store.ts'
import { createOrderQuarantineStore } from './order-quarantine.store.ts'

let database: TestDatabase
let location: SourceLocation
let pharmacyId: string
let source: ScriptedSource
let process: OrderProcess

beforeAll(async () => {
  database = await testDatabase()
})

beforeEach(async () => {
  location = newLocation()
  pharmacyId = await addPharmacyRow(database, location)
  source = scriptedSource(Array.from({ length: 5 }, () => sourceOrder()))
  process = start()
  await process.copy.ensureFresh(pharmacyId, location)
  await allAreOld()
})

/** What came before this moment is old to a sweep that begins now. */
const allAreOld = () =>
  database.pool.query("update pharmacy_orders set created_at = now() - interval '1 minute'")

const start = () => orderProcess(database, { source, timing: { copy: { maxAgeMs: 0 } } })

async function ids(): Promise<string[]> {
  const { records: rows } = await createOrdersStore(database.db).listAfter(pharmacyId, null, 100)
  return rows.map((row) => row.id).sort()
}

async function dates() {
  const { rows } = await database.pool.query<{ swept: string | null; next: string }>(
    `select swept_at as swept, round(extract(epoch from sweep_at - now()) / 60) || ' minutes' as next
    from order_copies where pharmacy_id = $1`,
    [pharmacyId],
  )
  return rows[0]
}

/** Sweeps until the end of it. */
async function sweep({ sweep: { sweepIfDue, settled } } = process): Promise<void> {
  sweepIfDue(pharmacyId, location)
  await settled()
}

const due = () =>
  database.pool.query('update order_copies set sweep_at = now() where pharmacy_id = $1', [
    pharmacyId,
  ])

function put(order: Partial<SourceOrder> = {}): SourceOrder {
  const made = sourceOrder(order)
  source.records.set(made.recordId, made)
  return made
}

const putMany = (count: number, order: Partial<SourceOrder> = {}) =>
  Array.from({ length: count }, () => put(order))

const longAgo = '2020-01-01T00:00:00.000Z'

const take = (count: number) => {
  const taken = [...source.records.keys()].slice(0, count)
  for (const recordId of taken) source.records.delete(recordId)
  return taken
}

describe('records that are gone from the store', () => {
  it('are not noticed by readings, and go from the copy with a sweep, counted and told', async () => {
    const gone = take(2)
    await process.copy.ensureFresh(pharmacyId, location)
    expect(await ids()).toHaveLength(5)
    await sweep()
    expect(await ids()).toEqual([...source.records.keys()].sort())
    expect(source.looks.sort()).toEqual(gone.sort())
    const { counts } = await createOrdersStore(database.db).state(pharmacyId)
    expect(counts.total).toBe(3)
    const { swept, next } = (await dates()) ?? {}
    expect(swept).toEqual(expect.any(String))
    expect(next).toBe('360 minutes')
  })

  it('stay when the list was wrong about them', async () => {
    const [recordId = ''] = take(1)
    const order = put({ recordId })
    const forgetful = {
      ...source,
      async *readIds(...call: Parameters<ScriptedSource['readIds']>) {
        for await (const page of source.readIds(...call)) {
          yield page.filter((one) => one.recordId !== order.recordId)
        }
      },
    }
    await sweep(orderProcess(database, { source: forgetful }))
    expect(source.looks).toEqual([order.recordId])
    expect(await ids()).toHaveLength(5)
  })

  it('are many only if two lists agree', async () => {
    const many = putMany(60)
    await process.copy.ensureFresh(pharmacyId, location)
    await allAreOld()
    // Empty at first, and whole a moment later but for three.
    let lists = 0
    const unsure = {
      ...source,
      async *readIds(...call: Parameters<ScriptedSource['readIds']>) {
        lists += 1
        if (lists > 1) yield* source.readIds(...call)
      },
    }
    for (const order of many.slice(0, 3)) source.records.delete(order.recordId)
    await sweep(orderProcess(database, { source: unsure }))
    expect(lists).toBe(2)
    // A few of those that neither list has.
    expect(source.looks).toEqual(many.slice(0, 3).map(({ recordId }) => recordId))
    expect(await ids()).toEqual([...source.records.keys()].sort())
  })

  it('are none of those that are there when looked at, whatever two lists say', async () => {
    putMany(60)
    await process.copy.ensureFresh(pharmacyId, location)
    await allAreOld()
    const forgetful = { ...source, async *readIds() {} }
    const wary = orderProcess(database, { source: forgetful })
    await sweep(wary)
    expect(await ids()).toHaveLength(65)
    expect(wary.complaints).toHaveLength(1)
    expect(await dates()).toEqual({ swept: null, next: '10 minutes' })
  })

  it('are left to the push where a change waits', async () => {
    const [recordId = ''] = take(1)
    await recordChange(database, pharmacyId, recordId, 'Annullato')
    await sweep()
    expect(await ids()).toContain(recordId)
    expect(source.looks).toEqual([])
    await process.push.pushPending(pharmacyId)
    expect(await ids()).not.toContain(recordId)
  })

  it('are left to the push also where the change is made during the sweep', async () => {
    const [recordId = ''] = take(1)
    const open = source.hold('looking')
    const swept = sweep()
    await expect.poll(() => source.looks).toHaveLength(1)
    await recordChange(database, pharmacyId, recordId, 'Annullato')
    open()
    await swept
    expect(await ids()).toContain(recordId)
  })

  it('are not those that came into the copy after the sweep began', async () => {
    const open = source.hold('sweeping')
    const swept = sweep()
    await expect.poll(() => source.sweeps).toHaveLength(1)
    const late = put()
    await process.copy.ensureFresh(pharmacyId, location)
    open()
    await swept
    expect(await ids()).toContain(late.recordId)
    expect(source.looks).toEqual([])
  })

  it('are not those that came back meanwhile', async () => {
    const [recordId = ''] = await ids()
    const copies = createOrderCopyStore(database.db, noHooks)
    expect(await copies.removeOrders(pharmacyId, [recordId], longAgo)).toBe(0)
    expect(await copies.removeOrders(pharmacyId, [recordId], new Date().toISOString())).toBe(1)
  })

  it('are not set aside any more', async () => {
    const aside = createOrderQuarantineStore(database.db)
    const [kept = ''] = source.records.keys()
    await aside.add(pharmacyId, [
      { recordId: kept, reason: 'kept' },
      { recordId: 'recGONE0000000001', reason: 'left out' },
    ])
    await database.pool.query(
      "update order_set_aside set first_seen_at = now() - interval '1 minute'",
    )
    await sweep()
    expect(await aside.list(pharmacyId, 10)).toMatchObject([{ recordId: kept }])
  })
})

describe('records that the base reports as removed', () => {
  const removeReported = (recordId: string) =>
    process.sweep.removeReported(location.baseId, [{ tableId: location.tableId, recordId }])

  it('are not passed over while another process looks for others', async () => {
    const [recordId = ''] = take(1)
    const [leases, other] = [createOrderLeasesStore(database.db), randomUUID()]
    await leases.acquire(`removal ${pharmacyId}`, other)
    await expect(removeReported(recordId)).rejects.toThrow('another process')
    await leases.release(`removal ${pharmacyId}`, other)
    await removeReported(recordId)
    expect(await ids()).not.toContain(recordId)
  })

  it('are not passed over by a process that stops', async () => {
    const [recordId = ''] = take(1)
    await process.stop()
    await expect(removeReported(recordId)).rejects.toThrow()
  })
})

describe('records that a reading has missed', () => {
  it('come into the copy with a sweep', async () => {
    const old = put({ createdAt: longAgo })
    await process.copy.ensureFresh(pharmacyId, location)
    expect(await ids()).not.toContain(old.recordId)
    await sweep()
    expect(await ids()).toContain(old.recordId)
  })

  it('are new to the pharmacy if they were made since yesterday, however many are found late', async () => {
    const now = new Date().toISOString()
    const fresh = put({ createdAt: now, updatedAt: longAgo })
    put({ createdAt: longAgo })
    await sweep()
    const unseen = async () => (await createOrdersStore(database.db).unseen(pharmacyId)).recordIds
    expect(await unseen()).toEqual([fresh.recordId])
    const freshToo = put({ createdAt: now, updatedAt: longAgo })
    putMany(51, { createdAt: longAgo })
    await due()
    await sweep()
    await process.copy.ensureFresh(pharmacyId, location)
    expect(await ids()).toHaveLength(59)
    expect((await unseen()).sort()).toEqual([fresh.recordId, freshToo.recordId].sort())
  })

  it('are read all again when they are many', async () => {
    putMany(501, { createdAt: longAgo })
    await sweep()
    expect(await ids()).toHaveLength(5)
    await process.copy.ensureFresh(pharmacyId, location)
    expect(source.readings.at(-1)).toBeNull()
    const { copied } = await createOrdersStore(database.db).stateOfCopy(pharmacyId)
    expect(copied.readAt).not.toBeNull()
    expect((await createOrdersStore(database.db).state(pharmacyId)).counts.total).toBe(506)
  })

  it('stay away while they are blank rows, and are not counted', async () => {
    const rows = Array.from({ length: 60 }, () => put({ createdAt: longAgo, isBlank: true }))
    await sweep()
    await process.copy.ensureFresh(pharmacyId, location)
    expect(source.readings.at(-1)).not.toBeNull()
    expect(await ids()).toHaveLength(5)
    const { rows: copies } = await database.pool.query<{ records: number }>(
      'select records from order_copies where pharmacy_id = $1',
      [pharmacyId],
    )
    expect(copies).toEqual([{ records: 5 }])
    const { isBlank, ...filled } = rows[0] ?? put({})
    expect(isBlank).toBe(true)
    put(filled)
    await due()
    await sweep()
    expect(await ids()).toContain(filled.recordId)
  })

  it('are read all again also when a reading was under way meanwhile', async () => {
    const open = source.hold('reading')
    const reading = process.copy.ensureFresh(pharmacyId, location)
    await expect.poll(() => source.readings).toHaveLength(2)
    await createOrderCopyStore(database.db, noHooks).resetCursor(pharmacyId, location)
    open()
    expect(await reading).toBe('fresh')
    await process.copy.ensureFresh(pharmacyId, location)
    expect(source.readings.at(-1)).toBeNull()
  })

  it('are not asked for where it is known that they cannot be understood', async () => {
    const broken = put({ createdAt: longAgo })
    const aside = createOrderQuarantineStore(database.db)
    await aside.add(pharmacyId, [{ recordId: broken.recordId, reason: 'left out' }])
    await sweep()
    expect(source.looks).toEqual([])
  })
})

describe('in a table that is shared', () => {
  let otherId: string

  beforeEach(async () => {
    const name = 'update pharmacies set name = $2 where id = $1'
    otherId = await addPharmacyRow(database, location)
    await database.pool.query(name, [pharmacyId, 'Farmacia San Marco'])
    await database.pool.query(name, [otherId, 'Farmacia Rialto'])
  })

  it('orders go that now name the other, and those without a pharmacy stay', async () => {
    const [first, second] = [...source.records.values()]
    if (!first || !second) throw new Error('no orders')
    source.records.set(first.recordId, { ...first, pharmaWa: 'Farmacia Rialto' })
    source.records.set(second.recordId, { ...second, pharmaWa: 'Farmacia San Marco' })
    await sweep()
    const left = [...source.records.keys()].filter((id) => id !== first.recordId)
    expect(await ids()).toEqual(left.sort())
  })

  it.each(['left out; names no pharmacy: PharmaWA', 'left out; cannot be read: PharmaWA'])(
    'orders come that name it now, after they were %s',
    async (reason) => {
      const order = put({ pharmaWa: 'Farmacia San Marco' })
      const store = createOrderQuarantineStore(database.db)
      await store.add(pharmacyId, [{ recordId: order.recordId, reason }])
      put({ pharmaWa: 'Farmacia Rialto' })
      await sweep()
      expect(await ids()).toHaveLength(6)
      expect(await ids()).toContain(order.recordId)
      expect(await store.list(pharmacyId, 10)).toEqual([])
    },
  )

  it('orders do not come that no longer tell whose they are', async () => {
    const before = await ids()
    await database.pool.query(
      `insert into pharmacy_orders (pharmacy_id, airtable_order_id, status, pharma_wa, airtable_created, airtable_last)
       values ($1, 'recOther000000001', 'In attesa', 'Farmacia Rialto', now(), now())`,
      [otherId],
    )
    put({ recordId: 'recOther000000001', pharmaWa: null, unknown: ['pharmaWa'] })
    await sweep()
    expect(await ids()).toEqual(before)
  })
})

describe('a sweep', () => {
  it('is made once, by one process, until it is due again', async () => {
    const processes = [process, start(), start()]
    await Promise.all(processes.map((one) => sweep(one)))
    expect(source.sweeps).toHaveLength(1)
    await sweep()
    expect(source.sweeps).toHaveLength(1)
    await due()
    await sweep()
    expect(source.sweeps).toHaveLength(2)
  })

  it('is not begun while another process is at it, for however long', async () => {
    const open = source.hold('sweeping')
    const first = sweep()
    await expect.poll(() => source.sweeps).toHaveLength(1)
    await due()
    await sweep(start())
    expect(source.sweeps).toHaveLength(1)
    open()
    await first
  })

  it('is one of a few that a process makes at once', async () => {
    const open = source.hold('sweeping')
    const others = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const where = newLocation()
        const id = await addPharmacyRow(database, where)
        await process.copy.poll(id, where)
        return { id, where }
      }),
    )
    for (const { id, where } of others) process.sweep.sweepIfDue(id, where)
    await expect.poll(() => source.sweeps).toHaveLength(4)
    open()
    await process.sweep.settled()
    for (const { id, where } of others.slice(4)) process.sweep.sweepIfDue(id, where)
    await process.sweep.settled()
    expect(source.sweeps).toHaveLength(6)
  })

  it('lets readings go on', async () => {
    const open = source.hold('sweeping')
    const swept = sweep()
    await expect.poll(() => source.sweeps).toHaveLength(1)
    expect(await process.copy.ensureFresh(pharmacyId, location)).toBe('fresh')
    open()
    await swept
  })

  it.each(['sweeping', 'looking'] as const)(
    'whose %s fails removes nothing, and is put off for a while',
    async (kind) => {
      take(2)
      source.failing.set(kind, 'rate_limited')
      await sweep()
      expect(await ids()).toHaveLength(5)
      expect(await dates()).toEqual({ swept: null, next: '10 minutes' })
      expect(process.complaints).toMatchObject([{ details: { kind: 'rate_limited' } }])
    },
  )

  it('ends with its process, and is no failure', async () => {
    take(2)
    source.hold('sweeping')
    process.sweep.sweepIfDue(pharmacyId, location)
    await expect.poll(() => source.sweeps).toHaveLength(1)
    await process.stop()
    expect(await ids()).toHaveLength(5)
    expect(process.complaints).toEqual([])
    const { rowCount } = await database.pool.query('select from order_source_leases')
    expect(rowCount).toBe(0)
  })

  it('is not made before the table has been read to its end', async () => {
    const otherId = await addPharmacyRow(database, location)
    await createOrderCopyStore(database.db, noHooks).upsertCopy(otherId, location)
    process.sweep.sweepIfDue(otherId, location)
    await process.sweep.settled()
    expect(source.sweeps).toEqual([])
  })

  it('is due after the whole table was read again', async () => {
    await sweep()
    expect((await dates())?.next).toBe('360 minutes')
    await database.pool.query(
      'update order_copies set changed_until = null where pharmacy_id = $1',
      [pharmacyId],
    )
    await process.copy.ensureFresh(pharmacyId, location)
    expect((await dates())?.next).toBe('0 minutes')
  })
})
