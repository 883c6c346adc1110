import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OrderRecord, OrdersPage } from '@bancone/contract/orders'
import { beforeAll, describe, expect, it } from 'vitest'
import { type TestServer, testServer } from '../../../../test/server.ts'

let server: TestServer
let ownId: string
const callers: Record<string, { authorization: string }> = {}
const ORDERS = 1_234

beforeAll(async () => {
  server = await testServer()
  ownId = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
  await server.addPharmacy({ email: 'other@example.it', code: 'Pharm-0002' })
  const both = await server.addPharmacy({ email: 'both@example.it', code: 'PHARM-0003' })
  await server.addAdministrator({ email: 'admin@example.it' })
  await server.addAdministrator({ id: both })
  // Three of a time and microseconds between them: portions must not lose what lies on their edges.
  await server.database.pool.query(
    `insert into pharmacy_orders (pharmacy_id, airtable_order_id, order_number, status,
       airtable_created, airtable_last, seen_at)
     select $1, 'rec' || n, n::text, 'In attesa',
       '2026-01-01'::timestamptz + make_interval(secs => (n / 3) * 0.000007), now(), now()
     from generate_series(1, $2::int) n`,
    [ownId, ORDERS],
  )
  for (const who of ['own', 'other', 'both', 'admin']) {
    callers[who] = await server.signIn(`${who}@example.it`)
  }
})

async function all(who: string, query = '') {
  const reply = await server.app.inject({
    url: `/api/airtable-orders?getAllRecords=true${query}`,
    headers: callers[who] ?? {},
  })
  const body: { records?: OrderRecord[]; code?: string } = reply.json()
  return { status: reply.statusCode, code: body.code, ids: body.records?.map(({ id }) => id) }
}

const everyId = Array.from({ length: ORDERS }, (_, n) => `rec${ORDERS - n}`)

describe('the list of all orders', () => {
  it('holds every order of the own pharmacy once, newest first', async () => {
    expect(await all('own')).toEqual({ status: 200, ids: everyId })
  })

  it('has records like those of a page', async () => {
    const page = await server.app.inject({
      url: '/api/airtable-orders?pageSize=100',
      headers: callers['own'] ?? {},
    })
    const whole = await server.app.inject({
      url: '/api/airtable-orders?getAllRecords=true',
      headers: callers['own'] ?? {},
    })
    const { records } = whole.json<{ records: OrderRecord[] }>()
    expect(records.slice(0, 100)).toEqual(page.json<OrdersPage>().records)
    expect(whole.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
  })

  it('is empty where there are none', async () => {
    expect(await all('other')).toEqual({ status: 200, ids: [] })
  })

  it.each([
    { who: 'own', filter: 'pharm-0001', status: 200 },
    { who: 'own', filter: 'PHARM-0002', status: 403 },
    { who: 'own', filter: 'PHARM-9999', status: 403 },
    { who: 'admin', filter: 'PHARM-0001', status: 200 },
    { who: 'admin', filter: 'PHARM-9999', status: 404 },
    { who: 'admin', filter: "' or true --", status: 404 },
    { who: 'admin', filter: '\0', status: 400 },
    { who: 'both', filter: 'PHARM-0001', status: 200 },
  ])('of $filter answers $status to $who', async ({ who, filter, status }) => {
    const reply = await all(who, `&pharmacyFilter=${encodeURIComponent(filter)}`)
    expect(reply.status).toBe(status)
    if (status === 200) expect(reply.ids).toEqual(everyId)
  })

  it('is found by the id of the pharmacy too', async () => {
    expect((await all('admin', `&pharmacyFilter=${ownId}`)).ids).toHaveLength(ORDERS)
    expect((await all('other', `&pharmacyFilter=${ownId}`)).status).toBe(403)
  })

  it('read by an administrator is in the trail of the pharmacy', async () => {
    const { pool } = server.database
    const trail = async () => {
      const { rows } = await pool.query<{ email: string }>(
        `select actor.email from audit_events event join auth_users actor on actor.id = actor_id
         where action = 'orders_read_by_administrator' and user_id = $1 and address is not null`,
        [ownId],
      )
      return rows.map(({ email }) => email)
    }
    const before = await trail()
    await all('own', `&pharmacyFilter=${ownId}`)
    await all('other', `&pharmacyFilter=${ownId}`)
    await all('both')
    expect(await trail()).toEqual(before)
    for (const who of ['admin', 'both']) await all(who, `&pharmacyFilter=${ownId}`)
    const since = (await trail()).slice(before.length)
    expect(since.toSorted()).toEqual(['admin@example.it', 'both@example.it'])
  })

  it('asks an administrator whose it shall be', async () => {
    expect(await all('admin')).toMatchObject({ status: 400, code: 'pharmacy.not_named' })
    expect(await all('both')).toMatchObject({ status: 200, ids: [] })
  })

  it('is a page unless it is asked for in so many words', async () => {
    const reply = await server.app.inject({
      url: '/api/airtable-orders?getAllRecords=yes',
      headers: callers['own'] ?? {},
    })
    expect(reply.json<OrdersPage>().records).toHaveLength(20)
  })

  it('breaks the connection when it cannot go on: a part is not taken for the whole', async () => {
    const database = server.database
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.app.server.address() as AddressInfo
    await database.pool.query(
      `insert into pharmacy_orders (pharmacy_id, airtable_order_id, airtable_created, airtable_last)
       values ($1, 'not a record id', '2020-01-01', now())`,
      [ownId],
    )
    const address = `http://127.0.0.1:${port}/api/airtable-orders?getAllRecords=true`
    const reply = await new Promise<IncomingMessage>((resolve) => {
      get(address, { headers: callers['own'] }, resolve)
    })
    let text = ''
    const broken = await (async () => {
      for await (const piece of reply) text += String(piece)
    })().catch((error: unknown) => error)
    expect(reply.statusCode).toBe(200)
    expect(text).toContain('"rec1234"')
    expect(broken).toMatchObject({ code: 'ECONNRESET' })
  })
})
