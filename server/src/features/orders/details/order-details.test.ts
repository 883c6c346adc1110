import { listPharmacyAudit } from '@bancone/contract/audit'
import { MAX_NOTES, NOTE_LENGTH, type OrderNote } from '@bancone/contract/order-details'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Caller, detailsOf } from '../../../../test/details-server.ts'
import { untilBlocked } from '../../../../test/lock-waits.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { HISTORY_CLEANUP_TASK } from '../records/order-history.store.ts'
import { noHooks } from '../records/order-hooks.ts'
import { createOrderCopyStore } from '../sync/order-copy.store.ts'
import { createOrderQuarantineStore } from '../sync/order-quarantine.store.ts'

let server: TestServer
let pharmacyId: string
let counter: Caller
let office: Caller
let order: SourceOrder

beforeAll(async () => {
  server = await testServer()
  pharmacyId = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
  counter = await server.signIn('own@example.it')
  office = await server.signIn('own@example.it')
})

beforeEach(async () => {
  order = sourceOrder()
  await save(order)
})

function save(...orders: SourceOrder[]) {
  const store = createOrderCopyStore(server.database.db, noHooks)
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
      outdated: [],
      notes: [],
    })
  })

  it('say which fields Airtable does not tell any more', async () => {
    const location = { baseId: 'appOutdated000001', tableId: 'tblOutdated000001' }
    const set = `update pharmacies set airtable_base_id = $2, airtable_table_id = $3, orders_phase = $4
      where id = $1`
    await query(set, pharmacyId, location.baseId, location.tableId, 'airtable')
    onTestFinished(async () => void (await query(set, pharmacyId, null, null, 'retired')))
    const copies = createOrderCopyStore(server.database.db, noHooks)
    await copies.upsertCopy(pharmacyId, location)
    await copies.markColumns(pharmacyId, location, ['Stato'])
    const reason = 'kept; cannot be read: Cliente, Indirizzo'
    await createOrderQuarantineStore(server.database.db).add(pharmacyId, [
      { recordId: order.recordId, reason },
    ])
    expect((await details()).outdated).toEqual([
      { column: 'Stato', reason: 'missing' },
      { column: 'Cliente', reason: 'unreadable' },
      { column: 'Indirizzo', reason: 'unreadable' },
    ])
    // Without Airtable the database is the only source.
    await query(set, pharmacyId, location.baseId, location.tableId, 'retired')
    expect((await details()).outdated).toEqual([])
  })

  it('that take too long are answered, and not waited for', async () => {
    const blocking = await server.database.pool.connect()
    onTestFinished(async () => {
      await blocking.query('rollback')
      blocking.release()
    })
    await blocking.query('begin; lock table order_events in access exclusive mode')
    const url = `/api/orders/${order.recordId}`
    const asked = server.app.inject({ url, headers: counter })
    await untilBlocked(server.database.pool)
    // As its time limit does.
    await query(`select pg_cancel_backend(pid) from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`)
    const reply = await asked
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '2'])
    expect(reply.json()).toMatchObject({ code: 'service.unavailable' })
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

  it('name the newest ten of the other orders of the same telephone number, and count all', async () => {
    const customerPhone = `347 ${order.recordId.slice(-7)}`
    await save({ ...order, customerPhone })
    const others = Array.from({ length: 12 }, () => sourceOrder({ customerPhone }))
    await save(...others, sourceOrder({ customerPhone: '041 555 0000' }))
    const { count, records } = (await details()).earlier
    const newest = others.slice(-10).toReversed()
    expect([count, records.map(({ id }) => id)]).toEqual([12, newest.map((one) => one.recordId)])
  })

  it('are found by the id that the order had before', async () => {
    await query(
      "insert into order_aliases (pharmacy_id, alias, record_id) values ($1, 'recBEFORE', $2)",
      pharmacyId,
      order.recordId,
    )
    expect((await details(counter, 'recBEFORE')).order.id).toBe(order.recordId)
  })
})

async function go(daysAgo: number): Promise<void> {
  await query('delete from pharmacy_orders where airtable_order_id = $1', order.recordId)
  await query(
    `update order_events set at = at - make_interval(days => $2)
     where id = (select max(id) from order_events where record_id = $1 and kind = 'gone')`,
    order.recordId,
    daysAgo,
  )
}

/** Of the history and the notes. */
async function kept(): Promise<number[]> {
  const { rows } = await query(
    `select (select count(*)::int from order_events where record_id = $1) as events,
       (select count(*)::int from order_notes where record_id = $1) as notes`,
    order.recordId,
  )
  return rows.flatMap((row: { events: number; notes: number }) => [row.events, row.notes])
}

const cleanUp = () => server.runTask(HISTORY_CLEANUP_TASK)

describe('what is kept of an order that is gone', () => {
  beforeEach(async () => {
    await change(counter, 'Confermato')
    const note = "insert into order_notes (pharmacy_id, record_id, text) values ($1, $2, 'uno')"
    await query(note, pharmacyId, order.recordId)
  })

  it('is deleted after thirty days', async () => {
    await go(31)
    await cleanUp()
    expect(await kept()).toEqual([0, 0])
  })

  it('is kept until then', async () => {
    await go(29)
    await cleanUp()
    expect(await kept()).toEqual([2, 1])
  })

  it('is kept when the order has come back', async () => {
    await go(31)
    await save(order)
    await cleanUp()
    expect(await kept()).toEqual([2, 1])
  })

  it('is kept for thirty days more when it has gone a second time', async () => {
    await go(31)
    await save(order)
    await go(1)
    await cleanUp()
    expect(await kept()).toEqual([3, 1])
  })

  it('is looked at every day', () => {
    expect(server.jobs.daily).toHaveProperty([HISTORY_CLEANUP_TASK])
  })
})

