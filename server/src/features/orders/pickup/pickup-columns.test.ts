import {
  changeOrdersPickup,
  changePickupColumns,
  getPickupColumns,
} from '@bancone/contract/order-pickup'
import type { OrderPickup, OrdersPage } from '@bancone/contract/orders'
import { type AirtableSandbox, startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { type Caller, detailsOf } from '../../../../test/details-server.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'

const baseId = 'appTest0000000001'
const tableId = 'tblOrdini00000001'
const sharedId = 'tblOrdini00000002'

const names = { ready: 'Pronto il', collected: 'Ritirato il', putBack: 'Rimesso il' }

let airtable: AirtableSandbox
let server: TestServer
let owner: Caller
let orderId: string
let places = 0

beforeAll(async () => {
  const columns = {
    'Pronto il': { kind: 'dateTime' },
    'Ritirato il': { kind: 'text' },
    'Rimesso il': { kind: 'date' },
    Scaffale: { kind: 'singleSelect', options: ['A1'] },
  } as const
  airtable = await startAirtable({
    bases: { [baseId]: [tableId, sharedId].map((id) => ordersTable(id, columns)) },
    requestsPerSecond: 10_000,
  })
  atEnd(() => airtable.close())
  server = await testServer({
    airtable: {
      apiUrl: airtable.url,
      token: airtable.token,
      perSecond: 1_000,
      perSecondOfUser: 1_000,
      retryMs: 1,
    },
    // Orders are read whenever a page is asked for.
    timing: { copy: { maxAgeMs: 0, refreshIntervalMs: 0 }, pushTimeoutMs: 20_000 },
  })
})

/** Each test has a pharmacy of its own with one order; those before it have left the table. */
beforeEach(async () => {
  airtable.fail({ mode: 'ok' })
  await server.database.pool.query('update pharmacies set airtable_base_id = null')
  owner = await pharmacyOn(tableId)
  ;[orderId = ''] = airtable.create(baseId, tableId, [
    { fields: { Cliente: 'Anna', Ordine: 'Garze', Stato: 'In attesa' } },
  ])
  await page()
})

async function pharmacyOn(table: string): Promise<Caller> {
  places += 1
  const email = `own${places}@example.it`
  const location = { baseId, tableId: table }
  await server.addPharmacy({ email, code: `PHARM-000${places}`, airtable: location })
  return server.signIn(email)
}

async function page(headers = owner): Promise<OrdersPage> {
  const url = '/api/airtable-orders?pageSize=100'
  return (await server.app.inject({ url, headers })).json()
}

async function press(to: OrderPickup, recordId = orderId, headers = owner) {
  const url = '/api/orders/pickup'
  const payload = { changes: [{ recordId, to }] }
  const reply = await server.app.inject({ method: 'POST', url, headers, payload })
  return changeOrdersPickup.response.parse(reply.json())
}

const setStatus = (Stato: string, recordId = orderId) =>
  server.app.inject({
    method: 'PATCH',
    url: `/api/airtable-orders/${recordId}`,
    headers: owner,
    payload: { fields: { Stato } },
  })

const readyBy = (readyStatus: string) =>
  server.app.inject({
    method: 'PUT',
    url: '/api/orders/pickup-settings',
    headers: owner,
    payload: { readyStatus, overdueDays: 3 },
  })

const name = (columns: Partial<Record<keyof typeof names, string>>, headers = owner) =>
  server.app.inject({
    method: 'PUT',
    url: '/api/orders/pickup-columns',
    headers,
    payload: { ready: null, collected: null, putBack: null, ...columns },
  })

async function named(columns: Partial<typeof names>, headers = owner) {
  const reply = await name(columns, headers)
  return changePickupColumns.response.parse(reply.json())
}

async function refused(): Promise<string[]> {
  const reply = await server.app.inject({ url: '/api/orders/pickup-columns', headers: owner })
  return getPickupColumns.response.parse(reply.json()).refused
}

/** The cells of an order in Airtable. */
const there = (recordId = orderId, table = tableId) =>
  airtable.all(baseId, table).find(({ id }) => id === recordId)?.fields ?? {}

/** Its columns that have a moment. */
const filled = (recordId = orderId, table = tableId) =>
  Object.values(names).filter((column) => column in there(recordId, table))

async function waiting(): Promise<number> {
  const sql = 'select from order_pickup_changes'
  return (await server.database.pool.query(sql)).rowCount ?? 0
}

/** Each reading starts the pushes, which end after it. */
async function nothingWaits() {
  const afterReading = () => page().then(waiting)
  await expect.poll(afterReading, { timeout: 10_000 }).toBe(0)
}

describe('the moments of an order', () => {
  it('are written into the named columns, each as its type wants, and taken back', async () => {
    expect(await named(names)).toEqual({ columns: names, refused: [] })
    await press('ready')
    await nothingWaits()
    expect(there()['Pronto il']).toMatch(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    await press('put_back')
    await nothingWaits()
    expect(there()['Rimesso il']).toMatch(/^20\d\d-\d\d-\d\d$/)
    await press('collected')
    await nothingWaits()
    expect(there()['Ritirato il']).toMatch(/^\d\d\/\d\d\/20\d\d, \d\d:\d\d$/)
    expect(filled()).toEqual(['Pronto il', 'Ritirato il'])
    expect(there()['Stato']).toBe('In attesa')
    await press('none')
    await nothingWaits()
    expect(filled()).toEqual([])
  })

  it('are no change of the order that is read back, and arrive by a job if not before', async () => {
    await named(names)
    const before = await page()
    await press('ready')
    await nothingWaits()
    const after = await page()
    const Last = after.records[0]?.fields.Last
    expect(after.records[0]?.fields).toEqual({ ...before.records[0]?.fields, Last })
    const { history } = await detailsOf(server, orderId, owner)
    expect(history.map(({ kind }) => kind)).toEqual(['pickup', 'received'])
    const { rowCount } = await server.database.pool.query(
      `select from graphile_worker.jobs job
       join pharmacy_orders record on job.key = 'orders.push:' || record.id
       where record.airtable_order_id = $1`,
      [orderId],
    )
    expect(rowCount).toBe(1)
  })

  it('are not written without names, nor those from before', async () => {
    await press('ready')
    expect(await waiting()).toBe(0)
    await named({ ready: 'Pronto il' })
    await nothingWaits()
    expect(filled()).toEqual([])
  })

  it('wait while Airtable is away, the last of them alone', async () => {
    await named(names)
    airtable.fail({ mode: '500' })
    await press('ready')
    await press('collected')
    await press('ready')
    expect(await waiting()).toBe(1)
    airtable.fail({ mode: 'ok' })
    await nothingWaits()
    expect(filled()).toEqual(['Pronto il'])
  })

  it('are taken back while they wait', async () => {
    await named(names)
    airtable.fail({ mode: '500' })
    await press('ready')
    await press('none')
    airtable.fail({ mode: 'ok' })
    await nothingWaits()
    expect(filled()).toEqual([])
  })

  it('of the status that makes ready follow it, whoever sets it', async () => {
    await named({ ready: 'Pronto il' })
    await readyBy('Confermato')
    await setStatus('Confermato')
    await nothingWaits()
    expect([filled(), there()['Stato']]).toEqual([['Pronto il'], 'Confermato'])
    airtable.update(baseId, tableId, orderId, { Stato: 'In attesa' })
    await nothingWaits()
    expect([filled(), there()['Stato']]).toEqual([[], 'In attesa'])
  })

  it('of the last line that is there, too', async () => {
    await named({ ready: 'Pronto il' })
    const url = `/api/orders/${orderId}/lines`
    const payload = { place: 0, text: 'Garze', isThere: true }
    const reply = await server.app.inject({ method: 'PUT', url, headers: owner, payload })
    expect(reply.json()).toEqual({ from: 'none', to: 'ready' })
    await nothingWaits()
    expect(filled()).toEqual(['Pronto il'])
  })

  it('are written although the status of the order comes to a conflict', async () => {
    await named(names)
    airtable.update(baseId, tableId, orderId, { Stato: 'Annullato' })
    await press('collected')
    expect((await setStatus('Confermato')).statusCode).toBe(409)
    await nothingWaits()
    expect([filled(), there()['Stato']]).toEqual([['Ritirato il'], 'Annullato'])
  })

  it('of an order that Airtable has lost are given up', async () => {
    await named(names)
    airtable.remove(baseId, tableId, orderId)
    await press('ready')
    await nothingWaits()
  })
})

describe('a column that Airtable refuses', () => {
  it('is said when it is named, and again after it was written', async () => {
    const columns = { ...names, collected: 'Manca', putBack: 'Scaffale' }
    expect((await named(columns)).refused).toEqual(['Manca', 'Scaffale'])
    expect((await named(names)).refused).toEqual([])
    airtable.fail({ mode: '500' })
    expect((await named(columns)).refused).toEqual([])
    airtable.fail({ mode: 'ok' })
    await press('ready')
    await press('put_back')
    await nothingWaits()
    expect(await refused()).toEqual(['Manca', 'Scaffale'])
  })

  it('keeps neither the others nor the status from Airtable, and the moments stay here', async () => {
    await named({ ready: 'Pronto il', collected: 'Manca' })
    await press('ready')
    await press('collected')
    expect((await setStatus('Confermato')).statusCode).toBe(200)
    await nothingWaits()
    expect([filled(), there()['Stato']]).toEqual([['Pronto il'], 'Confermato'])
    const { records, freshness, notices } = await page()
    expect(records[0]?.collectedAt).toMatch(/^20/)
    expect([freshness.trouble, freshness.pendingChanges, notices]).toEqual([null, 0, []])
  })

  it('cannot be one that the product uses, or named twice', async () => {
    for (const columns of [
      { ready: 'Stato' },
      { collected: 'pharmawa' },
      { ready: 'Pronto il', putBack: 'pronto il' },
    ]) {
      const reply = await name(columns)
      expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([
        422,
        'orders.column_in_use',
      ])
    }
  })
})

describe('orders of others', () => {
  it('in a shared table have the columns of their own pharmacy', async () => {
    const [first, second] = [await pharmacyOn(sharedId), await pharmacyOn(sharedId)]
    const codes = [`PHARM-000${places - 1}`, `PHARM-000${places}`]
    const [ofFirst = '', ofSecond = '', moved = ''] = airtable.create(
      baseId,
      sharedId,
      [codes[0], codes[1], codes[0]].map((PharmaWA) => ({
        fields: { Cliente: 'Bruno', Stato: 'In attesa', PharmaWA },
      })),
    )
    await page(first)
    await page(second)
    await named({ ready: 'Pronto il' }, first)
    await named({ ready: 'Ritirato il' }, second)
    // Its pharmacy does not know yet.
    airtable.update(baseId, sharedId, moved, { PharmaWA: codes[1] })
    await press('ready', ofFirst, first)
    await press('ready', moved, first)
    await press('ready', ofSecond, second)
    await page(first)
    await page(second)
    await expect.poll(waiting, { timeout: 10_000 }).toBe(0)
    const columns = [ofFirst, ofSecond, moved].map((id) => filled(id, sharedId))
    expect(columns).toEqual([['Pronto il'], ['Ritirato il'], []])
  })

  it('that are in our database alone have none', async () => {
    await named(names)
    airtable.fail({ mode: '500' })
    await press('ready')
    await server.database.pool.query("update pharmacies set orders_phase = 'retired'")
    const { rows } = await server.database.pool.query<{ pharmacyId: string; orderId: string }>(
      'select pharmacy_id as "pharmacyId", order_id as "orderId" from order_pickup_changes',
    )
    // Until the push of the request has ended, which finds Airtable away.
    const jobEnds = async () => {
      await server.runTask('orders.push', rows[0]).catch(() => {})
      return waiting()
    }
    await expect.poll(jobEnds, { timeout: 10_000 }).toBe(0)
    await press('collected')
    expect(await waiting()).toBe(0)
    expect(filled()).toEqual([])
    expect((await name(names)).json()).toMatchObject({ code: 'orders.not_on_airtable' })
    const reply = await server.app.inject({ url: '/api/orders/pickup-columns', headers: owner })
    expect(reply.json()).toEqual({ columns: null, refused: [] })
  })
})
