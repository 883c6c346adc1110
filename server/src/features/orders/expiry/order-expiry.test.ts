import { OrderDetails } from '@bancone/contract/order-details'
import { OrdersPage } from '@bancone/contract/orders'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, detailsOf } from '../../../../test/details-server.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { createOrderCopyStore } from '../copy/order-copy.store.ts'
import { EXPIRY_TASK } from './order-expiry-job.ts'

const DAY_MS = 24 * 60 * 60_000
const DAYS = 90

/** What is known of the customer of an order. */
const PERSONAL = {
  customerName: 'Ermenegilda Zanetti',
  customerPhone: '333 765 4321',
  address: 'Calle Lunga 7',
  details: 'Ramipril 5 mg',
  waId: '393337654321',
  pharmaWa: '390411234567',
  image: { url: 'https://example.it/ricetta-zanetti.png', ref: 'attZanetti' },
}

let server: TestServer
let pharmacyId: string
let headers: Caller
let onAirtable: string

beforeAll(async () => {
  server = await testServer()
  pharmacyId = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
  headers = await server.signIn('own@example.it')
  const airtable = { baseId: 'appAltra000000001', tableId: 'tblAltra000000001' }
  onAirtable = await server.addPharmacy({ email: 'at@example.it', code: 'PHARM-0002', airtable })
})

beforeEach(async () => {
  await query('delete from pharmacy_orders')
  await keepFor(DAYS)
})

const query = <Row extends Record<string, unknown>>(text: string, ...values: unknown[]) =>
  server.database.pool.query<Row>(text, values)

function keepFor(orderDays: number | null) {
  const value = { orderDays, removedOrderDays: 30, visitDays: 90 }
  return query(
    `insert into platform_settings (key, value) values ('retention', $1)
      on conflict (key) do update set value = excluded.value`,
    value,
  )
}

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

async function save(owner: string, order: Partial<SourceOrder>): Promise<string> {
  const saved = sourceOrder({ ...PERSONAL, createdAt: order.updatedAt ?? daysAgo(0), ...order })
  await createOrderCopyStore(server.database.db).saveOrders(owner, [saved], daysAgo(0))
  return saved.recordId
}

const expire = () => server.runTask(EXPIRY_TASK)

async function names(): Promise<(string | null)[]> {
  const { rows } = await query<{ customer_name: string | null }>(
    'select customer_name from pharmacy_orders order by id',
  )
  return rows.map(({ customer_name }) => customer_name)
}

async function page(): Promise<OrdersPage> {
  const reply = await server.app.inject({ url: '/api/airtable-orders', headers })
  return OrdersPage.parse(reply.json())
}

/** The tables in which any of the texts is, also sealed or within other values. */
async function tablesWith(texts: string[]): Promise<string[]> {
  const { rows } = await query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const pattern = texts.map((text) => `%${text}%`)
    const { rowCount } = await query(
      `select from ${name} as each where each::text ilike any ($1) limit 1`,
      pattern,
    )
    if (rowCount) found.push(name)
  }
  return found.sort()
}

