import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import {
  airtableAdapter,
  baseId,
  countOrders,
  location,
  tableId,
} from '../../../test/airtable-adapter.ts'
import { fetchAnywhere } from '../../../test/fetch-anywhere.ts'
import { unlimitedSlots } from '../../../test/unlimited-slots.ts'
import type { OrderSource } from '../../ports/order-source.ts'
import type { RequestSlots } from '../../ports/request-slots.ts'
import type { AirtableOptions } from './airtable-client.ts'

/** Longer than the tests' time limit, in milliseconds. */
const FOREVER = 1_000_000

async function start(options: Partial<AirtableOptions> = {}) {
  const { airtable, source } = await airtableAdapter({}, options)
  const fields = { Cliente: 'Anna', Stato: 'In attesa' }
  const ids = airtable.create(
    baseId,
    tableId,
    Array.from({ length: 150 }, () => ({ fields })),
  )
  return { airtable, source, ids }
}

/** Has a slot for the first call only. */
function crowdedSlots(): RequestSlots {
  const slots = unlimitedSlots()
  let given = 0
  return {
    ...slots,
    async take(limits, holdMs) {
      given += 1
      return given > 1 ? { outcome: 'wait', waitMs: FOREVER } : slots.take(limits, holdMs)
    },
  }
}

const read = (source: OrderSource, signal?: AbortSignal) => countOrders(source, location, signal)

describe('a reading that is ended', () => {
  const ended = { name: 'SourceError', kind: 'unreachable', message: 'the reading was ended' }

  it('before it began asks nothing', async () => {
    const { airtable, source } = await start()
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
      options: { slots: crowdedSlots() },
    },
  ] as const)('$where ends there, and asks no more', async ({ failure, options }) => {
    const { airtable, source } = await start(options)
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

  it('gives back the place that it is given too late', async () => {
    const ending = new AbortController()
    const released: [string, number][] = []
    const { airtable, source } = await start({
      slots: {
        ...unlimitedSlots(),
        async take() {
          ending.abort()
          return { outcome: 'taken', slot: 'too late' }
        },
        async release(slot, afterMs) {
          released.push([slot, afterMs])
        },
      },
    })
    await expect(read(source, ending.signal)).rejects.toMatchObject(ended)
    await vi.waitFor(() => expect(released).toEqual([['too late', 0]]), { interval: 5 })
    expect(airtable.requests().total).toBe(0)
  })

  it('hands the end on to the client', async () => {
    const signals: (AbortSignal | undefined)[] = []
    const { airtable, source } = await start({
      timeLimitMs: FOREVER,
      fetch: (url, request) => {
        signals.push(request.signal)
        return fetchAnywhere(url, request)
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
    const { airtable, source } = await start()
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
    const { airtable, source, ids } = await start()
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
