import { createHmac } from 'node:crypto'
import {
  CustomerDataCopy,
  copyCustomerData,
  eraseCustomerData,
  findCustomerData,
} from '@bancone/contract/customer-data'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noHooks } from '../src/features/orders/records/order-hooks.ts'
import { createOrderCopyStore } from '../src/features/orders/sync/order-copy.store.ts'
import { createSealing } from '../src/features/whatsapp/whatsapp.context.ts'
import { createSecrets } from '../src/platform/secrets.ts'
import type { SourceOrder } from '../src/ports/order-source.ts'
import { sourceOrder } from './orders.ts'
import { type TestServer, testSecret, testServer } from './server.ts'
import { tablesWith } from './tables-with.ts'

type Caller = { authorization: string }

const PHONE = '+393337654321'

/** What leads to the customer. */
const TRACES = [
  'Zanetti',
  '7654321',
  'Calle Lunga',
  'Ramipril',
  'dopo le 18',
  'in piazza',
  'wamid.answer',
  'wamid.earlier',
]

let server: TestServer
let own: Caller
let ownId: string
let other: Caller
let otherId: string
let onAirtable: Caller
let onAirtableId: string

beforeAll(async () => {
  server = await testServer()
  const airtable = { baseId: 'appAltra000000001', tableId: 'tblAltra000000001' }
  ownId = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
  otherId = await server.addPharmacy({ email: 'other@example.it', code: 'PHARM-0002' })
  onAirtableId = await server.addPharmacy({ email: 'at@example.it', code: 'PHARM-0003', airtable })
  own = await server.signIn('own@example.it')
  other = await server.signIn('other@example.it')
  onAirtable = await server.signIn('at@example.it')
})

beforeEach(async () => {
  for (const table of [
    'pharmacy_orders',
    'order_notes',
    'whatsapp_contacts',
    'whatsapp_deliveries',
    'priority_access_sessions',
  ])
    await query(`delete from ${table}`)
})

const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)

/** @returns the record id */
async function order(owner: string, traits: Partial<SourceOrder> = {}): Promise<string> {
  const saved = sourceOrder({
    customerName: 'Ermenegilda Zanetti',
    customerPhone: '333 765 4321',
    address: 'Calle Lunga 7',
    details: 'Ramipril 5 mg',
    status: 'Confermato',
    ...traits,
  })
  const { db } = server.database
  await createOrderCopyStore(db, noHooks).saveOrders(owner, [saved], new Date().toISOString())
  return saved.recordId
}

/** A priority session that is open, and was moved before. */
async function prioritySession(
  owner: string,
  {
    recordId = 'recVisita',
    phone = '333 7654321',
    code = '123',
  }: { recordId?: string; phone?: string | null; code?: string } = {},
) {
  await query(
    `insert into priority_access_sessions (
       pharmacy_id, airtable_order_id, order_number, user_name, user_phone, place, code, expires_at, status, arrived_at
     ) values ($1, $2, '7', 'Zanetti', $3, 'in piazza', $4, now() + interval '1 day', 'user_arrived', now())`,
    owner,
    recordId,
    phone,
    code,
  )
}

/** A contact of WhatsApp who has written and was answered. @param linked the record id of an order */
async function contact(
  owner: string,
  { phone = PHONE, linked }: { phone?: string; linked?: string },
) {
  const sealing = createSealing(createSecrets(testSecret))
  const seal = (text: string) => sealing.seal(owner, 'text', text)
  await query(
    `with contact as (
       insert into whatsapp_contacts (pharmacy_id, phone, name, last_inbound_at)
       values ($1, $2, 'Zanetti', now()) returning id
     ), consent as (
       insert into whatsapp_consents (pharmacy_id, contact_id, is_given, wording_version, wording, channel, message_id)
       select $1, id, true, 1, 'Va bene?', 'message', 'wamid.' || id from contact
     ), link as (
       insert into whatsapp_order_contacts (order_id, pharmacy_id, contact_id)
       select o.id, $1, contact.id from pharmacy_orders o, contact where airtable_order_id = $3
     ), answer as (
       insert into whatsapp_outbox (pharmacy_id, contact_id, kind, state, text, key_id, due_at, expires_at, occasion, message_id,
         earlier_message_ids)
       select $1, id, 'answer', 'accepted', $5, $6, now(), now(), id, 'wamid.answer.' || id,
         array['wamid.earlier.' || id] from contact
       returning message_id, earlier_message_ids
     ), delivery as (
       insert into whatsapp_deliveries (pharmacy_id, message_id, sent_at) 
         select $1, unnest(earlier_message_ids || message_id), now() from answer
     )
     insert into whatsapp_inbound (pharmacy_id, contact_id, message_id, type, text, key_id, at)
     select $1, id, 'wamid.in.' || id, 'text', $4, $6, now() - interval '1 minute' from contact`,
    owner,
    phone,
    linked ?? null,
    seal('Ho la tosse'),
    seal('Passi dopo le 18'),
    sealing.keyId,
  )
}

