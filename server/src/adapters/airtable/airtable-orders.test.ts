import type { AirtableSandbox } from '@bancone/sandbox/airtable'
import { ordersTable, type TableSchema } from '@bancone/sandbox/airtable/schema'
import { describe, expect, it } from 'vitest'
import { airtableAdapter, baseId, location, tableId } from '../../../test/airtable-adapter.ts'
import type { SourceOrder, SourcePage, UnreadableOrder } from '../../ports/order-source.ts'

const NINE = Date.parse('2026-03-01T09:00:00.000Z')
const MINUTE = 60_000
const at = (minutes: number) => new Date(NINE + minutes * MINUTE).toISOString()

type StartOptions = { table?: TableSchema; offsetLifetimeMs?: number }

/** A base with one table of orders, a fixed clock, and the adapter that reads it. */
async function start(options: StartOptions = {}) {
  const clock = { time: NINE }
  const { airtable, source, ...base } = await airtableAdapter({ now: () => clock.time, ...options })
  const add = (fields: Record<string, unknown>, minutes = 0) =>
    base.add(fields, NINE + minutes * MINUTE)
  return { airtable, source, clock, add }
}

async function all(pages: AsyncIterable<SourcePage>) {
  const orders: SourceOrder[] = []
  const unreadable: UnreadableOrder[] = []
  const sizes: number[] = []
  for await (const page of pages) {
    orders.push(...page.orders)
    unreadable.push(...page.unreadable)
    sizes.push(page.orders.length)
  }
  return { orders, unreadable, sizes }
}

const idsOf = (orders: SourceOrder[]) => orders.map((order) => order.recordId)
const idsIn = (airtable: AirtableSandbox) => airtable.all(baseId, tableId).map(({ id }) => id)

function addMany(airtable: AirtableSandbox, count: number) {
  const records = Array.from({ length: count }, (_, n) => ({ fields: { Cliente: `Cliente ${n}` } }))
  airtable.create(baseId, tableId, records)
}

describe('the whole table', () => {
  it('of 250 orders is read in three pages, each order once', async () => {
    const { airtable, source } = await start()
    addMany(airtable, 250)
    const { orders, unreadable, sizes } = await all(source.readChanged(location, null))
    expect(sizes).toEqual([100, 100, 50])
    expect(idsOf(orders)).toEqual(idsIn(airtable))
    expect(new Set(idsOf(orders)).size).toBe(250)
    expect(unreadable).toEqual([])
    expect(airtable.requests()).toMatchObject({ total: 3, byMethod: { GET: 3 } })
  })

  it('that is empty is one empty page', async () => {
    const { source } = await start()
    expect(await all(source.readChanged(location, null))).toMatchObject({ sizes: [0] })
  })

  it.each(['Ordini', 'Ordini di città/2026?#%', '../Ordini'])(
    'is found by its name too: %s',
    async (name) => {
      const { source, add } = await start({ table: { ...ordersTable(tableId), name } })
      const id = add({ Cliente: 'Anna' })
      const { orders } = await all(source.readChanged({ baseId, tableId: name }, null))
      expect(idsOf(orders)).toEqual([id])
    },
  )

  it('is read no further than the page that was taken', async () => {
    const { airtable, source } = await start()
    addMany(airtable, 250)
    for await (const page of source.readChanged(location, null)) {
      expect(page.orders).toHaveLength(100)
      break
    }
    expect(airtable.requests().total).toBe(1)
  })

  it('gives each order with its columns', async () => {
    const { source, add } = await start()
    const recordId = add({
      'ID WA': 'wa-7',
      Cliente: 'Anna',
      'Phone Number': '+39 333 7',
      Ordine: 'Aspirina',
      Indirizzo: 'Via Po 7',
      Stato: 'Confermato',
      Image: 'https://example.org/7.jpg',
      PharmaWA: '39011',
    })
    const { orders } = await all(source.readChanged(location, null))
    expect(orders).toEqual([
      {
        recordId,
        orderNumber: '1',
        waId: 'wa-7',
        customerName: 'Anna',
        customerPhone: '+39 333 7',
        address: 'Via Po 7',
        details: 'Aspirina',
        status: 'Confermato',
        image: { url: 'https://example.org/7.jpg', ref: 'https://example.org/7.jpg' },
        pharmaWa: '39011',
        createdAt: at(0),
        updatedAt: at(0),
      },
    ])
  })

  it.each([
    { column: 'ID Ordine', kind: 'text', value: 'A-12', number: 'A-12' },
    { column: 'ID Ordine', kind: 'number', value: 12, number: '12' },
    { column: 'ID_Ordine', kind: 'text', value: 'A-12', number: 'A-12' },
    { column: 'ID_Ordine', kind: 'number', value: 12, number: '12' },
  ] as const)(
    'may hold the number in $column as $kind',
    async ({ column, kind, value, number }) => {
      const table = ordersTable(tableId, { 'ID Ordine': { kind: 'text' }, [column]: { kind } })
      const { source, add } = await start({ table })
      add({ [column]: value })
      const { orders } = await all(source.readChanged(location, null))
      expect(orders).toMatchObject([{ orderNumber: number }])
    },
  )

  it('may hold pictures as attachments', async () => {
    const table = ordersTable(tableId, { Image: { kind: 'attachments' } })
    const { source, add } = await start({ table })
    add({ Image: [{ id: 'att1', url: 'https://example.org/a.jpg' }, { url: 'https://x.it/b' }] })
    const { orders } = await all(source.readChanged(location, null))
    const ref = 'att1 https://x.it/b'
    expect(orders).toMatchObject([{ image: { url: 'https://example.org/a.jpg', ref } }])
  })

  it('may have broken cells and records, which stop no other', async () => {
    const table = ordersTable(tableId, { Cliente: { kind: 'attachments' }, Last: { kind: 'text' } })
    const { source, add } = await start({ table })
    const lookup = add({ Cliente: ['Anna', 'Bruno'], Last: at(5) })
    const box = add({ Cliente: [true], Indirizzo: 'Via Po 1', Last: 'ieri' })
    const old = add({ Cliente: ['Carla'] }, (Date.UTC(1800, 0) - NINE) / MINUTE)
    const sound = add({ Cliente: ['Dario'] }, 1)
    const { orders, unreadable } = await all(source.readChanged(location, null))
    expect(orders).toMatchObject([
      { recordId: lookup, customerName: 'Anna, Bruno', updatedAt: at(5) },
      { recordId: box, customerName: null, address: 'Via Po 1', updatedAt: at(0) },
      { recordId: sound, customerName: 'Dario', updatedAt: at(1) },
    ])
    expect(unreadable).toEqual([
      { recordId: box, reason: 'kept; cannot be read: Cliente, Last' },
      { recordId: old, reason: 'left out; cannot be read: createdTime' },
    ])
  })
})

