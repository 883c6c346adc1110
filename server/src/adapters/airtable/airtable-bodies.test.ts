import type { RequestListener } from 'node:http'
import { OrderStatus } from '@bancone/contract/orders'
import { describe, expect, it } from 'vitest'
import {
  airtableAdapter,
  baseId,
  countOrders,
  location,
  tableId,
} from '../../../test/airtable-adapter.ts'
import { fetchAnywhere } from '../../../test/fetch-anywhere.ts'
import { foreignServer } from '../../../test/foreign-server.ts'
import { unlimitedSlots } from '../../../test/unlimited-slots.ts'
import { createAirtableOrders } from './airtable-orders.ts'

/** A server with responses that the sandbox never gives, an adapter for it, and the recorded requests. */
async function behind(answer: RequestListener) {
  const there = await foreignServer(answer)
  const source = createAirtableOrders({
    apiUrl: there.origin,
    token: 'patTest',
    timeLimitMs: 500,
    sizeLimit: 1000,
    slots: unlimitedSlots(),
    fetch: fetchAnywhere,
    retryMs: 1,
  })
  return { source, requests: () => there.requestCount }
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
    await expect(countOrders(source)).rejects.toMatchObject(failure)
    expect(requests()).toBe(3)
  })

  it.each(bodies)('$what asks for silence all the same when it is a 429', async ({ send }) => {
    const { source, requests } = await behind((_, response) => {
      response.writeHead(429)
      send(response)
    })
    const failure = { name: 'SourceError', kind: 'rate_limited' }
    await expect(countOrders(source)).rejects.toMatchObject(failure)
    await expect(source.setStatus(location, 'recA', 'Annullato')).rejects.toMatchObject(failure)
    expect(requests()).toBe(1)
  })
})

describe('many writes', () => {
  it('each reach their order, whatever the status', async () => {
    const { airtable, source } = await airtableAdapter()
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
    const { airtable, source } = await airtableAdapter(
      { requestsPerSecond: 2, now: () => time },
      { slots: unlimitedSlots(() => time) },
    )
    const failure = { kind: 'rate_limited' }
    expect([await countOrders(source), await countOrders(source)]).toEqual([0, 0])
    await expect(countOrders(source)).rejects.toMatchObject(failure)
    time = 29_999
    await expect(countOrders(source)).rejects.toMatchObject(failure)
    expect(airtable.requests()).toMatchObject({ total: 3, limited: 1 })
    time = 30_000
    expect(await countOrders(source)).toBe(0)
  })
})
