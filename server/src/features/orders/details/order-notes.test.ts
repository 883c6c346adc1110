import { MOST_NOTES, NOTE_LENGTH, type OrderNote } from '@bancone/contract/order-details'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, detailsOf } from '../../../../test/details-server.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'
import { createOrderCopyStore } from '../copy/order-copy.store.ts'

let server: TestServer
let counter: Caller
let other: Caller
let pharmacyId: string
let recordId: string

beforeAll(async () => {
  server = await testServer()
  pharmacyId = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
  await server.addPharmacy({ email: 'other@example.it', code: 'PHARM-0002' })
  counter = await server.signIn('own@example.it')
  other = await server.signIn('other@example.it')
})

beforeEach(async () => {
  recordId = await addOrder()
})

async function addOrder(): Promise<string> {
  const order = sourceOrder()
  const copies = createOrderCopyStore(server.database.db)
  await copies.saveOrders(pharmacyId, [order], new Date().toISOString())
  return order.recordId
}

type Method = 'POST' | 'PATCH' | 'DELETE'

async function call(method: Method, path: string, text?: string, headers = counter) {
  const url = `/api/orders/${path}`
  const reply = await server.app.inject({
    method,
    url,
    headers,
    ...(text !== undefined && { payload: { text } }),
  })
  return { status: reply.statusCode, body: reply.json<Partial<OrderNote> & { code?: string }>() }
}

const add = (text: string, headers = counter) => call('POST', `${recordId}/notes`, text, headers)
const notes = async () => (await detailsOf(server, recordId, counter)).notes

describe('a private note', () => {
  it('says who wrote it and when', async () => {
    const { status, body } = await add('  Chiamare dopo le 16 ')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      text: 'Chiamare dopo le 16',
      who: { name: 'Farmacia PHARM-0001', you: true, here: true },
      changedAt: null,
    })
    expect(await notes()).toEqual([body])
    const office = await server.signIn('own@example.it')
    const [seen] = (await detailsOf(server, recordId, office)).notes
    expect(seen?.who).toMatchObject({ you: true, here: false })
  })

  it('is by whoever changed it last', async () => {
    const { body } = await add('uno')
    const office = await server.signIn('own@example.it')
    await call('PATCH', `${recordId}/notes/${body.id}`, 'due', office)
    expect((await notes())[0]).toMatchObject({ text: 'due', who: { you: true, here: false } })
  })

  it('stands with the others, the oldest first', async () => {
    for (const text of ['uno', 'due', 'tre']) await add(text)
    expect((await notes()).map((note) => note.text)).toEqual(['uno', 'due', 'tre'])
  })

  it('can be changed and removed', async () => {
    const { body } = await add('uno')
    const changed = await call('PATCH', `${recordId}/notes/${body.id}`, 'due')
    expect(changed.body).toMatchObject({ id: body.id, text: 'due', at: body.at })
    expect(changed.body.changedAt).not.toBeNull()
    expect((await call('DELETE', `${recordId}/notes/${body.id}`)).status).toBe(200)
    expect(await notes()).toEqual([])
    const again = await call('DELETE', `${recordId}/notes/${body.id}`)
    expect([again.status, again.body.code]).toEqual([404, 'orders.note_not_found'])
  })

  it('is not one of an order that has enough of them, however many come at once', async () => {
    await server.database.pool.query(
      `insert into order_notes (pharmacy_id, record_id, text)
       select $1, $2, 'x' from generate_series(1, $3::int)`,
      [pharmacyId, recordId, MOST_NOTES - 2],
    )
    const replies = await Promise.all(['a', 'b', 'c', 'd'].map((text) => add(text)))
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 409, 409,
    ])
    const refused = replies.find((reply) => reply.status === 409)
    expect(refused?.body.code).toBe('orders.too_many_notes')
    expect(await notes()).toHaveLength(MOST_NOTES)
  })

  it.each([
    ['empty', '   '],
    ['too long', 'x'.repeat(NOTE_LENGTH + 1)],
  ])('is refused when it is %s', async (_what, text) => {
    expect((await add(text)).status).toBe(400)
  })

  it('belongs to its order: neither by another order nor by another pharmacy can it be reached', async () => {
    const { body } = await add('uno')
    const elsewhere = await addOrder()
    expect((await add('due', other)).body.code).toBe('orders.not_found')
    for (const [path, headers] of [
      [`${elsewhere}/notes/${body.id}`, counter],
      [`${recordId}/notes/${body.id}`, other],
    ] as const) {
      for (const method of ['PATCH', 'DELETE'] as const) {
        const reply = await call(method, path, method === 'PATCH' ? 'due' : undefined, headers)
        expect([reply.status, reply.body.code]).toEqual([404, 'orders.note_not_found'])
      }
    }
    expect(await notes()).toMatchObject([{ text: 'uno' }])
  })

  it('is told to the screens as a change of its order, by its id alone', async () => {
    const heard: string[] = []
    const client = await server.database.pool.connect()
    client.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await client.query('listen order_events')
    await add('Chiamare')
    await expect.poll(() => heard).toHaveLength(1)
    expect(JSON.parse(heard[0] ?? '')).toEqual({
      pharmacy: pharmacyId,
      kind: 'changed',
      ids: [recordId],
    })
    client.release(true)
  })
})
