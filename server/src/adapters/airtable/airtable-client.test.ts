import { setTimeout as pause } from 'node:timers/promises'
import { type AirtableOptions as SandboxOptions, startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { OrderSource } from '../../ports/order-source.ts'
import type { AirtableOptions } from './airtable-client.ts'
import { createAirtableOrders } from './airtable-orders.ts'

const baseId = 'appTest0000000001'
const otherBaseId = 'appTest0000000002'
const tableId = 'tblOrdini00000001'
const location = { baseId, tableId }

/** So long, in milliseconds, that a test which waits for it is ended by its time limit. */
const FOREVER = 1_000_000

async function start(
  options: Partial<AirtableOptions> = {},
  sandbox: Partial<SandboxOptions> = { requestsPerSecond: 10_000 },
) {
  const tables = [ordersTable(tableId)]
  const airtable = await startAirtable({
    bases: { [baseId]: tables, [otherBaseId]: tables },
    ...sandbox,
  })
  onTestFinished(() => airtable.close())
  const fields = { Cliente: 'Anna', Stato: 'In attesa' }
  const ids = airtable.create(
    baseId,
    tableId,
    Array.from({ length: 150 }, () => ({ fields })),
  )
  const source = createAirtableOrders({ apiUrl: airtable.url, token: airtable.token, ...options })
  return { airtable, source, ids }
}

async function read(source: OrderSource, signal?: AbortSignal, where = location) {
  let orders = 0
  for await (const page of source.readChanged(where, null, signal)) orders += page.orders.length
  return orders
}

describe('the pace', () => {
  it('of ten callers of one base is never too much for it, whatever the way holds up', async () => {
    let sent = 0
    const { airtable, source, ids } = await start(
      {
        // The first connections take their time, as they do; what comes later overtakes the delay.
        fetch: async (input, init) => {
          sent += 1
          if (sent <= 4) await pause(150)
          return fetch(input, init)
        },
      },
      {},
    )
    const callers = ids
      .slice(0, 10)
      .map((id) => source.setStatus(location, id, 'Confermato').then((order) => order.recordId))
    expect(await Promise.all(callers)).toEqual(ids.slice(0, 10))
    expect(airtable.requests()).toMatchObject({ total: 10, limited: 0 })
  })

  it('lets a write go before the readings that wait', async () => {
    const methods: string[] = []
    const { source, ids } = await start({
      perSecond: 1,
      secondMs: 20,
      fetch: (input, init) => {
        methods.push(init?.method ?? '')
        return fetch(input, init)
      },
    })
    const reading = Promise.all([read(source), read(source), read(source)])
    await vi.waitFor(() => expect(methods).toEqual(['GET']), { interval: 1 })
    await source.setStatus(location, ids[0] ?? '', 'Confermato')
    expect(methods).toEqual(['GET', 'PATCH'])
    expect(await reading).toEqual([150, 150, 150])
  })

  it('of a base is its own', async () => {
    const { source } = await start({ perSecond: 1, secondMs: FOREVER })
    const ending = new AbortController()
    const reading = read(source, ending.signal)
    expect(await read(source, undefined, { baseId: otherBaseId, tableId })).toBe(0)
    ending.abort()
    await expect(reading).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('of the token is that of all bases', async () => {
    const { airtable, source } = await start({ perSecondOfToken: 1, secondMs: FOREVER })
    const other = { baseId: otherBaseId, tableId }
    expect(await read(source, undefined, other)).toBe(0)
    const ending = new AbortController()
    const reading = read(source, ending.signal)
    await pause(50)
    ending.abort()
    await expect(reading).rejects.toMatchObject({ kind: 'unreachable' })
    expect(airtable.requests().total).toBe(1)
  })
})

describe('a reading that is ended', () => {
  const ended = { name: 'SourceError', kind: 'unreachable', message: 'the reading was ended' }
  const fast = { perSecond: 1000, perSecondOfToken: 1000, retryMs: 1 }

  it('before it began asks nothing', async () => {
    const { airtable, source } = await start(fast)
    await expect(read(source, AbortSignal.abort())).rejects.toMatchObject(ended)
    expect(airtable.requests().total).toBe(0)
  })

  it.each([
    {
      where: 'in the middle of a request',
      failure: { mode: 'slow', delayMs: FOREVER },
      options: { timeLimitMs: FOREVER },
    },
    { where: 'between two tries', failure: { mode: '500' }, options: { retryMs: FOREVER } },
    {
      where: 'in the queue',
      failure: { mode: 'ok' },
      options: { perSecond: 1, secondMs: FOREVER },
    },
  ] as const)('$where ends there, and asks no more', async ({ failure, options }) => {
    const { airtable, source } = await start({ ...fast, ...options })
    airtable.fail(failure)
    const ending = new AbortController()
    const reading = read(source, ending.signal)
    await vi.waitFor(() => expect(airtable.requests().total).toBe(1), { interval: 5 })
    await pause(50)
    ending.abort(new Error('who ended it may say anything'))
    await expect(reading).rejects.toMatchObject(ended)
    airtable.fail({ mode: 'ok' })
    await pause(50)
    expect(airtable.requests().total).toBe(1)
  })

  it('lets go of the connection, too', async () => {
    const signals: (AbortSignal | null | undefined)[] = []
    const { airtable, source } = await start({
      ...fast,
      timeLimitMs: FOREVER,
      fetch: (input, init) => {
        signals.push(init?.signal)
        return fetch(input, init)
      },
    })
    airtable.fail({ mode: 'slow', delayMs: FOREVER })
    const ending = new AbortController()
    const reading = read(source, ending.signal)
    await vi.waitFor(() => expect(airtable.requests().total).toBe(1), { interval: 5 })
    ending.abort()
    await expect(reading).rejects.toMatchObject(ended)
    expect(signals).toMatchObject([{ aborted: true }])
  })

  it('between two pages ends there, with what was read', async () => {
    const { airtable, source } = await start(fast)
    const ending = new AbortController()
    const sizes: number[] = []
    const reading = (async () => {
      for await (const page of source.readChanged(location, null, ending.signal)) {
        sizes.push(page.orders.length)
        ending.abort()
      }
    })()
    await expect(reading).rejects.toMatchObject(ended)
    expect(sizes).toEqual([100])
    expect(airtable.requests().total).toBe(1)
  })

  it('leaves others to theirs', async () => {
    const { airtable, source, ids } = await start(fast)
    airtable.fail({ mode: 'slow', delayMs: 100 })
    const ending = new AbortController()
    const reading = read(source, ending.signal)
    const others = [read(source), source.setStatus(location, ids[0] ?? '', 'Annullato')]
    await pause(20)
    ending.abort()
    await expect(reading).rejects.toMatchObject(ended)
    expect(await Promise.all(others)).toEqual([
      150,
      expect.objectContaining({ status: 'Annullato' }),
    ])
  })
})
