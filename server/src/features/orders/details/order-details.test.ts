import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, detailsOf } from '../../../../test/details-server.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { createOrderCopyStore } from '../copy/order-copy.store.ts'

let server: TestServer
let pharmacyId: string
let counter: Caller
let office: Caller
let other: Caller
let order: SourceOrder

beforeAll(async () => {
  server = await testServer()
  pharmacyId = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
  await server.addPharmacy({ email: 'other@example.it', code: 'PHARM-0002' })
  counter = await server.signIn('own@example.it')
  office = await server.signIn('own@example.it')
  other = await server.signIn('other@example.it')
})

beforeEach(async () => {
  order = sourceOrder()
  await save(order)
})

function save(...orders: SourceOrder[]) {
  const store = createOrderCopyStore(server.database.db)
  return store.saveOrders(pharmacyId, orders, new Date().toISOString())
}

const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)

async function change(headers: Caller, Stato: string): Promise<void> {
  const url = `/api/airtable-orders/${order.recordId}`
  const payload = { fields: { Stato } }
  const reply = await server.app.inject({ method: 'PATCH', url, headers, payload })
  expect(reply.statusCode, reply.body).toBe(200)
}

const details = (headers = counter, recordId = order.recordId) =>
  detailsOf(server, recordId, headers)

describe('the details of an order', () => {
  it('are the order, and how it came in', async () => {
    expect(await details()).toMatchObject({
      order: { id: order.recordId, fields: { Cliente: 'Giulia Bianchi', Stato: 'In attesa' } },
      history: [{ kind: 'received', source: 'system', at: order.createdAt, who: null }],
      notes: [],
    })
  })

  it('tell who changed it, and from which screen', async () => {
    await change(counter, 'Confermato')
    await change(office, 'Annullato')
    const who = async (headers: Caller) =>
      (await details(headers)).history.map((entry) => [entry.from, entry.to, entry.who])
    const mine = { name: 'Farmacia PHARM-0001', you: true, here: true }
    expect(await who(counter)).toEqual([
      ['Confermato', 'Annullato', { ...mine, here: false }],
      ['In attesa', 'Confermato', mine],
      [null, null, null],
    ])
    expect((await who(office))[0]?.[2]).toEqual(mine)
  })

  it('tell what was changed in the store, by the names of its columns alone', async () => {
    await save({ ...order, status: 'Confermato', address: 'Via Nuova 2', details: null })
    await save({ ...order, status: 'Confermato', updatedAt: new Date().toISOString() })
    const { history } = await details()
    expect(history.map(({ kind, source, columns }) => [kind, source, columns])).toEqual([
      ['content', 'airtable', ['Indirizzo', 'Ordine']],
      ['content', 'airtable', ['Indirizzo', 'Ordine']],
      ['status', 'airtable', []],
      ['received', 'system', []],
    ])
  })

  it('say nothing of a change that is none: when it was last changed, or where its picture is', async () => {
    const image = (url: string, ref: string) => ({ image: { url, ref } })
    await save({ ...order, ...image('https://pictures.example.it/1', 'attA') })
    await save({
      ...order,
      ...image('https://pictures.example.it/2', 'attA'),
      updatedAt: new Date().toISOString(),
    })
    const kinds = async () => (await details()).history.map((entry) => entry.columns)
    expect(await kinds()).toEqual([['Image'], []])
    await save({ ...order, ...image('https://pictures.example.it/3', 'attB') })
    expect(await kinds()).toEqual([['Image'], ['Image'], []])
  })

  it('say nothing of what is done to an order without changing it', async () => {
    const { recordId } = order
    const seen = {
      method: 'POST' as const,
      url: '/api/orders/seen',
      payload: { recordIds: [recordId] },
    }
    await server.app.inject({ ...seen, headers: counter })
    await query(
      'update pharmacy_orders set image_kept = true where airtable_order_id = $1',
      recordId,
    )
    expect((await details()).history).toHaveLength(1)
  })

  it('tell who made an order that was made here', async () => {
    const made = 'update pharmacy_orders set origin = $2, made_by = $3 where airtable_order_id = $1'
    await query(made, order.recordId, 'person', pharmacyId)
    expect((await details()).history[0]).toMatchObject({
      source: 'person',
      who: { name: 'Farmacia PHARM-0001', you: true, here: false },
    })
    const { rows } = await server.database.pool.query<{ id: string }>(
      `insert into api_keys (pharmacy_id, name, start, key_hash, revoked_at)
       values ($1, 'Sito', 'bnc_', $2, now()) returning id`,
      [pharmacyId, Buffer.from(order.recordId)],
    )
    await query(made, order.recordId, 'api', rows[0]?.id)
    expect((await details()).history[0]).toMatchObject({
      source: 'api',
      who: { name: 'Sito', you: false, here: false },
    })
  })

  it('call a person by the name they gave themselves, and not at all when they are gone', async () => {
    await change(counter, 'Confermato')
    const name = async () => (await details()).history[0]?.who?.name
    const set = 'update auth_users set user_metadata = $2 where id = $1'
    await query(set, pharmacyId, { name: 'Anna' })
    expect(await name()).toBe('Anna')
    await query(set, pharmacyId, { name: 'Anna', full_name: ' Anna Rossi ' })
    expect(await name()).toBe('Anna Rossi')
    await query(set, pharmacyId, { full_name: '  ' })
    expect(await name()).toBe('Farmacia PHARM-0001')
    await query("update order_events set user_id = gen_random_uuid() where kind = 'status'")
    expect((await details()).history[0]).toMatchObject({ source: 'person', who: null })
  })

  it('are kept when the order is gone and comes back', async () => {
    await change(counter, 'Confermato')
    await query('delete from pharmacy_orders where airtable_order_id = $1', order.recordId)
    const gone = await server.app.inject({ url: `/api/orders/${order.recordId}`, headers: counter })
    expect([gone.statusCode, gone.json<{ code: string }>().code]).toEqual([404, 'orders.not_found'])
    await save(order)
    expect((await details()).history.map((entry) => entry.kind)).toEqual(['status', 'received'])
  })

  it('name the other orders of the same telephone number, however it was typed', async () => {
    const phone = `347 ${order.recordId.slice(-7)}`
    await save({ ...order, customerPhone: phone })
    expect((await details()).earlier).toEqual({ count: 0, records: [] })
    const others = Array.from({ length: 12 }, () =>
      sourceOrder({ customerPhone: `+39${phone.replace(' ', '')}` }),
    )
    await save(...others, sourceOrder({ customerPhone: '041 555 0000' }))
    const { count, records } = (await details()).earlier
    expect(count).toBe(12)
    expect(records.map((record) => record.id)).toEqual(
      others
        .slice(-10)
        .map(({ recordId }) => recordId)
        .toReversed(),
    )
    expect((await details(counter, others[0]?.recordId)).earlier.count).toBe(12)
  })

  it('are found by the id that the order had before', async () => {
    await query(
      "insert into order_aliases (pharmacy_id, alias, record_id) values ($1, 'recBEFORE', $2)",
      pharmacyId,
      order.recordId,
    )
    expect((await details(counter, 'recBEFORE')).order.id).toBe(order.recordId)
  })

  it('are not for other pharmacies', async () => {
    for (const recordId of [order.recordId, 'recBEFORE']) {
      const reply = await server.app.inject({ url: `/api/orders/${recordId}`, headers: other })
      expect(reply.statusCode).toBe(404)
    }
  })
})
