import type { OrdersPage } from '@bancone/contract/orders'
import type { AirtableSandbox } from '@bancone/sandbox/airtable'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { airtableServer, baseId, tableId } from '../../../../test/airtable-server.ts'
import type { TestServer } from '../../../../test/server.ts'

let airtable: AirtableSandbox
let server: TestServer
let headers: { authorization: string }
let recordId: string

beforeAll(async () => {
  ;({ airtable, server, headers } = await airtableServer())
})

beforeEach(async () => {
  const fields = { Cliente: 'Anna', Stato: 'In attesa' }
  recordId = airtable.create(baseId, tableId, [{ fields }])[0] ?? ''
  await page()
})

async function page(): Promise<OrdersPage> {
  const reply = await server.app.inject({ url: '/api/airtable-orders', headers })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

function patch(Stato: string) {
  const url = `/api/airtable-orders/${recordId}`
  return server.app.inject({ method: 'PATCH', url, headers, payload: { fields: { Stato } } })
}

const dismiss = () =>
  server.app.inject({ method: 'DELETE', url: `/api/orders/${recordId}/notice`, headers })

describe('a change of an order that was changed in Airtable meanwhile', () => {
  it('is not made: whoever asked is told, and so are all screens until one has read it', async () => {
    airtable.update(baseId, tableId, recordId, { Stato: 'Annullato' })
    const reply = await patch('Confermato')
    expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([
      409,
      'orders.conflict',
    ])
    const { records, notices, freshness } = await page()
    expect(records.find((one) => one.id === recordId)?.fields.Stato).toBe('Annullato')
    expect(notices).toMatchObject([
      { recordId, kind: 'conflict', wanted: 'Confermato', kept: 'Annullato' },
    ])
    expect(freshness).toMatchObject({ pendingChanges: 0, trouble: null })
    expect((await dismiss()).statusCode).toBe(200)
    expect((await page()).notices).toEqual([])
  })
})

describe('a change of an order that is gone from Airtable', () => {
  it('is not found, and the order goes from all screens', async () => {
    airtable.remove(baseId, tableId, recordId)
    expect((await patch('Confermato')).statusCode).toBe(404)
    const { records, notices } = await page()
    expect(records.map((one) => one.id)).not.toContain(recordId)
    expect(notices).toMatchObject([{ recordId, kind: 'gone', wanted: 'Confermato', kept: null }])
    await dismiss()
  })
})
