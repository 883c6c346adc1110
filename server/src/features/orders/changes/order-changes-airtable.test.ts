import type { Response } from '@bancone/contract/endpoint'
import type { changeOrdersStatus, StatusChange } from '@bancone/contract/order-search'
import { OrderStatus, type OrdersPage } from '@bancone/contract/orders'
import type { AirtableSandbox } from '@bancone/sandbox/airtable'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { airtableServer, baseId, tableId } from '../../../../test/airtable-server.ts'
import type { TestServer } from '../../../../test/server.ts'

let airtable: AirtableSandbox
let server: TestServer
let headers: { authorization: string }
let ids: string[]

beforeAll(async () => {
  // Somebody has taken one of the states out of the column.
  const options = OrderStatus.options.filter((status) => status !== 'Annullato')
  const made = await airtableServer({ Stato: { kind: 'singleSelect', options } })
  ;({ airtable, server, headers } = made)
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

async function here(): Promise<(string | undefined)[]> {
  const { records } = await page()
  return ids.map((id) => records.find((record) => record.id === id)?.fields.Stato)
}

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

const all = (Stato: StatusChange['Stato']): StatusChange[] =>
  ids.map((recordId) => ({ recordId, Stato, was: 'In attesa' }))

async function waiting(): Promise<number> {
  const sql = 'select count(*)::int as waiting from order_changes'
  const { rows } = await server.database.pool.query<{ waiting: number }>(sql)
  return rows[0]?.waiting ?? 0
}

describe('changes of several orders that are in Airtable', () => {
  it('are here at once, and all of them there soon, without being waited for', async () => {
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
    airtable.update(baseId, tableId, changedThere, { Stato: 'Prenotato Domani' })
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
  it('that somebody has changed here meanwhile is neither made nor pushed', async () => {
    const [recordId = ''] = ids
    const patch = (Stato: string, was: string) =>
      server.app.inject({
        method: 'PATCH',
        url: `/api/airtable-orders/${recordId}?${new URLSearchParams({ was }).toString()}`,
        headers,
        payload: { fields: { Stato } },
      })
    const replies = await Promise.all([
      patch('Confermato', 'In attesa'),
      patch('Prenotato Domani', 'In attesa'),
    ])
    expect(replies.map((reply) => reply.statusCode).toSorted((a, b) => a - b)).toEqual([200, 409])
    const lost = replies.find((reply) => reply.statusCode === 409)
    expect(lost?.json<{ code: string }>().code).toBe('orders.changed_meanwhile')
    const [status] = await here()
    expect(there()[0]).toBe(status)
  })
})