async function ask(
  { path: url }: { path: string },
  {
    phone = '333 765 4321',
    headers = own,
    ...rest
  }: { phone?: string; headers?: Caller } & object = {},
) {
  const identity = url === findCustomerData.path ? {} : { identity: 'document' }
  return server.app.inject({
    method: 'POST',
    url,
    headers,
    payload: { phone, ...identity, ...rest },
  })
}

/** Of the customer's number, as it is noted beside the back-ups. */
function hashOf(pharmacyId: string): string {
  const key = createSecrets(testSecret).key('customer erasures')
  return createHmac('sha256', key).update(`${pharmacyId} ${PHONE}`).digest('hex')
}

async function note(recordId: string, text: string) {
  const url = `/api/orders/${recordId}/notes`
  const reply = await server.app.inject({ method: 'POST', url, headers: own, payload: { text } })
  expect(reply.statusCode, reply.body).toBe(200)
}

describe("a customer's data", () => {
  it('are found by the telephone number, however it is written', async () => {
    await order(ownId, { customerPhone: '+39 333.765.4321' })
    await order(ownId, { customerPhone: '0039 3337654321', status: 'In attesa' })
    await order(ownId, { customerPhone: '041 5201234 / 333 765 4321 (dopo le 18)' })
    await order(ownId, { customerPhone: null, waId: '393337654321' })
    const linked = await order(ownId, { customerPhone: '041 5201234' })
    await contact(ownId, { linked })
    await prioritySession(ownId)
    await order(ownId, { customerPhone: '333 765 4322' })
    await order(ownId, { customerPhone: '041 5201234' })
    await order(otherId)
    await prioritySession(otherId)
    for (const phone of ['333 765 4321', '+39 333 7654321', '0039-333-765-4321']) {
      expect((await ask(findCustomerData, { phone })).json()).toEqual({
        phone: PHONE,
        orders: 5,
        waitingOrders: 1,
        airtableOrders: 0,
        airtableNumbers: [],
        heldOrders: 0,
        heldNumbers: [],
        prioritySessions: 1,
        messages: 2,
        isContact: true,
      })
    }
    expect((await ask(findCustomerData, { headers: other })).json()).toMatchObject({
      orders: 1,
      prioritySessions: 1,
      messages: 0,
      isContact: false,
    })
  })

  it('are not those of a number that has the same digits', async () => {
    for (const customerPhone of ['366 212 3456', '390 612345', '347 123 4567 / 333 061 2345'])
      await order(ownId, { customerPhone })
    for (const phone of ['+36 62 123 456', '06 12345', '333 061 234']) {
      expect((await ask(findCustomerData, { phone })).json(), phone).toMatchObject({ orders: 0 })
    }
    expect((await ask(findCustomerData, { phone: '3330612345' })).json()).toMatchObject({
      orders: 1,
    })
  })

  it('are not looked for without one whole number', async () => {
    for (const phone of ['Zanetti', '333', '333 765 4321, 041 520 1234']) {
      const reply = await ask(findCustomerData, { phone })
      expect(reply.statusCode, phone).toBe(422)
      expect(reply.json()).toMatchObject({ code: 'customer_data.bad_phone' })
    }
  })

  it('are copied as they are, those of others not', async () => {
    const recordId = await order(ownId, { orderNumber: '77' })
    await note(recordId, 'Passa dopo le 18')
    await contact(ownId, {})
    await prioritySession(ownId)
    await order(ownId, { customerPhone: '333 765 4322', details: 'Altro' })
    const copy = CustomerDataCopy.parse((await ask(copyCustomerData)).json())
    expect(copy).toMatchObject({
      phone: PHONE,
      orders: [
        {
          number: '77',
          status: 'Confermato',
          name: 'Ermenegilda Zanetti',
          phone: '333 765 4321',
          address: 'Calle Lunga 7',
          details: 'Ramipril 5 mg',
          hasPicture: false,
          isInAirtable: false,
          held: null,
          notes: [{ text: 'Passa dopo le 18' }],
        },
      ],
      prioritySessions: [{ orderNumber: '7', name: 'Zanetti', place: 'in piazza', endedAt: null }],
      contact: { name: 'Zanetti' },
      consents: [{ isGiven: true, wording: 'Va bene?' }],
      messages: [
        { isFromCustomer: true, text: 'Ho la tosse' },
        { isFromCustomer: false, text: 'Passi dopo le 18' },
      ],
    })
    const { rows } = await query(
      "select details from audit_events where action = 'customer_copied' order by id desc limit 1",
    )
    expect(rows).toEqual([{ details: { identity: 'document', orders: 1 } }])
  })
})

