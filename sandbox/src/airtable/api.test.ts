import { describe, expect, it } from 'vitest'
import {
  addOrders,
  ask,
  BASE,
  createClock,
  officialTable,
  refusalOf,
  STOCK,
  start,
  TABLE,
} from '../../test/start.ts'

const TEN = Array.from({ length: 10 }, (_, index) => `Cliente ${index + 1}`)

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
    expect(await stock.select({ filterByFormula: '{Pezzi} = 4' }).all()).toHaveLength(1)
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

  it('makes ten records at once, in their order', async () => {
    const { orders, airtable } = await startWithOrders([])
    const added = await orders.create(TEN.map((Cliente) => ({ fields: { Cliente } })))
    expect(added.map((record) => record.get('Cliente'))).toEqual(TEN)
    expect(new Set(added.map((record) => record.id)).size).toBe(10)
    expect(airtable.all(BASE, TABLE).map(({ fields }) => fields['ID Ordine'])).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
    ])
  })

  it('makes none of several when one is refused', async () => {
    const { orders, airtable } = await startWithOrders([])
    const good = { fields: { Cliente: 'Anna' } }
    const refusal = await refusalOf(orders.create([good, { fields: { Stato: 'Perso' } }]))
    expect(refusal.statusCode).toBe(422)
    expect(airtable.all(BASE, TABLE)).toEqual([])
    expect((await orders.create({ Cliente: 'Bruno' })).get('ID Ordine')).toBe(1)
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

  it('PUT clears what is not named, save what the table fills in', async () => {
    const { orders, ids } = await startWithOrders(['Anna'])
    const changed = await orders.replace(ids[0] ?? '', { Stato: 'Annullato' })
    expect(changed.fields).toEqual({
      'ID Ordine': 1,
      Stato: 'Annullato',
      Created: '1970-01-01T00:00:00.000Z',
      Last: '2026-03-01T09:00:00.000Z',
    })
  })

  it('PATCH changes ten records at once', async () => {
    const { orders, airtable, ids } = await startWithOrders(TEN)
    const changes = ids.map((id) => ({ id, fields: { Stato: 'Confermato' } }))
    const changed = await orders.update(changes)
    expect(changed.map((record) => record.id)).toEqual(ids)
    const all = airtable.all(BASE, TABLE)
    expect(all.map(({ fields }) => fields['Stato'])).toEqual(TEN.map(() => 'Confermato'))
    expect(all.map(({ fields }) => fields['Cliente'])).toEqual(TEN)
  })

  it('changes none of several when one is refused', async () => {
    const { orders, airtable, ids } = await startWithOrders(['Anna', 'Bruno'])
    const before = airtable.all(BASE, TABLE)
    const [id = ''] = ids
    const missing = { id: 'recNobody00000000', fields: { Cliente: 'Y' } }
    await refusalOf(orders.update([{ id, fields: { Cliente: 'X' } }, missing]))
    const wrong = { id: ids[1] ?? '', fields: { Telefono: 'Y' } }
    await refusalOf(orders.update([{ id, fields: { Cliente: 'X' } }, wrong]))
    expect(airtable.all(BASE, TABLE)).toEqual(before)
  })
})

describe('deleting', () => {
  it('removes ten records at once', async () => {
    const { orders, airtable, ids } = await startWithOrders([...TEN, 'Anna'])
    const gone = await orders.destroy(ids.slice(0, 10))
    expect(gone.map((record) => record.id)).toEqual(ids.slice(0, 10))
    expect(airtable.all(BASE, TABLE).map(({ fields }) => fields['Cliente'])).toEqual(['Anna'])
  })

  it('removes none of several when one is not there', async () => {
    const { orders, airtable, ids } = await startWithOrders(['Anna', 'Bruno'])
    const refusal = await refusalOf(orders.destroy([...ids, 'recNobody00000000']))
    expect(refusal).toMatchObject({ statusCode: 422, error: 'ROW_DOES_NOT_EXIST' })
    expect(airtable.all(BASE, TABLE)).toHaveLength(2)
  })
})

it('keeps the bases apart, though their tables have the same id and name', async () => {
  const { airtable, ids } = await startWithOrders(['Anna'])
  const other = officialTable(airtable, { base: 'appTest0000000002', table: 'Ordini' })
  expect(await other.select().all()).toEqual([])
  await other.create({ Cliente: 'Bruno' })
  expect(airtable.all(BASE, TABLE).map(({ id }) => id)).toEqual(ids)
})
