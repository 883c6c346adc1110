import { ErrorBody } from '@bancone/contract/errors'
import { type OrderRecord, OrdersPage } from '@bancone/contract/orders'
import { startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type TestServer, testServer } from '../../../../test/server.ts'

const tableId = 'tblMade0000000001'
const baseId = 'appMade0000000001'

let airtable: Awaited<ReturnType<typeof startAirtable>>
let server: TestServer
let program: { authorization: string }
let person: { authorization: string }
let pharmacyId: string
let made = 0

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
  return () => airtable.close()
})

beforeEach(async () => {
  airtable.fail({ mode: 'ok' })
  for (const { id } of stored()) airtable.remove(baseId, tableId, id)
  await server.database.pool.query('delete from pharmacies')
  await usePharmacy()
})

async function usePharmacy() {
  made += 1
  const email = `created-${made}@example.it`
  const location = { baseId, tableId }
  pharmacyId = await server.addPharmacy({ email, code: `CREATED-${made}`, airtable: location })
  person = await server.signIn(email)
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/api-keys',
    headers: person,
    payload: { name: 'Sito' },
  })
  const { key } = z.object({ key: z.string() }).parse(reply.json())
  program = { authorization: `Bearer ${key}` }
  await page()
}

const order = {
  Cliente: "Giulia D'Arco",
  'Phone Number': '+39 333 123 4567',
  Indirizzo: 'Via Garibaldi 12',
  Ordine: 'Tachipirina "1000"\n\\ una confezione',
}

let keys = 0
const newKey = () => `creation-${(keys += 1)}`

function post(fields: object = order, headers = program, key = newKey()) {
  return server.app.inject({
    method: 'POST',
    url: '/api/orders',
    headers: { ...headers, 'idempotency-key': key },
    payload: { fields },
  })
}

async function create(fields?: object, headers?: typeof program, key?: string) {
  const reply = await post(fields, headers, key)
  expect(reply.statusCode, reply.body).toBe(201)
  return reply.json<OrderRecord>()
}

async function page(): Promise<OrdersPage> {
  await server.app.inject({
    method: 'POST',
    url: '/api/airtable-orders/refresh',
    headers: person,
  })
  const reply = await server.app.inject({ url: '/api/airtable-orders', headers: person })
  return OrdersPage.parse(reply.json())
}

const stored = () => airtable.all(baseId, tableId)

function change(id: string, Stato: string) {
  const url = `/api/airtable-orders/${id}`
  const payload = { fields: { Stato } }
  return server.app.inject({ method: 'PATCH', url, headers: person, payload })
}

/** The job that brings the one order that waits for the store. */
async function waitingJob() {
  const { rows } = await server.database.pool.query<{ pharmacyId: string; orderId: string }>(
    'select pharmacy_id as "pharmacyId", order_id::text as "orderId" from order_creations',
  )
  return () => server.runTask('orders.create', rows[0])
}

/** As if so long had gone by since the store did not answer. */
const laterOn = () =>
  server.database.pool.query(
    `update order_creations set unsure_at = unsure_at - interval '1 minute',
      created_at = created_at - interval '1 minute'`,
  )

/** Once what waited for the store is there: how it is shown. */
function brought(): Promise<OrdersPage> {
  return vi.waitFor(
    async () => {
      const shown = await page()
      const { rows } = await server.database.pool.query('select from order_creations')
      expect(rows).toEqual([])
      return shown
    },
    { timeout: 15_000, interval: 20 },
  )
}

describe('an order that is made here', () => {
  it('is in the store, with all that was written, before the answer', async () => {
    const record = await create()
    const [there, ...others] = stored()
    expect(others).toEqual([])
    expect(there).toMatchObject({ id: record.id, fields: { ...order, Stato: 'In attesa' } })
    expect(record.fields).toMatchObject({ ...order, 'ID Ordine': there?.fields['ID Ordine'] })
    const { records, unseen } = await page()
    expect(records).toEqual([record])
    expect(unseen).toMatchObject({ count: 1, recordIds: [record.id] })
  })
})

