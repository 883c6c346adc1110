import { describe, expect, it } from 'vitest'
import {
  addOrders,
  ask,
  BASE,
  createClock,
  officialTable,
  STOCK,
  start,
  TABLE,
} from '../../test/start.ts'

async function startWithOrders(customers: string[]) {
  const clock = createClock()
  const airtable = await start({ now: clock.now })
  const ids = addOrders(airtable, customers)
  return { airtable, clock, ids, orders: officialTable(airtable) }
}

describe('finding', () => {
  it('reaches a table whose name has to be encoded, in all ways', async () => {
    const airtable = await start()
    const stock = officialTable(airtable, { table: STOCK.name })
    const added = await stock.create({ Nome: 'Garze', Pezzi: 3 })
    await stock.update(added.id, { Pezzi: 4 })
    expect((await stock.find(added.id)).fields).toEqual({ Nome: 'Garze', Pezzi: 4 })
    expect(await stock.select({ filterByFormula: "{Pezzi} = '4'" }).all()).toHaveLength(1)
    await stock.destroy(added.id)
    expect(airtable.all(BASE, STOCK.id)).toEqual([])
  })
})

describe('creating', () => {
  it('makes one record, with what the table fills in by itself', async () => {
    const { orders, clock } = await startWithOrders(['Anna'])
    clock.move(1500)
    const added = await orders.create({ Cliente: 'Niccolò', Ordine: 'Tachipirina\nGrazie 🙏' })
    expect(added.id).toMatch(/^rec[A-Za-z0-9]{14}$/)
    expect(added.fields).toEqual({
      'ID Ordine': 2,
      Cliente: 'Niccolò',
      Ordine: 'Tachipirina\nGrazie 🙏',
      Created: '2026-03-01T09:00:01.500Z',
      Last: '2026-03-01T09:00:01.500Z',
    })
    expect((await orders.find(added.id)).fields).toEqual(added.fields)
  })

  it('leaves out what is empty: null, no text, no attachment', async () => {
    const airtable = await start()
    const stock = officialTable(airtable, { table: STOCK.id })
    const added = await stock.create({ Nome: '', Foto: [] })
    expect(added.fields).toEqual({})
    const reply = await ask(airtable, `/v0/${BASE}/${STOCK.id}`, {
      method: 'POST',
      body: '{"fields":{"Nome":null,"Pezzi":0}}',
    })
    expect(reply).toMatchObject({ status: 200, body: { fields: { Pezzi: 0 } } })
    expect(reply.body).not.toHaveProperty('fields.Nome')
  })
})

describe('changing', () => {
  it('PATCH keeps what is not named', async () => {
    const { orders, clock, ids } = await startWithOrders(['Anna'])
    clock.move(60_000)
    const changed = await orders.update(ids[0] ?? '', { Stato: 'Confermato' })
    expect(changed.fields).toEqual({
      'ID Ordine': 1,
      Cliente: 'Anna',
      Stato: 'Confermato',
      Created: '1970-01-01T00:00:00.000Z',
      Last: '2026-03-01T09:01:00.000Z',
    })
    expect((await orders.find(ids[0] ?? '')).fields).toEqual(changed.fields)
  })
})

it('keeps the bases apart, though their tables have the same id and name', async () => {
  const { airtable, ids } = await startWithOrders(['Anna'])
  const other = officialTable(airtable, { base: 'appTest0000000002', table: 'Ordini' })
  expect(await other.select().all()).toEqual([])
  await other.create({ Cliente: 'Bruno' })
  expect(airtable.all(BASE, TABLE).map(({ id }) => id)).toEqual(ids)
})
