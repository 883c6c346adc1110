import type { changeOrdersStatus, StatusChange } from '@bancone/contract/bulk-changes'
import type { Response } from '@bancone/contract/endpoint'
import { OrderStatus, type OrdersPage } from '@bancone/contract/orders'
import { type AirtableSandbox, startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { atEnd } from '../../../../test/at-end.ts'
import { type Caller, detailsOf } from '../../../../test/details-server.ts'
import { type TestServer, testApp, testServer } from '../../../../test/server.ts'
import { silentLog } from '../../../../test/silent-log.ts'
import type { Settings } from '../../../wiring/wiring.ts'

const baseId = 'appTest0000000001'
const tableId = 'tblOrdini00000001'

let airtable: AirtableSandbox
let settings: Partial<Settings>
let server: TestServer
let headers: Caller
let ids: string[]

beforeAll(async () => {
  // One of the states was taken out of the column.
  const options = OrderStatus.options.filter((status) => status !== 'Annullato')
  const table = ordersTable(tableId, { Stato: { kind: 'singleSelect', options } })
  airtable = await startAirtable({ bases: { [baseId]: [table] }, requestsPerSecond: 10_000 })
  atEnd(() => airtable.close())
  settings = {
    airtable: {
      apiUrl: airtable.url,
      token: airtable.token,
      perSecond: 1_000,
      perSecondOfUser: 1_000,
      retryMs: 1,
    },
    // Orders are read whenever a page is asked for.
    timing: { copy: { maxAgeMs: 0, refreshIntervalMs: 0 }, pushTimeoutMs: 20_000 },
  }
  server = await testServer(settings)
  const email = 'marco@example.it'
  await server.addPharmacy({ email, code: 'PHARM-0001', airtable: { baseId, tableId } })
  headers = await server.signIn(email)
})

beforeEach(async () => {
  airtable.fail({ mode: 'ok' })
  const records = ['Anna', 'Bruno', 'Carla', 'Dario'].map((Cliente) => ({
    fields: { Cliente, Stato: 'In attesa' },
  }))
  ids = airtable.create(baseId, tableId, records)
  await page()
})

async function page(): Promise<OrdersPage> {
  const reply = await server.app.inject({ url: '/api/airtable-orders?pageSize=100', headers })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

/** The statuses of the orders in Bancone. */
async function here(): Promise<(string | undefined)[]> {
  const { records } = await page()
  return ids.map((id) => records.find((record) => record.id === id)?.fields.Stato)
}

/** The statuses of the orders in Airtable. */
function there(): unknown[] {
  const records = airtable.all(baseId, tableId)
  return ids.map((id) => records.find((record) => record.id === id)?.fields['Stato'])
}

async function several(
  changes: readonly StatusChange[],
): Promise<Response<typeof changeOrdersStatus>> {
  const call = { method: 'POST' as const, url: '/api/orders/status', headers, payload: { changes } }
  const reply = await server.app.inject(call)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

/** A change of the first order. @returns status and code of the reply */
async function change(Stato: string, was?: string) {
  const query = new URLSearchParams(was ? { was } : {})
  const url = `/api/airtable-orders/${ids[0]}?${query.toString()}`
  const payload = { fields: { Stato } }
  const reply = await server.app.inject({ method: 'PATCH', url, headers, payload })
  return [reply.statusCode, reply.json<{ code?: string }>().code] as const
}

const changeInAirtable = (id: string, fields: object) =>
  airtable.update(baseId, tableId, id, { ...fields })

const all = (Stato: StatusChange['Stato']): StatusChange[] =>
  ids.map((recordId) => ({ recordId, Stato, was: 'In attesa' }))

async function waiting(): Promise<number> {
  const sql = 'select count(*)::int as waiting from order_changes'
  const { rows } = await server.database.pool.query<{ waiting: number }>(sql)
  return rows[0]?.waiting ?? 0
}

describe('changes of several orders that are in Airtable', () => {
  it('are made here at once and there soon, without being waited for', async () => {
    airtable.fail({ mode: 'slow', delayMs: 500 })
    const { changed, left } = await several(all('Confermato'))
    expect([changed.length, left.length]).toEqual([4, 0])
    expect(there()).toEqual(Array(4).fill('In attesa'))
    expect(await waiting()).toBe(4)
    airtable.fail({ mode: 'ok' })
    await expect.poll(there, { timeout: 10_000 }).toEqual(Array(4).fill('Confermato'))
    await expect.poll(waiting, { timeout: 10_000 }).toBe(0)
    expect(await here()).toEqual(Array(4).fill('Confermato'))
  })

  it('fare each by itself: one is refused, one was changed there meanwhile', async () => {
    const [refused = '', changedThere = ''] = ids
    changeInAirtable(changedThere, { Stato: 'Prenotato Domani' })
    const changes = all('Confermato')
    if (changes[0]) changes[0].Stato = 'Annullato'
    await several(changes)
    const becomes = ['In attesa', 'Prenotato Domani', 'Confermato', 'Confermato']
    await expect.poll(there, { timeout: 10_000 }).toEqual(becomes)
    await expect.poll(waiting, { timeout: 10_000 }).toBe(0)
    expect(await here()).toEqual(becomes)
    const notices = new Map((await page()).notices.map((one) => [one.recordId, one.kind]))
    expect([notices.get(refused), notices.get(changedThere)]).toEqual(['refused', 'conflict'])
  })

  it('are undone while they still wait', async () => {
    airtable.fail({ mode: '500' })
    const { changed } = await several(all('Confermato'))
    const back = changed.map(({ recordId, to }) => ({
      recordId,
      Stato: 'In attesa' as const,
      was: to,
    }))
    expect((await several(back)).left).toEqual([])
    expect(await here()).toEqual(Array(4).fill('In attesa'))
    airtable.fail({ mode: 'ok' })
    await page()
    await expect.poll(waiting, { timeout: 10_000 }).toBe(0)
    expect(there()).toEqual(Array(4).fill('In attesa'))
  })

  it('leave a job each, should this process not be able to push them', async () => {
    airtable.fail({ mode: '500' })
    await several(all('Prenotato Domani'))
    const { rows } = await server.database.pool.query<{ jobs: number; first: number }>(
      `select count(*)::int as jobs, min(job.priority)::int as first from graphile_worker.jobs job
       join pharmacy_orders record on job.key = 'orders.push:' || record.id
       where record.airtable_order_id = any ($1) and job.run_at > now()`,
      [ids],
    )
    expect(rows[0]?.jobs).toBe(4)
    // A mail is not behind hundreds of them that wait for a store that is away.
    expect(rows[0]?.first).toBeGreaterThan(0)
  })
})

describe('one change of an order that is in Airtable', () => {
  it('is neither made nor pushed when the order was changed here meanwhile', async () => {
    const replies = await Promise.all([
      change('Confermato', 'In attesa'),
      change('Prenotato Domani', 'In attesa'),
    ])
    expect(replies.toSorted(([one], [other]) => one - other)).toEqual([
      [200, undefined],
      [409, 'orders.changed_meanwhile'],
    ])
    const [status] = await here()
    expect(there()[0]).toBe(status)
  })

  it('is not made when the order was changed there meanwhile, and leaves a notice until it is dismissed', async () => {
    const [recordId = ''] = ids
    changeInAirtable(recordId, { Stato: 'Prenotato Domani' })
    expect(await change('Confermato')).toEqual([409, 'orders.conflict'])
    expect((await here())[0]).toBe('Prenotato Domani')
    const own = async () => (await page()).notices.filter((one) => one.recordId === recordId)
    expect(await own()).toMatchObject([
      { kind: 'conflict', wanted: 'Confermato', kept: 'Prenotato Domani' },
    ])
    expect((await page()).freshness).toMatchObject({ pendingChanges: 0, trouble: null })
    const url = `/api/orders/${recordId}/notice`
    const dismissed = await server.app.inject({ method: 'DELETE', url, headers })
    expect(dismissed.statusCode).toBe(200)
    expect(await own()).toEqual([])
  })

  it('finds no order that is gone from there, and takes it from all screens', async () => {
    const [recordId = ''] = ids
    airtable.remove(baseId, tableId, recordId)
    expect((await change('Confermato'))[0]).toBe(404)
    expect((await here())[0]).toBeUndefined()
    expect((await page()).notices[0]).toMatchObject({
      recordId,
      kind: 'gone',
      wanted: 'Confermato',
      kept: null,
    })
  })
})

describe('the history of an order that is in Airtable', () => {
  it('tells what people did here, what was done there, and what did not come to pass', async () => {
    const [recordId = ''] = ids
    expect((await change('Confermato'))[0]).toBe(200)
    changeInAirtable(recordId, { Stato: 'Prenotato in Giornata', Indirizzo: 'Via Nuova 2' })
    await page()
    airtable.fail({ mode: 'refuse-writes' })
    expect(await change('Prenotato Domani')).toEqual([409, 'orders.source_refused'])
    airtable.fail({ mode: 'ok' })
    changeInAirtable(recordId, { Stato: 'In attesa' })
    expect(await change('Confermato')).toEqual([409, 'orders.conflict'])

    const { history } = await detailsOf(server, recordId, headers)
    expect(
      history
        .toReversed()
        .map(({ kind, source, who, from, to }) => [kind, source, who?.here ?? null, from, to]),
    ).toEqual([
      ['received', 'airtable', null, null, null],
      ['status', 'person', true, 'In attesa', 'Confermato'],
      ['status', 'airtable', null, 'Confermato', 'Prenotato in Giornata'],
      ['content', 'airtable', null, null, null],
      ['status', 'person', true, 'Prenotato in Giornata', 'Prenotato Domani'],
      ['refused', 'airtable', null, null, 'Prenotato Domani'],
      ['status', 'airtable', null, 'Prenotato Domani', 'Prenotato in Giornata'],
      ['status', 'person', true, 'Prenotato in Giornata', 'Confermato'],
      ['conflict', 'airtable', null, null, 'Confermato'],
      ['status', 'airtable', null, 'Confermato', 'In attesa'],
    ])
    expect(history.find((entry) => entry.kind === 'content')?.columns).toEqual(['Indirizzo'])
  })
})

it('orders that come into Airtable are read by a process that runs, without being asked for', async () => {
  const timing = { pollSchedule: { checkIntervalMs: 20, watchedMs: 50 } }
  const { app, wired } = await testApp(server.database, { ...settings, timing }, silentLog)
  onTestFinished(async () => {
    await app.close()
    await wired.close()
  })
  wired.start()
  // A page asks for the orders, after the usual pause between two readings.
  await app.inject({ url: '/api/airtable-orders', headers })
  await server.database.pool.query('update order_copies set poll_at = now()')
  const fields = { Cliente: 'Elena', Stato: 'In attesa' }
  const [recordId] = airtable.create(baseId, tableId, [{ fields }])
  const sql = 'select from pharmacy_orders where airtable_order_id = $1'
  const copied = async () => (await server.database.pool.query(sql, [recordId])).rowCount
  await expect.poll(copied, { timeout: 10_000 }).toBe(1)
})