describe('the history', () => {
  it('goes with its pharmacy, and leaves nothing behind', async () => {
    const email = 'leaving@example.it'
    const leaving = await server.addPharmacy({ email, code: 'PHARM-0009' })
    const copies = createOrderCopyStore(server.database.db, noHooks)
    await copies.saveOrders(leaving, [sourceOrder()], new Date().toISOString())
    await query("update pharmacy_orders set status = 'Annullato' where pharmacy_id = $1", leaving)
    await query('delete from auth_users where id = $1', leaving)
    const { rowCount } = await query('select from order_events where pharmacy_id = $1', leaving)
    expect(rowCount).toBe(0)
  })
})

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

const add = (text: string) => call('POST', `${order.recordId}/notes`, text)
const notes = async () => (await detailsOf(server, order.recordId, counter)).notes

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
    const [seen] = (await detailsOf(server, order.recordId, office)).notes
    expect(seen?.who).toMatchObject({ you: true, here: false })
  })

  it('is by its last author', async () => {
    const { body } = await add('uno')
    await call('PATCH', `${order.recordId}/notes/${body.id}`, 'due', office)
    expect((await notes())[0]).toMatchObject({ text: 'due', who: { you: true, here: false } })
  })

  it('stands with the others, the oldest first', async () => {
    for (const text of ['uno', 'due', 'tre']) await add(text)
    expect((await notes()).map((note) => note.text)).toEqual(['uno', 'due', 'tre'])
  })

  it('can be changed and removed', async () => {
    const { body } = await add('uno')
    const changed = await call('PATCH', `${order.recordId}/notes/${body.id}`, 'due')
    expect(changed.body).toMatchObject({ id: body.id, text: 'due', at: body.at })
    expect(changed.body.changedAt).not.toBeNull()
    expect((await call('DELETE', `${order.recordId}/notes/${body.id}`)).status).toBe(200)
    expect(await notes()).toEqual([])
    const again = await call('DELETE', `${order.recordId}/notes/${body.id}`)
    expect([again.status, again.body.code]).toEqual([404, 'orders.note_not_found'])
  })

  it('is not one of an order that has enough of them, however many come at once', async () => {
    await server.database.pool.query(
      `insert into order_notes (pharmacy_id, record_id, text)
       select $1, $2, 'x' from generate_series(1, $3::int)`,
      [pharmacyId, order.recordId, MAX_NOTES - 2],
    )
    const replies = await Promise.all(['a', 'b', 'c', 'd'].map((text) => add(text)))
    expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 409, 409,
    ])
    const refused = replies.find((reply) => reply.status === 409)
    expect(refused?.body.code).toBe('orders.too_many_notes')
    expect(await notes()).toHaveLength(MAX_NOTES)
  })

  it.each([
    ['empty', '   '],
    ['too long', 'x'.repeat(NOTE_LENGTH + 1)],
  ])('is refused when it is %s', async (_what, text) => {
    expect((await add(text)).status).toBe(400)
  })

  it('is not found under another order', async () => {
    const { body } = await add('uno')
    const elsewhere = sourceOrder()
    await save(elsewhere)
    const path = `${elsewhere.recordId}/notes/${body.id}`
    for (const reply of [await call('PATCH', path, 'due'), await call('DELETE', path)]) {
      expect([reply.status, reply.body.code]).toEqual([404, 'orders.note_not_found'])
    }
    expect(await notes()).toMatchObject([{ text: 'uno' }])
  })

  it('is told to the screens of the pharmacy, without what it says', async () => {
    const heard: string[] = []
    const client = await server.database.pool.connect()
    client.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await client.query('listen orders_changed')
    await add('Chiamare')
    await expect.poll(() => heard).toHaveLength(1)
    expect(heard).toEqual([pharmacyId])
    client.release(true)
  })
})

describe('codes of a prescription that were shown', () => {
  it('are an event in the log of the pharmacy, which names the order and no code', async () => {
    const coded = sourceOrder({ details: 'NRE 1300A4000000248 cf RSSMRA79B11C566R' })
    await save(coded)
    const action = 'prescription_codes_shown'
    const url = '/api/orders/shown-codes'
    const shown = (recordId: string | null, headers = counter) =>
      server.app.inject({ method: 'POST', url, headers, payload: { recordId } })
    for (const recordId of [coded.recordId, null])
      expect((await shown(recordId)).statusCode).toBe(200)
    const unknown = await shown('recZZZZZZZZZZZZZZ')
    expect(unknown.json()).toMatchObject({ code: 'orders.not_found' })
    await server.addPharmacy({ email: 'stranger@example.it', code: 'PHARM-0010' })
    const stranger = await server.signIn('stranger@example.it')
    const foreign = await shown(coded.recordId, stranger)
    expect(foreign.json()).toMatchObject({ code: 'orders.not_found' })
    const log = await server.app.inject({ url: '/api/pharmacy/audit', headers: counter })
    const events = listPharmacyAudit.response.parse(log.json()).events
    expect(events.slice(0, 3)).toMatchObject([
      { action, outcome: 'refused', target: null },
      { action, outcome: 'done', target: null, details: [] },
      { action, outcome: 'done', target: `order:${coded.recordId}`, details: [] },
    ])
    expect(log.body).not.toMatch(/1300A4000000248|RSSMRA79B11C566R/)
  })
})
