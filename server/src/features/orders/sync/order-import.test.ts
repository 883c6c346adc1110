import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/database.ts'
import { recordChange, somebody } from '../../../../test/order-changes.ts'
import { newLocation, type OrderProcess, orderProcess } from '../../../../test/order-process.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { addPharmacyRow } from '../../../../test/pharmacy-row.ts'
import { type ScriptedSource, scriptedSource } from '../../../../test/scripted-source.ts'
import { connectDatabase } from '../../../database/database.ts'
import type { OrderField, SourceLocation, SourceOrder } from '../../../ports/order-source.ts'
import { createOrderChangesStore } from '../changes/order-changes.store.ts'
import { createOrderHealthStore } from '../list/order-health.store.ts'
import { createOrdersStore } from '../list/orders.store.ts'
import { noHooks } from '../records/order-hooks.ts'
import { createOrderQuarantineStore } from './order-quarantine.store.ts'

let database: TestDatabase
let location: SourceLocation
let marco: string
let source: ScriptedSource
let process: OrderProcess

beforeAll(async () => {
  database = await testDatabase()
})

beforeEach(async () => {
  location = newLocation()
  marco = await addPharmacy('Farmacia San Marco')
  source = scriptedSource()
  process = orderProcess(database, { source, timing: { copy: { maxAgeMs: 0 } } })
})

async function addPharmacy(name: string): Promise<string> {
  const id = await addPharmacyRow(database, location)
  await database.pool.query('update pharmacies set name = $2 where id = $1', [id, name])
  return id
}

function put(order: Partial<SourceOrder>): SourceOrder {
  const made = sourceOrder(order)
  source.records.set(made.recordId, made)
  return made
}

const read = (pharmacyId: string) => process.copy.ensureFresh(pharmacyId, location)

async function idsOf(pharmacyId: string) {
  const { records: rows } = await createOrdersStore(database.db).listAfter(pharmacyId, null, 100)
  return rows.map((row) => row.id).sort()
}

const asideOf = async (pharmacyId: string) =>
  (await createOrderQuarantineStore(database.db).list(pharmacyId, 100)).map(
    ({ recordId, reason }): [string, string] => [recordId, reason],
  )

const lastErrorOf = async (pharmacyId: string) =>
  (await createOrderHealthStore(database.db).one(pharmacyId))?.lastError?.kind

