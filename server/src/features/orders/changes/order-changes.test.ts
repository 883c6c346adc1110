import { randomUUID } from 'node:crypto'
import { changeOrdersStatus, type StatusChange } from '@bancone/contract/bulk-changes'
import type { Response } from '@bancone/contract/endpoint'
import { OrderStatus, OrdersPage } from '@bancone/contract/orders'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sourceOrder } from '../../../../test/orders.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'
import { noHooks } from '../records/order-hooks.ts'
import { createOrderCopyStore } from '../sync/order-copy.store.ts'
import { createOrderChangesStore } from './order-changes.store.ts'

type Headers = { authorization: string }

let server: TestServer
let pharmacyId: string
let otherId: string
let counter: Headers
let office: Headers
let ids: string[]

beforeAll(async () => {
  server = await testServer()
  pharmacyId = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
  otherId = await server.addPharmacy({ email: 'other@example.it', code: 'PHARM-0002' })
  counter = await server.signIn('own@example.it')
  office = await server.signIn('own@example.it')
})

beforeEach(async () => {
  ids = await add(pharmacyId, 4)
})

async function add(owner: string, many: number, status = 'In attesa'): Promise<string[]> {
  const orders = Array.from({ length: many }, () => sourceOrder({ status }))
  await createOrderCopyStore(server.database.db, noHooks).saveOrders(
    owner,
    orders,
    '2026-01-01T00:00:00Z',
  )
  return orders.map((order) => order.recordId)
}

async function patch(headers: Headers, recordId: string, Stato: string, was?: string) {
  const query = was === undefined ? '' : `?${new URLSearchParams({ was }).toString()}`
  const reply = await server.app.inject({
    method: 'PATCH',
    url: `/api/airtable-orders/${recordId}${query}`,
    headers,
    payload: { fields: { Stato } },
  })
  const { code, fields } = reply.json<{ code?: string; fields?: { Stato: string } }>()
  return { status: reply.statusCode, code, Stato: fields?.Stato }
}

async function several(
  changes: readonly StatusChange[],
  headers = counter,
): Promise<Response<typeof changeOrdersStatus>> {
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/orders/status',
    headers,
    payload: { changes },
  })
  expect(reply.statusCode, reply.body).toBe(200)
  return changeOrdersStatus.response.parse(reply.json())
}

async function statuses(): Promise<string[]> {
  const { rows } = await server.database.pool.query<{ status: string }>(
    `select status from pharmacy_orders where airtable_order_id = any ($1)
     order by array_position($1, airtable_order_id)`,
    [ids],
  )
  return rows.map((row) => row.status)
}

async function eventsOf(recordId: string): Promise<number> {
  const { rows } = await server.database.pool.query<{ events: number }>(
    'select count(*)::int as events from order_events where record_id = $1',
    [recordId],
  )
  return rows[0]?.events ?? 0
}

const first = () => ids[0] ?? ''

