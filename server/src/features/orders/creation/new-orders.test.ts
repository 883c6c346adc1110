import { ErrorBody } from '@bancone/contract/errors'
import { type OrderRecord, OrdersPage } from '@bancone/contract/orders'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type TestServer, testServer } from '../../../../test/server.ts'

type Headers = Record<string, string>

let server: TestServer
let pharmacyId: string
let person: Headers
let program: Headers
let other: Headers

const Key = z.object({ id: z.string(), key: z.string() })
const order = { Cliente: 'Giulia Bianchi', Ordine: 'Tachipirina 1000' }

beforeAll(async () => {
  server = await testServer()
  pharmacyId = await server.addPharmacy({ email: 'own@example.it', code: 'OWN' })
  await server.addPharmacy({ email: 'other@example.it', code: 'OTHER' })
  person = await server.signIn('own@example.it')
  other = await server.signIn('other@example.it')
  const call = { method: 'POST', url: '/api/api-keys', payload: { name: 'Sito' } } as const
  const reply = await server.app.inject({ ...call, headers: person })
  program = { authorization: `Bearer ${Key.parse(reply.json()).key}` }
})

beforeEach(async () => {
  for (const table of ['pharmacy_orders', 'order_requests', 'push_arrivals', 'rate_limits']) {
    await query(`delete from ${table}`)
  }
})

const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)

let keys = 0
const newKey = () => `request-${(keys += 1)}`

function post(fields: object, caller: Headers = person, key = newKey()) {
  return server.app.inject({
    method: 'POST',
    url: '/api/orders',
    headers: { ...caller, 'idempotency-key': key },
    payload: { fields },
  })
}

async function create(fields: object, caller?: Headers, key?: string): Promise<OrderRecord> {
  const reply = await post(fields, caller, key)
  expect(reply.statusCode, reply.body).toBe(201)
  return reply.json<OrderRecord>()
}

async function refusal(reply: Awaited<ReturnType<typeof post>>) {
  const { code } = ErrorBody.parse(reply.json())
  return [reply.statusCode, code]
}

async function page(): Promise<OrdersPage> {
  const reply = await server.app.inject({ url: '/api/airtable-orders', headers: person })
  return OrdersPage.parse(reply.json())
}

async function arrivals(): Promise<number> {
  const { rows } = await server.database.pool.query<{ times: number }>(
    'select times::int from push_arrivals',
  )
  return rows[0]?.times ?? 0
}

const remove = (recordId: string) =>
  query('delete from pharmacy_orders where airtable_order_id = $1', recordId)

describe('an order that is typed in', () => {
  it('is in the list at once, with what was written, and seen', async () => {
    const record = await create({
      ...order,
      'Phone Number': ' +39 333 123 4567 ',
      Indirizzo: 'Via Garibaldi 12',
      Stato: 'Confermato',
    })
    expect(record.id).toMatch(/^rec[A-Za-z0-9]{17}$/)
    expect(record).toMatchObject({
      seen: true,
      fields: {
        'ID Ordine': 1,
        ...order,
        'Phone Number': '+39 333 123 4567',
        Indirizzo: 'Via Garibaldi 12',
        Stato: 'Confermato',
      },
    })
    const { records, unseen, statistics } = await page()
    expect(records).toEqual([record])
    expect(unseen.count).toBe(0)
    expect(statistics).toMatchObject({ total: 1, confirmed: 1, lastOrderId: 1 })
    expect(await arrivals()).toBe(0)
  })

  it('says in its row who made it, and in which session', async () => {
    await create(order)
    const { rows } = await query(
      `select origin, made_by = pharmacy_id as own, made_in = session.id as here
       from pharmacy_orders join auth_sessions session on session.user_id = made_by`,
    )
    expect(rows).toEqual([{ origin: 'person', own: true, here: true }])
  })
})

describe('an order of a program', () => {
  it('is new to the pharmacy, and its devices are told', async () => {
    const record = await create(order, program)
    expect(record.seen).toBe(false)
    expect((await page()).unseen).toEqual({ count: 1, recordIds: [record.id] })
    expect(await arrivals()).toBe(1)
  })

  it.each([
    ['no Cliente', { Ordine: 'x' }],
    ['an Ordine of spaces', { Cliente: 'x', Ordine: '   ' }],
    ['a telephone that is none', { ...order, 'Phone Number': '12' }],
    ['a state that there is not', { ...order, Stato: 'Perso' }],
    ['a column that there is not', { ...order, Prezzo: '1' }],
    ['too long a text', { ...order, Ordine: 'x'.repeat(4_001) }],
    ['letters alone that no database takes', { ...order, Ordine: '\0' }],
  ])('with %s is refused', async (_what, fields) => {
    expect(await refusal(await post(fields, program))).toEqual([400, 'request.invalid'])
    expect((await page()).records).toEqual([])
  })

  it.each(['', 'short', 'with space', 'è'.repeat(10), 'x'.repeat(201)])(
    'with the Idempotency-Key %j is refused',
    async (key) => {
      expect((await post(order, program, key)).statusCode).toBe(400)
    },
  )
})

