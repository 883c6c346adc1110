import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { OrderStatus } from '@bancone/contract/orders'
import { startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSlots } from '../../../test/open-slots.ts'
import type { OrderSource } from '../../ports/order-source.ts'
import { createAirtableOrders } from './airtable-orders.ts'

const baseId = 'appTest0000000001'
const tableId = 'tblOrdini00000001'
const location = { baseId, tableId }

async function read(source: OrderSource) {
  let orders = 0
  for await (const page of source.readChanged(location, null)) orders += page.orders.length
  return orders
}

/** A server with responses that the sandbox never gives, an adapter for it, and the recorded requests. */
async function behind(answer: RequestListener) {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const source = createAirtableOrders({
    apiUrl: `http://127.0.0.1:${port}`,
    token: 'patTest',
    timeLimitMs: 500,
    sizeLimit: 1000,
    slots: openSlots(),
    retryMs: 1,
  })
  return { source, requests: () => requests }
}

const bodies: { what: string; send: (response: Parameters<RequestListener>[1]) => void }[] = [
  { what: 'stalls', send: (response) => response.write('{"records":[') },
  {
    what: 'breaks off',
    // Ended and not destroyed, so that what was written arrives first.
    send: (response) => response.write('{"records":[', () => response.socket?.end()),
  },
  { what: 'is too large', send: (response) => response.end('x'.repeat(1001)) },
]

describe('a reply whose body', () => {
  it.each(bodies)('$what is no answer, however well it began', async ({ send }) => {
    const { source, requests } = await behind((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      send(response)
    })
    const failure = { name: 'SourceError', kind: 'unreachable' }
    await expect(read(source)).rejects.toMatchObject(failure)
    expect(requests()).toBe(3)
  })

  it.each(bodies)('$what asks for silence all the same when it is a 429', async ({ send }) => {
    const { source, requests } = await behind((_, response) => {
      response.writeHead(429)
      send(response)
    })
    const failure = { name: 'SourceError', kind: 'rate_limited' }
    await expect(read(source)).rejects.toMatchObject(failure)
    await expect(source.setStatus(location, 'recA', 'Annullato')).rejects.toMatchObject(failure)
    expect(requests()).toBe(1)
  })
})

describe('many writes', () => {
  it('each reach their order, whatever the status', async () => {
    const airtable = await startAirtable({
      bases: { [baseId]: [ordersTable(tableId)] },
      requestsPerSecond: 10_000,
    })
    onTestFinished(() => airtable.close())
    const { url: apiUrl, token } = airtable
    const source = createAirtableOrders({ apiUrl, token, slots: openSlots() })
    const wanted = Array.from({ length: 5 }, () => OrderStatus.options).flat()
    const ids = airtable.create(
      baseId,
      tableId,
      wanted.map(() => ({ fields: {} })),
    )
    const changes = wanted.map((status, index) => {
      const id = ids[index] ?? ''
      return source.setStatus(location, id, status)
    })
    expect((await Promise.all(changes)).map((order) => order.status)).toEqual(wanted)
    const held = airtable.all(baseId, tableId).map(({ id, fields }) => [id, fields['Stato']])
    expect(held).toEqual(ids.map((id, index) => [id, wanted[index]]))
  })

  it('beyond what the base takes end in silence, which ends when the base takes more', async () => {
    let time = 0
    const airtable = await startAirtable({
      bases: { [baseId]: [ordersTable(tableId)] },
      requestsPerSecond: 2,
      now: () => time,
    })
    onTestFinished(() => airtable.close())
    const { url: apiUrl, token } = airtable
    const source = createAirtableOrders({ apiUrl, token, slots: openSlots(() => time) })
    const failure = { kind: 'rate_limited' }
    expect([await read(source), await read(source)]).toEqual([0, 0])
    await expect(read(source)).rejects.toMatchObject(failure)
    time = 29_999
    await expect(read(source)).rejects.toMatchObject(failure)
    expect(airtable.requests()).toMatchObject({ total: 3, limited: 1 })
    time = 30_000
    expect(await read(source)).toBe(0)
  })
})