describe('while the store', () => {
  it.each([
    ['has had too much', { mode: '429' }],
    ['is broken', { mode: '500' }],
  ] as const)('%s the order waits here, and is there once when it is back', async (_, failure) => {
    airtable.fail(failure)
    const record = await create()
    expect(record.id).toMatch(/^rec\w{17}$/)
    expect(record.seen).toBe(false)
    expect(record.fields).not.toHaveProperty('ID Ordine')
    const waiting = await page()
    expect(waiting.records).toEqual([record])
    expect(waiting.freshness.pendingChanges).toBe(1)
    airtable.fail({ mode: 'ok' })
    await laterOn()
    const { records, unseen, freshness } = await brought()
    expect(stored()).toHaveLength(1)
    const id = stored()[0]?.id ?? ''
    expect(records).toMatchObject([{ id, fields: order }])
    // The same that was new before.
    expect(unseen).toEqual({ count: 1, recordIds: [id], formerly: { [id]: record.id } })
    expect(freshness.pendingChanges).toBe(0)
    const seen = await server.app.inject({
      method: 'POST',
      url: '/api/orders/seen',
      headers: person,
      payload: { recordIds: [record.id] },
    })
    expect(seen.json()).toEqual({ count: 0, recordIds: [] })
  })

  it('is silent, the creation of an order is answered all the same', async () => {
    airtable.fail({ mode: 'slow', delayMs: 60_000 })
    const { id } = await create()
    expect(id).toHaveLength(20)
  })

  it('is back, a job brings what waits', async () => {
    airtable.fail({ mode: '429', times: 1 })
    await create()
    const job = await waitingJob()
    airtable.fail({ mode: '500', times: 1 })
    await expect(job()).rejects.toThrow('waiting')
    // The request that was not answered may yet come to pass.
    await expect(job()).rejects.toThrow('unsure')
    expect(stored()).toEqual([])
    await laterOn()
    await job()
    expect(stored()).toHaveLength(1)
    await expect(job()).resolves.toBeUndefined()
    expect(stored()).toHaveLength(1)
  })

  it('waits, a change of the order goes after it', async () => {
    airtable.fail({ mode: '429', times: 1 })
    const { id } = await create()
    const changed = await change(id, 'Annullato')
    expect(changed.json()).toMatchObject({ id, fields: { Stato: 'Annullato' } })
    const { records, notices } = await brought()
    expect(records).toMatchObject([{ fields: { Stato: 'Annullato' } }])
    await vi.waitFor(() => expect(stored()[0]?.fields['Stato']).toBe('Annullato'))
    expect(notices).toEqual([])
  })
})

it('a reply that is lost makes no second order', async () => {
  airtable.fail({ mode: 'lost-reply', times: 1 })
  const record = await create()
  expect(stored()).toHaveLength(1)
  const { records, unseen } = await brought()
  expect(records.map(({ id }) => id)).toEqual([stored()[0]?.id])
  expect(records[0]?.id).not.toBe(record.id)
  expect(unseen.count).toBe(1)
  await laterOn()
  await page()
  expect(stored()).toHaveLength(1)
})

describe('an order that the store refuses', () => {
  it('is not made, and may be asked for again', async () => {
    const key = newKey()
    airtable.fail({ mode: 'refuse-writes' })
    const reply = await post(order, person, key)
    expect([reply.statusCode, ErrorBody.parse(reply.json()).code]).toEqual([
      409,
      'orders.source_refused',
    ])
    expect((await page()).records).toEqual([])
    airtable.fail({ mode: 'ok' })
    await create(order, person, key)
    expect(stored()).toHaveLength(1)
  })

  it('later on stays here, and the pharmacy is told', async () => {
    airtable.fail({ mode: '429', times: 1 })
    const { id } = await create()
    airtable.fail({ mode: 'refuse-writes' })
    const shown = await vi.waitFor(
      async () => {
        const now = await page()
        expect(now.notices).toHaveLength(1)
        return now
      },
      { timeout: 15_000, interval: 20 },
    )
    expect(shown.records).toMatchObject([{ id, fields: order }])
    expect(shown.notices).toMatchObject([{ recordId: id, kind: 'not_created' }])
    airtable.fail({ mode: 'ok' })

    // It can be changed, and no sweep takes it for one that is gone.
    const changed = await change(id, 'Confermato')
    expect(changed.json()).toMatchObject({ id, fields: { Stato: 'Confermato' } })
    expect((await page()).records).toMatchObject([{ id, fields: { Stato: 'Confermato' } }])
    expect(stored()).toEqual([])
  })
})

describe('the same request', () => {
  it('twenty times at once makes one order', async () => {
    const key = newKey()
    const records = await Promise.all(Array.from({ length: 20 }, () => create(order, program, key)))
    expect((await brought()).records).toHaveLength(1)
    expect(stored()).toHaveLength(1)
    // On a busy machine an answer may come before that of Airtable: its id is an alias then.
    for (const id of new Set(records.map((record) => record.id))) {
      const reply = await server.app.inject({ url: `/api/orders/${id}`, headers: person })
      expect(reply.json()).toMatchObject({ order: { id: stored()[0]?.id } })
    }
  })

  it('again, once the store has the order, is answered with its record', async () => {
    const key = newKey()
    airtable.fail({ mode: '429', times: 1 })
    await create(order, program, key)
    await brought()
    const again = await create(order, program, key)
    expect(again.id).toBe(stored()[0]?.id)
    expect(stored()).toHaveLength(1)
  })
})

describe('a pharmacy', () => {
  it('that uses the store no more keeps the order that was to go there', async () => {
    airtable.fail({ mode: '429', times: 1 })
    const { id } = await create()
    const { pool } = server.database
    await pool.query("update pharmacies set orders_phase = 'retired' where id = $1", [pharmacyId])
    const job = await waitingJob()
    await job()
    await pool.query("update pharmacies set orders_phase = 'airtable' where id = $1", [pharmacyId])
    expect((await page()).records).toMatchObject([{ id, fields: { 'ID Ordine': 1 } }])
    expect(stored()).toEqual([])
  })

  it('that shares its table has its own word in it', async () => {
    const first = person
    await usePharmacy()
    const record = await create()
    expect(stored()[0]?.fields['PharmaWA']).toBe(`Farmacia CREATED-${made}`)
    expect((await page()).records).toMatchObject([{ id: record.id }])
    person = first
    expect((await page()).records).toEqual([])
  })
})
