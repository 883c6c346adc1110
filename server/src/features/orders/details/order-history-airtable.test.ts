import type { AirtableSandbox } from '@bancone/sandbox/airtable'
import { beforeAll, describe, expect, it } from 'vitest'
import { airtableServer, baseId, tableId } from '../../../../test/airtable-server.ts'
import { type Caller, detailsOf } from '../../../../test/details-server.ts'
import type { TestServer } from '../../../../test/server.ts'

let airtable: AirtableSandbox
let server: TestServer
let headers: Caller
let recordId: string

beforeAll(async () => {
  ;({ airtable, server, headers } = await airtableServer())
})

async function read(): Promise<void> {
  const url = '/api/airtable-orders/refresh'
  const reply = await server.app.inject({ method: 'POST', url, headers })
  expect(reply.json()).toMatchObject({ stale: false })
}

async function change(Stato: string): Promise<number> {
  const url = `/api/airtable-orders/${recordId}`
  const payload = { fields: { Stato } }
  const reply = await server.app.inject({ method: 'PATCH', url, headers, payload })
  return reply.statusCode
}

describe('the history of an order that is in Airtable', () => {
  it('tells what people did here, what was done there, and what did not come to pass', async () => {
    const fields = { Cliente: 'Anna', Stato: 'In attesa' }
    recordId = airtable.create(baseId, tableId, [{ fields }])[0] ?? ''
    await read()

    expect(await change('Confermato')).toBe(200)
    airtable.update(baseId, tableId, recordId, { Stato: 'Annullato', Indirizzo: 'Via Nuova 2' })
    await read()
    airtable.fail({ mode: 'refuse-writes' })
    expect(await change('Prenotato Domani')).toBe(409)
    airtable.fail({ mode: 'ok' })
    airtable.update(baseId, tableId, recordId, { Stato: 'In attesa' })
    expect(await change('Confermato')).toBe(409)

    const { history } = await detailsOf(server, recordId, headers)
    expect(
      history
        .toReversed()
        .map(({ kind, source, who, from, to }) => [kind, source, who?.here ?? null, from, to]),
    ).toEqual([
      ['received', 'airtable', null, null, null],
      ['status', 'person', true, 'In attesa', 'Confermato'],
      ['status', 'airtable', null, 'Confermato', 'Annullato'],
      ['content', 'airtable', null, null, null],
      ['status', 'person', true, 'Annullato', 'Prenotato Domani'],
      ['refused', 'airtable', null, null, 'Prenotato Domani'],
      ['status', 'airtable', null, 'Prenotato Domani', 'Annullato'],
      ['status', 'person', true, 'Annullato', 'Confermato'],
      ['conflict', 'airtable', null, null, 'Confermato'],
      ['status', 'airtable', null, 'Confermato', 'In attesa'],
    ])
    expect(history.find((entry) => entry.kind === 'content')?.columns).toEqual(['Indirizzo'])
  })
})