describe('an erasure', () => {
  it('leaves in no table what leads to the customer, and all of others', async () => {
    const recordId = await order(ownId)
    const waiting = await order(ownId, { customerPhone: null, status: 'In attesa' })
    await note(recordId, 'Passa dopo le 18')
    await contact(ownId, { linked: waiting })
    await prioritySession(ownId)
    await prioritySession(ownId, { recordId: waiting, phone: null, code: '124' })
    const kept = await order(ownId, { customerPhone: '333 000 0000', customerName: 'Bruno' })
    const reply = await ask(eraseCustomerData)
    expect(reply.json()).toMatchObject({
      orders: 2,
      prioritySessions: 2,
      messages: 2,
      isContact: true,
      airtableOrders: 0,
    })
    const { rows } = await query(
      `select airtable_order_id as id, status, customer_name as name from pharmacy_orders
       where pharmacy_id = $1 order by id`,
      ownId,
    )
    expect(rows).toEqual([
      { id: recordId, status: 'Confermato', name: null },
      { id: waiting, status: 'Annullato', name: null },
      { id: kept, status: 'Confermato', name: 'Bruno' },
    ])
    await query("delete from pharmacy_orders where customer_name = 'Bruno'")
    expect(await tablesWith(server.database.pool, TRACES)).toEqual([])
    const prioritySessions = await query(
      'select status, ended_at is null as open from priority_access_sessions order by code',
    )
    expect(prioritySessions.rows).toEqual([
      { status: 'no_show', open: false },
      // Its order was cancelled.
      { status: 'cancelled', open: false },
    ])
    const audit = await query(
      "select details from audit_events where action = 'customer_erased' order by id desc limit 1",
    )
    expect(audit.rows).toEqual([
      {
        details: {
          identity: 'document',
          orders: 2,
          airtableOrders: 0,
          prioritySessions: 2,
          isContact: true,
          messages: 2,
        },
      },
    ])
    expect((await ask(eraseCustomerData)).json()).toMatchObject({
      orders: 0,
      prioritySessions: 0,
      messages: 0,
    })
  })

  it('does not touch another pharmacy', async () => {
    await order(otherId)
    await contact(otherId, {})
    await prioritySession(otherId)
    await ask(eraseCustomerData)
    expect((await ask(findCustomerData, { headers: other })).json()).toMatchObject({
      orders: 1,
      prioritySessions: 1,
      messages: 2,
    })
  })

  it('leaves orders that are in Airtable, and says which', async () => {
    const linked = await order(onAirtableId, { orderNumber: '41', customerPhone: null })
    await order(onAirtableId, { orderNumber: '42' })
    const refused = await order(onAirtableId, { orderNumber: '43' })
    await query(
      `insert into order_creations (order_id, pharmacy_id, kept_here)
       select id, pharmacy_id, true from pharmacy_orders where airtable_order_id = $1`,
      refused,
    )
    await contact(onAirtableId, { linked })
    await query(
      `insert into order_notes (pharmacy_id, record_id, text) values ($1, $2, 'Zanetti passa')`,
      onAirtableId,
      linked,
    )
    expect((await ask(findCustomerData, { headers: onAirtable })).json()).toMatchObject({
      orders: 1,
      airtableOrders: 2,
      airtableNumbers: ['42', '41'],
    })
    expect((await ask(eraseCustomerData, { headers: onAirtable })).json()).toMatchObject({
      orders: 1,
      airtableOrders: 2,
    })
    const { rows } = await query(
      `select order_number as number, customer_name is null as anonymous from pharmacy_orders
       where pharmacy_id = $1 order by id`,
      onAirtableId,
    )
    expect(rows).toEqual([
      { number: '41', anonymous: false },
      { number: '42', anonymous: false },
      { number: '43', anonymous: true },
    ])
    expect((await query('select from order_notes')).rowCount).toBe(0)
  })

  it('waits until no order of the customer is held', async () => {
    const held = await order(ownId, { orderNumber: '77' })
    await order(ownId)
    const url = `/api/orders/${held}/hold`
    await server.app.inject({ method: 'PUT', url, headers: own, payload: { reason: 'Reclamo' } })
    expect((await ask(findCustomerData)).json()).toMatchObject({
      orders: 2,
      heldOrders: 1,
      heldNumbers: ['77'],
    })
    const refused = await ask(eraseCustomerData)
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { code: 'customer_data.orders_held' },
    ])
    expect(refused.body).toContain('di questo cliente (77): sbloccala')
    expect((await ask(copyCustomerData)).json()).toMatchObject({
      orders: [{ held: null }, { held: 'Reclamo' }],
    })
    await server.app.inject({ method: 'DELETE', url, headers: own })
    expect((await ask(eraseCustomerData)).json()).toMatchObject({ orders: 2 })
  })

  it('that a restored database does not know is repeated, but for what came after it', async () => {
    const erasedAt = '2026-01-02T08:00:00.000Z'
    const old = { createdAt: '2026-01-01T08:00:00.000Z' }
    const rows = () => query('select owner_id as id from backup_customer_erasures')
    for (const pharmacyId of [ownId, otherId, onAirtableId]) {
      await order(pharmacyId, old)
      await contact(pharmacyId, {})
      await prioritySession(pharmacyId)
    }
    await order(ownId, { createdAt: '2026-01-03T08:00:00.000Z' })
    // They were released before the erasure.
    await query(
      `insert into order_holds (pharmacy_id, order_id, reason, held_at)
       select pharmacy_id, id, 'Reclamo di Zanetti', $1 from pharmacy_orders`,
      old.createdAt,
    )
    await query(
      'update whatsapp_contacts set first_seen_at = $1 where pharmacy_id <> $2',
      old.createdAt,
      ownId,
    )
    await query(
      'update priority_access_sessions set issued_at = $1 where pharmacy_id <> $2',
      old.createdAt,
      ownId,
    )
    for (const pharmacyId of [ownId, onAirtableId]) {
      const hash = hashOf(pharmacyId)
      await query(
        'insert into backup_customer_erasures values ($1, $2, $3)',
        pharmacyId,
        hash,
        erasedAt,
      )
    }
    await server.applyErasures()
    const kept = async (headers: Caller) =>
      (await ask(findCustomerData, { headers })).json<object>()
    const held = await query(
      `select count(*)::int as holds from order_holds where pharmacy_id = any($1)`,
      [ownId, onAirtableId],
    )
    // Of the newer order.
    expect(held.rows).toEqual([{ holds: 1 }])
    expect(await kept(own)).toMatchObject({ orders: 1, prioritySessions: 1, isContact: true })
    expect(await kept(other)).toMatchObject({ orders: 1, prioritySessions: 1, isContact: true })
    expect(await kept(onAirtable)).toMatchObject({
      airtableOrders: 1,
      prioritySessions: 0,
      isContact: false,
    })
    // Looked for again at the next start, until the order has left Airtable.
    expect((await rows()).rows).toEqual([{ id: onAirtableId }])
    await query('delete from backup_customer_erasures')
  })

  it('that a restored database does not know waits for an order that is held since', async () => {
    const held = await order(ownId, { createdAt: '2026-01-01T08:00:00.000Z' })
    await note(held, 'Passa dopo le 18')
    const url = `/api/orders/${held}/hold`
    await server.app.inject({ method: 'PUT', url, headers: own, payload: { reason: 'Reclamo' } })
    await query(
      'insert into backup_customer_erasures values ($1, $2, $3)',
      ownId,
      hashOf(ownId),
      '2026-01-02T08:00:00.000Z',
    )
    const left = async () => {
      await server.applyErasures()
      const { rows } = await query('select customer_name as name from pharmacy_orders')
      return [rows, (await query('select from order_notes')).rowCount]
    }
    expect(await left()).toEqual([[{ name: 'Ermenegilda Zanetti' }], 1])
    await server.app.inject({ method: 'DELETE', url, headers: own })
    expect(await left()).toEqual([[{ name: null }], 0])
    expect((await query('select from backup_customer_erasures')).rowCount).toBe(0)
  })
})