describe('records that the database refuses', () => {
  it('are quarantined, and the others arrive', async () => {
    const good = Array.from({ length: 9 }, () => put({}))
    const [half, nul] = [put({ details: 'tagliato \ud83d' }), put({ customerName: 'A\0' })]
    expect(await read(marco)).toBe('fresh')
    expect(await idsOf(marco)).toEqual(good.map(({ recordId }) => recordId).sort())
    const reason = 'left out; cannot be stored'
    expect(new Map(await asideOf(marco))).toEqual(
      new Map([half, nul].map(({ recordId }) => [recordId, reason])),
    )
    put({ ...half, details: 'intero', updatedAt: new Date().toISOString() })
    await read(marco)
    expect(await idsOf(marco)).toContain(half.recordId)
    expect(await asideOf(marco)).toEqual([[nul.recordId, reason]])
  })

  it('are told apart from a failure, which fails the reading and is in its state', async () => {
    const { recordId } = put({})
    await database.pool.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger refuse before insert on pharmacy_orders for each row execute function refuse()`,
    )
    onTestFinished(async () => {
      await database.pool.query('drop function if exists refuse cascade')
    })
    expect(await read(marco)).toBe('failed')
    expect(await lastErrorOf(marco)).toBe('internal')
    await database.pool.query('drop function refuse cascade')
    expect(await read(marco)).toBe('fresh')
    expect(await idsOf(marco)).toEqual([recordId])
    expect(await lastErrorOf(marco)).toBeUndefined()
  })

  it('are none where there is no token, which the state of the copy says', async () => {
    const without = orderProcess(database, { source: null })
    expect(await without.copy.ensureFresh(marco, location)).toBe('failed')
    expect(await lastErrorOf(marco)).toBe('denied')
  })
})

it('many orders leave statistics of them, without the rights of an owner', async () => {
  const asServer = connectDatabase(database.runtimeUrl, { max: 2 })
  onTestFinished(asServer.close)
  const { copy } = orderProcess(asServer, { source })
  for (let n = 0; n < 500; n += 1) put({ customerPhone: `333 ${String(n).padStart(7, '0')}` })
  expect(await copy.ensureFresh(marco, location)).toBe('fresh')
  const { rowCount } = await database.pool.query(
    `select from pg_stats where tablename = 'order_search' and attname = 'phone_key'`,
  )
  expect(rowCount).toBe(1)
})

describe('a table that two pharmacies share', () => {
  it('gives each its own orders, and sets those without a pharmacy aside', async () => {
    const anna = await addPharmacy('Farmacia Sant’Anna')
    const hers = put({ pharmaWa: "farmacia sant'anna" })
    const his = put({ pharmaWa: 'FARMACIA SAN MARCO' })
    const both = put({ pharmaWa: "Farmacia San Marco, Farmacia Sant'Anna" })
    const nobodys = put({ pharmaWa: 'Farmacia Rialto' })
    expect([await read(marco), await read(anna)]).toEqual(['fresh', 'fresh'])
    expect(await idsOf(marco)).toEqual([his.recordId, both.recordId])
    expect(await idsOf(anna)).toEqual([hers.recordId, both.recordId])
    const aside = [[nobodys.recordId, 'left out; names no pharmacy: PharmaWA']]
    expect(await asideOf(marco)).toEqual(aside)
    expect(await asideOf(anna)).toEqual(aside)
  })

  it('shows an order only to the other pharmacy once it names that one', async () => {
    const anna = await addPharmacy('Farmacia Sant’Anna')
    const order = put({ pharmaWa: 'Farmacia San Marco' })
    await read(marco)
    put({ ...order, pharmaWa: "Farmacia Sant'Anna" })
    await read(marco)
    await read(anna)
    expect(await idsOf(marco)).toEqual([])
    expect(await idsOf(anna)).toEqual([order.recordId])
  })

  it('leaves the orders without a pharmacy to the one that had such before', async () => {
    const old = put({})
    await read(marco)
    const anna = await addPharmacy('Farmacia Sant’Anna')
    const late = put({})
    const hers = put({ pharmaWa: 'Farmacia Sant’Anna' })
    await read(anna)
    await read(marco)
    expect(await idsOf(marco)).toEqual([old.recordId, late.recordId])
    expect(await idsOf(anna)).toEqual([hers.recordId])
    expect([await asideOf(marco), await asideOf(anna)]).toEqual([[], []])
  })

  it('gives to no other pharmacy what no longer tells whose it is', async () => {
    const old = put({})
    await read(marco)
    const anna = await addPharmacy('Farmacia Sant’Anna')
    const hers = put({ pharmaWa: 'Farmacia Sant’Anna' })
    await read(anna)
    const untold: Partial<SourceOrder> = { pharmaWa: null, unknown: ['pharmaWa'] }
    put({ ...hers, ...untold })
    const { recordId } = put(untold)
    await read(marco)
    expect(await idsOf(marco)).toEqual([old.recordId])
    await read(anna)
    expect(await asideOf(anna)).toEqual([[recordId, 'left out; cannot be read: PharmaWA']])
  })

  it.each(['deleted_at = now()', 'is_active = false'])(
    'is all of the one that is left once the other has %s',
    async (gone) => {
      const anna = await addPharmacy('Farmacia Sant’Anna')
      const unnamed = [put({}), put({})].map(({ recordId }) => recordId)
      await read(marco)
      expect(await asideOf(marco)).toHaveLength(2)
      await database.pool.query(`update pharmacies set ${gone} where id = $1`, [anna])
      await read(marco)
      expect(await idsOf(marco)).toEqual(unnamed)
      expect(await asideOf(marco)).toEqual([])
    },
  )

  it('does not bother one with the broken cells of the other', async () => {
    const anna = await addPharmacy('Farmacia Sant’Anna')
    const { recordId } = put({ pharmaWa: 'Farmacia San Marco' })
    source.unreadable = [{ recordId, reason: 'kept; cannot be read: Last' }]
    await read(marco)
    await read(anna)
    expect(await asideOf(marco)).toHaveLength(1)
    expect(await asideOf(anna)).toEqual([])
  })

  it('takes a change of an order that has become the other’s for one of an order that is gone', async () => {
    await addPharmacy('Farmacia Sant’Anna')
    const order = put({ pharmaWa: 'Farmacia San Marco' })
    await read(marco)
    const change = await recordChange(database, marco, order.recordId, 'Annullato')
    put({ ...order, pharmaWa: "Farmacia Sant'Anna" })
    // The push starts after the reading, which leaves the order to it.
    const release = source.hold('looking')
    await read(marco)
    expect(await idsOf(marco)).toEqual([order.recordId])
    release()
    expect(await process.push.push(marco, change?.orderId ?? '')).toMatch(/gone|nothing|elsewhere/)
    await expect.poll(() => idsOf(marco)).toEqual([])
    expect(source.writes).toEqual([])
  })
})

describe('a table that one pharmacy has for itself', () => {
  it('is all its own, whomever its orders name', async () => {
    const order = put({ pharmaWa: 'Farmacia Rialto' })
    await read(marco)
    expect(await idsOf(marco)).toEqual([order.recordId])
    expect(await asideOf(marco)).toEqual([])
  })
})

describe('a record that cannot be understood', () => {
  const reason = 'left out; cannot be read: createdTime'

  it('is set aside, stops no other, and is told once', async () => {
    source.unreadable = [{ recordId: 'recBROKEN00000001', reason }]
    const { recordId } = put({})
    await read(marco)
    await read(marco)
    expect(await idsOf(marco)).toEqual([recordId])
    expect(await asideOf(marco)).toEqual([['recBROKEN00000001', reason]])
    expect(process.complaints).toEqual([
      {
        message: 'some orders could not be understood',
        details: { pharmacyId: marco, unreadable: [{ recordId: 'recBROKEN00000001', reason }] },
      },
    ])
  })

  it('is told again when something else is wrong with it', async () => {
    const { recordId } = put({})
    source.unreadable = [{ recordId, reason: 'kept; cannot be read: Last' }]
    await read(marco)
    source.unreadable = [{ recordId, reason: 'kept; cannot be read: Image' }]
    await read(marco)
    expect(process.complaints).toHaveLength(2)
    expect(await asideOf(marco)).toEqual([[recordId, 'kept; cannot be read: Image']])
  })

  it('is not set aside any more once it is read well', async () => {
    const { recordId } = put({})
    source.unreadable = [{ recordId, reason: 'kept; cannot be read: Last' }]
    await read(marco)
    expect(await asideOf(marco)).toHaveLength(1)
    source.unreadable = []
    put({ ...source.records.get(recordId) })
    await read(marco)
    expect(await asideOf(marco)).toEqual([])
  })

  it('nor known by an id is told once, too', async () => {
    source.unreadable = [{ recordId: null, reason }]
    await read(marco)
    await read(marco)
    expect(await asideOf(marco)).toEqual([])
    expect(process.complaints).toHaveLength(1)
  })

  it('may be there twice in a page', async () => {
    const twice = { recordId: 'recBROKEN00000001', reason }
    source.unreadable = [twice, twice]
    expect(await read(marco)).toBe('fresh')
    expect(await asideOf(marco)).toHaveLength(1)
  })
})

describe('the columns of a table', () => {
  const missing = async () =>
    (await createOrdersStore(database.db).stateOfCopy(marco)).copied.missingColumns

  it('are known after a reading, whatever changed', async () => {
    put({})
    await read(marco)
    expect(await missing()).toEqual([])
    source.missing = ['Last', 'Image']
    await read(marco)
    expect(await missing()).toEqual(['Last', 'Image'])
    source.missing = []
    await read(marco)
    expect(await missing()).toEqual([])
  })

  it('that are back are read again of every order', async () => {
    const { recordId, ...order } = put({})
    put({ updatedAt: new Date().toISOString() })
    put({ ...order, recordId, address: null })
    source.missing = ['Indirizzo']
    await read(marco)
    put({ ...order, recordId })
    source.missing = []
    await read(marco)
    await read(marco)
    expect(source.readings.at(-1)).toBeNull()
    const { records: page } = await createOrdersStore(database.db).listAfter(marco, null, 10)
    expect(page.find(({ id }) => id === recordId)?.fields.Indirizzo).toBe(order.address)
    await read(marco)
    expect(source.readings.at(-1)).not.toBeNull()
  })
})

describe('a blank row', () => {
  it('is no new order until it has content, and one that is emptied stays', async () => {
    put({})
    await read(marco)
    const at = () => new Date().toISOString()
    const row = put({ isBlank: true, customerName: null, createdAt: at(), updatedAt: at() })
    await read(marco)
    expect(await idsOf(marco)).not.toContain(row.recordId)
    expect((await createOrdersStore(database.db).state(marco)).unseen).toBe(0)
    const { isBlank, ...filled } = row
    expect(isBlank).toBe(true)
    put({ ...filled, customerName: 'Anna', updatedAt: at() })
    await read(marco)
    expect(await idsOf(marco)).toContain(row.recordId)
    expect((await createOrdersStore(database.db).state(marco)).unseen).toBe(1)
    put({ ...row, updatedAt: at() })
    await read(marco)
    expect(await idsOf(marco)).toContain(row.recordId)
  })

  it('in a table of several pharmacies is no record without a pharmacy', async () => {
    await addPharmacy('Farmacia Sant’Anna')
    put({ isBlank: true })
    await read(marco)
    expect(await asideOf(marco)).toEqual([])
  })
})

describe('what the store does not tell', () => {
  const unknown = [
    'orderNumber',
    'waId',
    'customerName',
    'customerPhone',
    'address',
    'details',
    'status',
    'image',
    'pharmaWa',
    'createdAt',
    'updatedAt',
  ] as const satisfies OrderField[]
  const untold = {
    orderNumber: null,
    waId: null,
    customerName: null,
    customerPhone: null,
    address: null,
    details: null,
    status: null,
    image: null,
    pharmaWa: null,
    updatedAt: '2026-11-01T10:00:00.000Z',
  }
  const columns = `order_number, wa_id, customer_name, customer_phone, address, order_details, status,
    image_url, image_ref, pharma_wa, airtable_created, airtable_last, seen_at`
  const rowOf = async (recordId: string) => {
    const { rows } = await database.pool.query<Record<string, unknown>>(
      `select ${columns} from pharmacy_orders where airtable_order_id = $1`,
      [recordId],
    )
    return rows[0]
  }
  const full = {
    waId: 'wa-1',
    status: 'Prenotato Domani',
    image: { url: 'https://example.org/1.jpg', ref: 'att1' },
    pharmaWa: '39011',
  }

  it('stays as it was, of every column, and is as in the store once it is told again', async () => {
    const order = put(full)
    const other = put({})
    await read(marco)
    const before = await rowOf(order.recordId)
    expect(before).toMatchObject({ status: 'Prenotato Domani', image_ref: 'att1' })
    put({ ...order, ...untold, unknown })
    put({ ...other, address: 'Via Nuova 2' })
    await read(marco)
    expect(await rowOf(order.recordId)).toEqual(before)
    expect(await rowOf(other.recordId)).toMatchObject({ address: 'Via Nuova 2' })
    // Told again: all of it was emptied.
    put({ ...order, ...untold })
    await read(marco)
    expect(await rowOf(order.recordId)).toMatchObject({ status: 'In attesa', address: null })
  })

  it.each(unknown)('is the %s alone, where that is the only one', async (field) => {
    const order = put(full)
    const alike = put({ ...full, ...untold, [field]: order[field], createdAt: order.createdAt })
    await read(marco)
    put({ ...order, ...untold, unknown: [field] })
    await read(marco)
    // As a record that has this field only.
    expect(await rowOf(order.recordId)).toEqual(await rowOf(alike.recordId))
  })

  it('is no status to compare with: a change waits until the store tells it', async () => {
    const order = put({})
    await read(marco)
    put({ ...order, status: null, unknown: ['status'] })
    const change = await recordChange(database, marco, order.recordId, 'Annullato')
    const pushed = () => process.push.push(marco, change?.orderId ?? '')
    // One after the reading may have begun already.
    await vi.waitFor(async () => expect(await pushed()).toBe('denied'))
    await read(marco)
    expect((await statuses())[order.recordId]).toBe('Annullato')
    expect(source.writes).toEqual([])
    put(order)
    await vi.waitFor(async () => {
      await pushed()
      expect(source.writes).toMatchObject([{ status: 'Annullato' }])
    })
  })
})

const pharmacyHas = (columns: string) =>
  database.pool.query(`update pharmacies set ${columns} where id = $1`, [marco])

async function statuses(): Promise<Record<string, string | undefined>> {
  const { records: page } = await createOrdersStore(database.db).listAfter(marco, null, 100)
  return Object.fromEntries(page.map(({ id, fields }) => [id, fields.Stato]))
}

const stored = () =>
  Object.fromEntries([...source.records.values()].map((one) => [one.recordId, one.status]))

const firstId = () => [...source.records.keys()][0] ?? ''

describe('a pharmacy that goes back to its store', () => {
  const changeFirst = () => {
    const change = { recordId: firstId(), Stato: 'Annullato' } as const
    return createOrderChangesStore(database.db, noHooks).change(marco, [change], somebody, false)
  }

  beforeEach(async () => {
    for (let index = 0; index < 2; index += 1) put({})
    // A later one, so that the next readings do not go back to the others.
    put({ updatedAt: new Date().toISOString() })
    await read(marco)
  })

  it('after it had none has what the store has', async () => {
    await pharmacyHas('airtable_base_id = null')
    await changeFirst()
    expect(await statuses()).not.toEqual(stored())
    await database.pool.query('update pharmacies set airtable_base_id = $2 where id = $1', [
      marco,
      location.baseId,
    ])
    await read(marco)
    expect(await statuses()).toEqual(stored())
  })

  it('from our database sends what was changed here meanwhile', async () => {
    const there = [...source.records.values()][1]
    await pharmacyHas("orders_phase = 'retired'")
    await changeFirst()
    if (there) put({ ...there, status: 'Confermato' })
    await pharmacyHas("orders_phase = 'airtable'")
    await read(marco)
    await vi.waitFor(async () => expect(await statuses()).toEqual(stored()))
    expect(stored()).toMatchObject({
      [firstId()]: 'Annullato',
      [there?.recordId ?? '']: 'Confermato',
    })
  })

  it('has it also where a change was on its way to the store', async () => {
    const change = await recordChange(database, marco, firstId(), 'Annullato')
    await pharmacyHas("orders_phase = 'retired'")
    expect(await process.push.push(marco, change?.orderId ?? '')).toBe('done')
    expect((await statuses())[firstId()]).toBe('Annullato')
    await pharmacyHas("orders_phase = 'airtable'")
    await read(marco)
    expect(await statuses()).toEqual(stored())
  })
})

describe('a pharmacy that gets another table', () => {
  it('has the orders of that one alone, once it is read and swept', async () => {
    const moved = newLocation()
    put({})
    await read(marco)
    source.records.clear()
    put({})
    await database.pool.query("update pharmacy_orders set created_at = now() - interval '1 minute'")
    await process.copy.ensureFresh(marco, moved)
    process.sweep.sweepIfDue(marco, moved)
    await process.sweep.settled()
    expect(await statuses()).toEqual(stored())
    expect((await createOrdersStore(database.db).state(marco)).unseen).toBe(0)
  })
})
