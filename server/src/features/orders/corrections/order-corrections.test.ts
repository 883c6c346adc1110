import { ErrorBody } from '@bancone/contract/errors'
import type { OrderDetails } from '@bancone/contract/order-details'
import type { OrderRecord } from '@bancone/contract/orders'
import { startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestServer, testServer } from '../../../../test/server.ts'

const tableId = 'tblTyped000000001'
const baseId = 'appTyped000000001'

type Headers = { authorization: string }

let server: TestServer
let airtable: Awaited<ReturnType<typeof startAirtable>>
let here: Headers
let onAirtable: Headers
let pharmacyId: string

beforeAll(async () => {
  airtable = await startAirtable({
    bases: { [baseId]: [ordersTable(tableId)] },
    requestsPerSecond: 10_000,
  })
  server = await testServer({
    airtable: {
      apiUrl: airtable.url,
      token: airtable.token,
      perSecond: 1_000,
      perSecondOfUser: 1_000,
      pauseMs: 1,
      retryMs: 1,
      timeLimitMs: 400,
    },
    timing: { pushTimeoutMs: 1_000, copy: { maxAgeMs: 0, refreshIntervalMs: 0 } },
  })
  const features = ['priority_access']
  pharmacyId = await server.addPharmacy({ email: 'here@example.it', code: 'HERE', features })
  await server.addPharmacy({ email: 'air@example.it', code: 'AIR', airtable: { baseId, tableId } })
  here = await server.signIn('here@example.it')
  onAirtable = await server.signIn('air@example.it')
  return () => airtable.close()
})

beforeEach(async () => {
  airtable.fail({ mode: 'ok' })
  for (const { id } of stored()) airtable.remove(baseId, tableId, id)
  for (const table of ['pharmacy_orders', 'order_events', 'audit_events', 'rate_limits'])
    await sql(`delete from ${table}`)
})

const stored = () => airtable.all(baseId, tableId)

const sql = async (text: string, ...values: unknown[]) =>
  (await server.database.pool.query<object>(text, values)).rows

let keys = 0
const typed = { Cliente: 'Mara Binachi', 'Phone Number': '333 123 4567', Ordine: 'Tachipirina 500' }
const right = {
  Cliente: 'Mara Bianchi',
  'Phone Number': '333 123 4568',
  Ordine: 'Tachipirina 1000',
}

async function create(headers: Headers, fields: object = typed): Promise<OrderRecord> {
  keys += 1
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/orders',
    headers: { ...headers, 'idempotency-key': `correction-${keys}` },
    payload: { fields },
  })
  expect(reply.statusCode, reply.body).toBe(201)
  return reply.json<OrderRecord>()
}

const shown = ({ fields }: OrderRecord) => ({
  'ID Ordine': fields['ID Ordine'] === undefined ? null : String(fields['ID Ordine']),
  Cliente: fields.Cliente ?? null,
  'Phone Number': fields['Phone Number'] ?? null,
  Indirizzo: fields.Indirizzo ?? null,
  Ordine: fields.Ordine ?? null,
})

const ask = (method: 'GET' | 'PATCH' | 'DELETE', id: string, headers: Headers, payload?: object) =>
  server.app.inject({
    method,
    url: `/api/orders/${id}`,
    headers,
    ...(payload && { payload }),
  })

const correct = (order: OrderRecord, headers: Headers, fields: object = right) =>
  ask('PATCH', order.id, headers, { fields, was: shown(order) })

type Reply = Awaited<ReturnType<typeof ask>>
const refusal = (reply: Reply) => [reply.statusCode, ErrorBody.parse(reply.json()).code]
const details = async (id: string, headers: Headers) =>
  (await ask('GET', id, headers)).json<OrderDetails>()

describe.each([
  ['in the database', () => here],
  ['in Airtable', () => onAirtable],
])('an order that was typed in, %s', (_where, caller) => {
  it('is corrected, and the history names who did it', async () => {
    const order = await create(caller())
    const reply = await correct(order, caller())
    expect(reply.statusCode, reply.body).toBe(200)
    expect(reply.json<OrderRecord>()).toMatchObject({
      id: order.id,
      fields: { ...right, 'ID Ordine': order.fields['ID Ordine'], Stato: 'In attesa' },
    })
    const { order: now, history } = await details(order.id, caller())
    expect(now.fields).toMatchObject(right)
    expect(history[0]).toMatchObject({
      kind: 'content',
      source: 'person',
      who: { you: true },
      columns: ['Cliente', 'Phone Number', 'Ordine'],
    })
    for (const q of ['Bianchi', '3331234568']) {
      const payload = { q }
      const url = '/api/orders/search'
      const found = await server.app.inject({ method: 'POST', url, headers: caller(), payload })
      expect(found.json<{ records: OrderRecord[] }>().records).toMatchObject([{ id: order.id }])
    }
  })

  it('loses what is left out, and keeps its status', async () => {
    const order = await create(caller(), { ...typed, Indirizzo: 'Via Roma 1', Stato: 'Confermato' })
    const reply = await correct(order, caller(), { Cliente: 'Mara', Ordine: 'Oki' })
    const { fields } = reply.json<OrderRecord>()
    expect(fields).toMatchObject({ Cliente: 'Mara', Ordine: 'Oki', Stato: 'Confermato' })
    expect(fields['Phone Number'] ?? fields.Indirizzo).toBeUndefined()
  })

  it('is not corrected over what somebody else has corrected', async () => {
    const order = await create(caller())
    await correct(order, caller())
    const reply = await correct(order, caller(), { ...right, Ordine: 'Oki' })
    expect(refusal(reply)).toEqual([409, 'orders.changed_meanwhile'])
  })

  it('is removed, and the audit log says by whom', async () => {
    const order = await create(caller())
    expect((await ask('DELETE', order.id, caller())).statusCode).toBe(200)
    expect(refusal(await ask('GET', order.id, caller()))).toEqual([404, 'orders.not_found'])
    expect(refusal(await ask('DELETE', order.id, caller()))).toEqual([404, 'orders.not_found'])
    expect(stored()).toEqual([])
    const events = await sql(`select actor_id is not null as named from audit_events
      where action = 'order_removed' and outcome = 'done'`)
    expect(events).toEqual([{ named: true }])
    // What reads the store again does not bring it back.
    await server.app.inject({
      method: 'POST',
      url: '/api/airtable-orders/refresh',
      headers: caller(),
    })
    expect(await sql('select from pharmacy_orders')).toEqual([])
  })

  it('is not removed while its data are held', async () => {
    const order = await create(caller())
    const payload = { reason: 'Reclamo' }
    const url = `/api/orders/${order.id}/hold`
    await server.app.inject({ method: 'PUT', url, headers: caller(), payload })
    expect(refusal(await ask('DELETE', order.id, caller()))).toEqual([409, 'orders.held'])
    expect(await sql('select from pharmacy_orders')).toHaveLength(1)
  })

  it('is neither corrected nor removed when it was not typed in', async () => {
    const order = await create(caller())
    await sql("update pharmacy_orders set origin = 'store'")
    expect(refusal(await correct(order, caller()))).toEqual([409, 'orders.not_typed'])
    expect(refusal(await ask('DELETE', order.id, caller()))).toEqual([409, 'orders.not_typed'])
  })
})