describe('a change that says what it saw', () => {
  it('is refused when the order was changed meanwhile', async () => {
    await patch(office, first(), 'Annullato', 'In attesa')
    expect(await patch(counter, first(), 'Confermato', 'In attesa')).toEqual({
      status: 409,
      code: 'orders.changed_meanwhile',
      Stato: undefined,
    })
    expect((await statuses())[0]).toBe('Annullato')
    expect(await eventsOf(first())).toBe(1)
  })

  it('wins alone against others that saw the same at the same time', async () => {
    const wanted = ['Confermato', 'Annullato', 'Prenotato Domani', 'Prenotato in Giornata']
    const replies = await Promise.all(
      wanted.map((Stato) => patch(counter, first(), Stato, 'In attesa')),
    )
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409,
    ])
    const winner = replies.find((reply) => reply.status === 200)
    expect((await statuses())[0]).toBe(winner?.Stato)
    expect(await eventsOf(first())).toBe(1)
  })

  it('is refused when the order is changed under an earlier record id at the same time', async () => {
    const earlier = `recEarlier${first().slice(-7)}`
    await server.database.pool.query(
      'insert into order_aliases (pharmacy_id, alias, record_id) values ($1, $2, $3)',
      [pharmacyId, earlier, first()],
    )
    const replies = await Promise.all([
      // While this one is made, the others wait for the next statement.
      patch(counter, ids[1] ?? '', 'Annullato'),
      patch(counter, earlier, 'Annullato', 'In attesa'),
      patch(office, first(), 'Confermato', 'In attesa'),
    ])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 409])
    const winner = replies.slice(1).find(({ status }) => status === 200)
    expect((await statuses())[0]).toBe(winner?.Stato)
    expect(await eventsOf(first())).toBe(1)
  })

  it('does not fail with another one that PostgreSQL refuses', async () => {
    const [other = '', unreadable = '', good = ''] = ids
    const replies = await Promise.all([
      patch(counter, other, 'Annullato'),
      patch(counter, unreadable, 'Annullato', '\u0000'),
      patch(counter, good, 'Confermato', 'In attesa'),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 400, 200])
  })

  it('is made in the name of its author when several are made together', async () => {
    const store = createOrderChangesStore(server.database.db, noHooks)
    const authors = ids.map(() => ({
      from: 'person' as const,
      userId: randomUUID(),
      sessionId: randomUUID(),
    }))
    // All but the first one are made together, because it is under way.
    await Promise.all(
      authors.map((author, n) =>
        store.changeOne(pharmacyId, { recordId: ids[n] ?? '', Stato: 'Confermato' }, author, false),
      ),
    )
    const { rows } = await server.database.pool.query(
      `select source as "from", user_id as "userId", session_id as "sessionId"
        from order_events where record_id = any ($1) order by array_position($1, record_id)`,
      [ids],
    )
    expect(rows).toEqual(authors)
  })

  it.each([
    // found, wanted, what was seen, what it is then, and how many changes that were
    ['In attesa', 'Confermato', 'In attesa', 'Confermato', 1],
    ['In attesa', 'Confermato', undefined, 'Confermato', 1],
    ['Da richiamare', 'Confermato', 'Da richiamare', 'Confermato', 1],
    ['Annullato', 'Confermato', 'In attesa', undefined, 0],
    ['Confermato', 'Confermato', 'In attesa', 'Confermato', 0],
    ['Confermato', 'Confermato', 'Confermato', 'Confermato', 0],
    ['Confermato', 'Confermato', undefined, 'Confermato', 0],
  ])(
    'of what is "%s" to "%s" by who saw "%s" makes it "%s"',
    async (found, to, was, then, made) => {
      const [order = ''] = await add(pharmacyId, 1, found)
      expect((await patch(counter, order, to, was)).Stato).toBe(then)
      expect(await eventsOf(order)).toBe(made)
    },
  )

  it('finds an order by the id that it had before', async () => {
    await server.database.pool.query(
      "insert into order_aliases (pharmacy_id, alias, record_id) values ($1, 'recBEFORE', $2)",
      [pharmacyId, first()],
    )
    expect(await patch(counter, 'recBEFORE', 'Confermato')).toMatchObject({ status: 200 })
    expect((await statuses())[0]).toBe('Confermato')
    const other = await server.signIn('other@example.it')
    expect(await patch(other, 'recBEFORE', 'Annullato')).toMatchObject({ status: 404 })
  })
})