describe('the number of an order', () => {
  it('is the next after the highest, also for those that are made at once', async () => {
    await create({ ...order, 'ID Ordine': '41' })
    await create({ ...order, 'ID Ordine': 'A-900' })
    const records = await Promise.all(Array.from({ length: 8 }, () => create(order)))
    const numbers = records.map(({ fields }) => Number(fields['ID Ordine']))
    expect(numbers.toSorted((a, b) => a - b)).toEqual([42, 43, 44, 45, 46, 47, 48, 49])
  })

  it('is another one also after the last that is a number to the database', async () => {
    await create({ ...order, 'ID Ordine': '999999999999999' })
    const numbers = [await create(order), await create(order)].map(
      (each) => each.fields['ID Ordine'],
    )
    expect(numbers).toEqual(['1000000000000000', '1000000000000001'])
  })

  it.each([
    ['41', '41'],
    ['41', '0041'],
    ['A-900', 'A-900'],
  ])('%s is taken for one that would be %s', async (first, second) => {
    await create({ ...order, 'ID Ordine': first })
    const reply = await post({ ...order, 'ID Ordine': second })
    expect(await refusal(reply)).toEqual([409, 'orders.number_taken'])
    expect((await page()).records).toHaveLength(1)
  })

  it('of another pharmacy is free', async () => {
    await create({ ...order, 'ID Ordine': '41' })
    await create({ ...order, 'ID Ordine': '41' }, other)
  })
})

describe('a request that is repeated', () => {
  it('is answered with the same order, as it is by now', async () => {
    const key = newKey()
    const first = await create(order, program, key)
    await server.app.inject({
      method: 'PATCH',
      url: `/api/airtable-orders/${first.id}`,
      headers: person,
      payload: { fields: { Stato: 'Annullato' } },
    })
    const again = await create({ ...order, Cliente: ' Giulia Bianchi ' }, program, key)
    expect(again).toMatchObject({ id: first.id, fields: { Stato: 'Annullato' } })
    expect((await page()).records).toHaveLength(1)
  })

  it('twenty times at once makes one order', async () => {
    const key = newKey()
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(order, program, key)))
    expect(new Set(replies.map(({ id }) => id)).size).toBe(1)
    expect((await page()).records).toHaveLength(1)
    expect(await arrivals()).toBe(1)
  })

  it('with another body is refused', async () => {
    const key = newKey()
    await create(order, program, key)
    const reply = await post({ ...order, Ordine: 'Altro' }, program, key)
    expect(await refusal(reply)).toEqual([422, 'orders.key_reused'])
  })

  it('that was refused is a new one', async () => {
    const key = newKey()
    const first = await create({ ...order, 'ID Ordine': '7' })
    const fields = { ...order, 'ID Ordine': '7' }
    expect((await post(fields, program, key)).statusCode).toBe(409)
    await remove(first.id)
    await create(fields, program, key)
  })

  it('of another pharmacy is another one', async () => {
    const key = newKey()
    const mine = await create(order, person, key)
    const theirs = await create({ ...order, Ordine: 'Altro' }, other, key)
    expect(theirs.id).not.toBe(mine.id)
  })

  it('after its order was removed does not bring it back', async () => {
    const key = newKey()
    const { id } = await create(order, program, key)
    await remove(id)
    expect(await refusal(await post(order, program, key))).toEqual([404, 'orders.not_found'])
  })

  it('while another does not come to its end is asked to come again', async () => {
    const client = await server.database.pool.connect()
    try {
      await client.query('begin')
      await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `new orders ${pharmacyId}`,
      ])
      const reply = await post(order)
      expect(await refusal(reply)).toEqual([409, 'orders.being_made'])
      expect(reply.headers['retry-after']).toBe('1')
    } finally {
      await client.query('rollback')
      client.release()
    }
    await create(order)
  })

  it('is remembered for a day', async () => {
    const key = newKey()
    await create(order, program, key)
    const cleanUp = () => server.runTask('orders.requests.cleanup')
    const kept = async () => (await query('select from order_requests')).rowCount
    const older = (hours: number) =>
      query("update order_requests set created_at = now() - $1 * interval '1 hour'", hours)
    await older(23)
    await cleanUp()
    expect(await kept()).toBe(1)
    await older(25)
    await cleanUp()
    expect(await kept()).toBe(0)
  })
})

describe('too many orders', () => {
  it.each([
    { who: 'a key', most: 60, callers: () => [program, person] as const },
    { who: 'hand', most: 30, callers: () => [person, program] as const },
  ])('by $who are refused after $most in a minute, and those of others are not', async (one) => {
    const [caller, another] = one.callers()
    await create(order, caller)
    await query('update rate_limits set points = $1', one.most - 3)
    const replies = await Promise.all([1, 2, 3, 4].map(() => post(order, caller)))
    const refused = replies.filter(({ statusCode }) => statusCode !== 201)
    expect(refused).toHaveLength(1)
    const [reply] = refused
    expect(reply && (await refusal(reply))).toEqual([429, 'orders.too_many'])
    const seconds = Number(reply?.headers['retry-after'])
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(60)
    await create(order, another)
  })
})