describe('in the database', () => {
  it('its number is corrected, unless another order has it', async () => {
    await create(here, { ...typed, 'ID Ordine': '7' })
    const order = await create(here)
    const taken = await correct(order, here, { ...right, 'ID Ordine': '07' })
    expect(refusal(taken)).toEqual([409, 'orders.number_taken'])
    const reply = await correct(order, here, { ...right, 'ID Ordine': '12' })
    expect(reply.json<OrderRecord>().fields['ID Ordine']).toBe(12)
  })

  it('its data are not written again after they were erased', async () => {
    const order = await create(here)
    await sql(`update pharmacy_orders set customer_name = null, customer_phone = null,
      address = null, order_details = null`)
    const reply = await correct(order, here)
    expect(refusal(reply)).toEqual([409, 'orders.customer_erased'])
  })

  it('its open priority session has the corrected telephone number', async () => {
    const order = await create(here)
    const payload = { recordIds: [order.id] }
    await server.app.inject({
      method: 'POST',
      url: '/api/priority-sessions',
      headers: here,
      payload,
    })
    await correct(order, here)
    expect(
      await sql(
        'select user_name, user_phone from priority_access_sessions where pharmacy_id = $1',
        pharmacyId,
      ),
    ).toEqual([{ user_name: 'Mara Bianchi', user_phone: '333 123 4568' }])
  })
})

describe('in Airtable', () => {
  it('nothing is said to be done while Airtable does not answer', async () => {
    const order = await create(onAirtable)
    airtable.fail({ mode: '500' })
    expect(refusal(await correct(order, onAirtable))).toEqual([503, 'orders.not_reached'])
    expect(refusal(await ask('DELETE', order.id, onAirtable))).toEqual([503, 'orders.not_reached'])
    expect((await details(order.id, onAirtable)).order.fields).toMatchObject(typed)
    airtable.fail({ mode: 'refuse-writes' })
    expect(refusal(await correct(order, onAirtable))).toEqual([409, 'orders.source_refused'])
    airtable.fail({ mode: 'ok' })
    const move = "update pharmacies set airtable_table_id = $1 where pharmacy_id = 'AIR'"
    await sql(move, 'tblNone0000000001')
    const reply = await ask('DELETE', order.id, await server.signIn('air@example.it'))
    await sql(move, tableId)
    expect(refusal(reply)).toEqual([409, 'orders.source_refused'])
  })

  it('what was changed there meanwhile is shown, and not written over', async () => {
    const order = await create(onAirtable)
    airtable.update(baseId, tableId, order.id, { Ordine: 'Oki' })
    expect(refusal(await correct(order, onAirtable))).toEqual([409, 'orders.changed_meanwhile'])
    expect((await details(order.id, onAirtable)).order.fields.Ordine).toBe('Oki')
  })

  it('one that never reached it is corrected and removed here, and reaches it as it is then', async () => {
    airtable.fail({ mode: '429' })
    const order = await create(onAirtable)
    const gone = await create(onAirtable, { ...typed, Ordine: 'Oki' })
    expect((await correct(order, onAirtable)).statusCode).toBe(200)
    expect((await ask('DELETE', gone.id, onAirtable)).statusCode).toBe(200)
    airtable.fail({ mode: 'ok' })
    await correct({ ...order, fields: { ...order.fields, ...right } }, onAirtable)
    expect(stored()).toMatchObject([{ fields: right }])
  })

  it('one that it may have got without an answer waits', async () => {
    airtable.fail({ mode: 'lost-reply' })
    const order = await create(onAirtable)
    for (const reply of [
      await correct(order, onAirtable),
      await ask('DELETE', order.id, onAirtable),
    ])
      expect(refusal(reply)).toEqual([409, 'orders.being_made'])
    expect(await sql('select from pharmacy_orders')).toHaveLength(1)
  })

  it('a removal whose answer was lost is done', async () => {
    const order = await create(onAirtable)
    airtable.remove(baseId, tableId, order.id)
    expect((await ask('DELETE', order.id, onAirtable)).statusCode).toBe(200)
    expect(await sql('select from pharmacy_orders')).toEqual([])
  })
})