describe('changes of several orders', () => {
  const all = (Stato: StatusChange['Stato'], was?: string): StatusChange[] =>
    ids.map((recordId) => ({ recordId, Stato, ...(was !== undefined && { was }) }))

  it('are made at once, each with what it was before, and the orders have been seen', async () => {
    await patch(counter, first(), 'Annullato')
    expect(await several(all('Confermato'))).toEqual({
      changed: ids.map((recordId, place) => ({
        recordId,
        from: place === 0 ? 'Annullato' : 'In attesa',
        to: 'Confermato',
      })),
      left: [],
    })
    expect(await statuses()).toEqual(Array(4).fill('Confermato'))
    const page = await server.app.inject({ url: '/api/airtable-orders', headers: counter })
    const shown = OrdersPage.parse(page.json()).records.filter((record) => ids.includes(record.id))
    expect(shown.map((record) => record.seen)).toEqual(Array(4).fill(true))
  })

  it('leave out what was changed meanwhile, and what is gone or never was', async () => {
    await patch(office, first(), 'Annullato')
    const [theirs = ''] = await add(otherId, 1)
    const changes = all('Confermato', 'In attesa')
    for (const recordId of ['recNOWHERE', theirs]) changes.push({ recordId, Stato: 'Annullato' })
    const { changed, left } = await several(changes)
    expect(changed.map((order) => order.recordId)).toEqual(ids.slice(1))
    expect(left).toEqual([
      { recordId: first(), now: 'Annullato' },
      { recordId: 'recNOWHERE', now: null },
      { recordId: theirs, now: null },
    ])
    expect(await statuses()).toEqual(['Annullato', 'Confermato', 'Confermato', 'Confermato'])
    const { rows } = await server.database.pool.query(
      'select status from pharmacy_orders where airtable_order_id = $1',
      [theirs],
    )
    expect(rows).toEqual([{ status: 'In attesa' }])
  })

  it('are undone by the status before, except where the order was changed since', async () => {
    await patch(counter, first(), 'Annullato')
    const { changed } = await several(all('Confermato'))
    await patch(office, ids[1] ?? '', 'Prenotato Domani')
    const back = changed.map(({ recordId, from, to }) => ({
      recordId,
      Stato: OrderStatus.parse(from),
      was: to,
    }))
    const undone = await several(back)
    expect(undone.left).toEqual([{ recordId: ids[1], now: 'Prenotato Domani' }])
    expect(await statuses()).toEqual(['Annullato', 'Prenotato Domani', 'In attesa', 'In attesa'])
  })

  it('change nothing more when they are repeated', async () => {
    await several(all('Confermato', 'In attesa'))
    const again = await several(all('Confermato', 'In attesa'))
    expect(again.left).toEqual([])
    expect(again.changed.map(({ from }) => from)).toEqual(Array(4).fill('Confermato'))
    expect(await eventsOf(first())).toBe(1)
  })

  it('of one order count once, the last', async () => {
    const recordId = first()
    const { changed } = await several([
      { recordId, Stato: 'Annullato' },
      { recordId, Stato: 'Confermato' },
    ])
    expect(changed).toEqual([{ recordId, from: 'In attesa', to: 'Confermato' }])
    expect(await eventsOf(recordId)).toBe(1)
  })

  it('of one order count once whichever of its ids they name', async () => {
    const [recordId = ''] = ids
    await server.database.pool.query("insert into order_aliases values ($1, 'recEARLIER', $2)", [
      pharmacyId,
      recordId,
    ])
    const { changed, left } = await several([
      { recordId: 'recEARLIER', Stato: 'Annullato' },
      { recordId, Stato: 'Confermato' },
    ])
    const became = { from: 'In attesa', to: 'Confermato' }
    expect(changed).toEqual([
      { recordId: 'recEARLIER', ...became },
      { recordId, ...became },
    ])
    expect(left).toEqual([])
    expect(await eventsOf(recordId)).toBe(1)
  })

  it('that name the same orders in another order do not stand in each other’s way', async () => {
    ids = await add(pharmacyId, 50)
    const there = all('Confermato')
    const back = all('Annullato').toReversed()
    const calls = Array.from({ length: 10 }, (_, n) => several(n % 2 === 0 ? there : back))
    await Promise.all(calls)
    expect(new Set(await statuses()).size).toBe(1)
  })

  it.each([
    ['none', []],
    ['more than a hundred', Array.from({ length: 101 }, (_, n) => ({ recordId: `rec${n}` }))],
    ['an unknown state', [{ recordId: 'recA', Stato: 'Spedito' }]],
  ])('are refused: %s', async (_what, changes) => {
    const payload = { changes: changes.map((change) => ({ Stato: 'Annullato', ...change })) }
    const call = { method: 'POST' as const, url: '/api/orders/status', headers: counter, payload }
    expect((await server.app.inject(call)).statusCode).toBe(400)
  })
})