describe('an order whose last change is long ago', () => {
  it('leads to its customer in no table, and counts as before', async () => {
    const recordId = await save(pharmacyId, { status: 'Confermato', updatedAt: daysAgo(DAYS + 1) })
    const noted = await server.app.inject({
      method: 'POST',
      url: `/api/orders/${recordId}/notes`,
      headers,
      payload: { text: 'Zanetti passa alle 18' },
    })
    expect(noted.statusCode, noted.body).toBe(200)
    await query(
      `insert into order_aliases (pharmacy_id, alias, record_id) values ($1, 'recPrima00000001', $2)`,
      pharmacyId,
      recordId,
    )
    await query(
      `with contact as (
        insert into whatsapp_contacts (pharmacy_id, phone) values ($1, '+390410000000') returning id
      ), link as (
        insert into whatsapp_order_contacts (order_id, pharmacy_id, contact_id)
        select o.id, $1, contact.id from pharmacy_orders o, contact where airtable_order_id = $2
      )
      insert into whatsapp_outbox (pharmacy_id, order_id, contact_id, kind, due_at, expires_at)
      select $1, o.id, contact.id, 'ready', now(), now()
      from pharmacy_orders o, contact where airtable_order_id = $2`,
      pharmacyId,
      recordId,
    )
    const texts = ['zanetti', '7654321', 'calle lunga', 'ramipril', recordId, 'recPrima00000001']
    expect(await tablesWith(texts)).toEqual(
      expect.arrayContaining(['order_aliases', 'order_notes', 'order_search', 'pharmacy_orders']),
    )
    const { records, ...before } = await page()
    expect(records).toHaveLength(1)

    await expire()
    expect(await tablesWith(texts)).toEqual([])
    const { rows } = await query(
      `select (select count(*)::int from whatsapp_order_contacts) as links,
        (select count(*)::int from whatsapp_outbox) as messages`,
    )
    expect(rows).toEqual([{ links: 0, messages: 0 }])
    const after = await page()
    expect(after).toMatchObject({ statistics: before.statistics, counts: before.counts })
    expect(after.records).toMatchObject([{ fields: { Stato: 'Confermato' } }])
    expect(Object.keys(after.records[0]?.fields ?? {}).sort()).toEqual([
      'Created',
      'ID Ordine',
      'Last',
      'Stato',
    ])
  })

  it('says in its history why it has no customer, and the audit log how many there were', async () => {
    await save(pharmacyId, { status: 'Annullato', updatedAt: daysAgo(DAYS + 1) })
    await expire()
    const [record] = (await page()).records
    const { history } = OrderDetails.parse(await detailsOf(server, record?.id ?? '', headers))
    expect(history.map(({ kind, source }) => [kind, source])).toEqual([
      ['expired', 'system'],
      ['received', 'system'],
    ])
    const { rows } = await query(
      `select pharmacy_id, details from audit_events where action = 'orders_expired'
        order by id desc limit 1`,
    )
    expect(rows).toEqual([{ pharmacy_id: pharmacyId, details: { orders: 1 } }])
  })

  it('is cancelled if it waits, 180 days later than others', async () => {
    await save(pharmacyId, { updatedAt: daysAgo(DAYS + 179) })
    await save(pharmacyId, { updatedAt: daysAgo(DAYS + 181) })
    await expire()
    const { rows } = await query('select customer_name, status from pharmacy_orders order by id')
    expect(rows).toEqual([
      { customer_name: PERSONAL.customerName, status: 'In attesa' },
      { customer_name: null, status: 'Annullato' },
    ])
  })

  it('is one of many that changed in the same moment', async () => {
    await save(pharmacyId, { status: 'Confermato', updatedAt: daysAgo(DAYS + 1) })
    await query(
      `insert into pharmacy_orders (pharmacy_id, airtable_order_id, customer_name, status,
        airtable_created, airtable_last)
      select pharmacy_id, 'recTante' || lpad(n::text, 9, '0'), 'Zanetti', status, airtable_created,
        airtable_last
      from pharmacy_orders, generate_series(1, 1_000) n where customer_name is not null`,
    )
    await expire()
    expect(new Set(await names())).toEqual(new Set([null]))
  })
})

describe('a customer stays in an order', () => {
  it.each([
    [
      'that was changed since',
      () => save(pharmacyId, { status: 'Confermato', updatedAt: daysAgo(DAYS - 1) }),
    ],
    [
      'that Airtable has',
      () => save(onAirtable, { status: 'Confermato', updatedAt: daysAgo(DAYS + 1) }),
    ],
  ])('%s', async (_name, add) => {
    await add()
    await expire()
    expect(await names()).toEqual([PERSONAL.customerName])
  })

  it('as long as the order where no time is set', async () => {
    await keepFor(null)
    await save(pharmacyId, { status: 'Confermato', updatedAt: daysAgo(3_000) })
    await expire()
    expect(await names()).toEqual([PERSONAL.customerName])
  })
})

it('finds orders that become older, that are closed later, and with a shorter time', async () => {
  await save(pharmacyId, { status: 'Confermato', updatedAt: daysAgo(DAYS - 1) })
  const waiting = await save(pharmacyId, { updatedAt: daysAgo(DAYS + 1) })
  await expire()
  expect(await names()).toEqual([PERSONAL.customerName, PERSONAL.customerName])
  await query(
    `update pharmacy_orders set status = 'Annullato', airtable_last = now() - interval '31 days'
      where airtable_order_id = $1`,
    waiting,
  )
  await keepFor(30)
  await expire()
  expect(await names()).toEqual([null, null])
})