describe('what changed since a moment', () => {
  it('is what was changed or came after it', async () => {
    const { airtable, source, clock, add } = await start()
    const [, changed, same] = [add({ Cliente: 'A' }), add({ Cliente: 'B' }), add({ Cliente: 'C' })]
    clock.time = NINE + 10 * MINUTE
    airtable.update(baseId, tableId, changed, { Stato: 'Annullato' })
    const fresh = add({ Cliente: 'D' }, 10)
    const read = async (since: string) => {
      const { orders } = await all(source.readChanged(location, since))
      return [...new Set(idsOf(orders))]
    }
    expect(await read(at(5))).toEqual([changed, fresh])
    expect(await read('2026-03-01T10:05:00+01:00')).toEqual([changed, fresh])
    expect(await read(at(10))).toEqual([])
    expect(await read(at(-1))).toContain(same)
  })

  it('is read by pages too', async () => {
    const { airtable, source, clock } = await start()
    addMany(airtable, 120)
    const old = idsIn(airtable)
    clock.time = NINE + 10 * MINUTE
    for (const id of old.slice(0, 110)) airtable.update(baseId, tableId, id, { Stato: 'Annullato' })
    const { orders } = await all(source.readChanged(location, at(5)))
    expect(idsOf(orders)).toEqual(old.slice(0, 110))
  })
})

describe('a list that expires in the middle', () => {
  it('is begun anew, and then has every order', async () => {
    const { airtable, source, clock } = await start({ offsetLifetimeMs: 1000 })
    addMany(airtable, 250)
    const read: string[] = []
    let pages = 0
    for await (const page of source.readChanged(location, null)) {
      read.push(...idsOf(page.orders))
      pages += 1
      if (pages === 2) clock.time += 1001
    }
    const ids = idsIn(airtable)
    expect(read).toEqual([...ids.slice(0, 200), ...ids])
    expect(airtable.requests().total).toBe(6)
  })

  it('each time is given up, and may pass', async () => {
    const { airtable, source } = await start({ offsetLifetimeMs: -1 })
    addMany(airtable, 101)
    await expect(all(source.readChanged(location, null))).rejects.toMatchObject({
      name: 'SourceError',
      kind: 'unreachable',
    })
    // A page and a refusal, four times.
    expect(airtable.requests().total).toBe(8)
  })
})

describe('a status', () => {
  it('is written to its order alone, and nothing else is', async () => {
    const { airtable, source, clock, add } = await start()
    const id = add({ Cliente: 'Anna', Stato: 'In attesa' })
    add({ Cliente: 'Bruno', Stato: 'In attesa' })
    const [before, other] = airtable.all(baseId, tableId)
    clock.time = NINE + 3 * MINUTE
    const order = await source.setStatus(location, id, 'Prenotato in Giornata')
    expect(order).toMatchObject({
      recordId: id,
      customerName: 'Anna',
      status: 'Prenotato in Giornata',
      createdAt: at(0),
      updatedAt: at(3),
    })
    const changed = { Stato: 'Prenotato in Giornata', Last: at(3) }
    expect(airtable.all(baseId, tableId)).toEqual([
      { ...before, fields: { ...before?.fields, ...changed } },
      other,
    ])
    expect(airtable.requests()).toMatchObject({ total: 1, byMethod: { PATCH: 1 } })
  })
})
