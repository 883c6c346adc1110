import { setTimeout as pause } from 'node:timers/promises'
import { type AirtableOptions as SandboxOptions, startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { countOrders, tableId } from '../../../test/airtable-adapter.ts'
import { breakableConnection } from '../../../test/breakable-connection.ts'
import { testDatabase } from '../../../test/database.ts'
import { fetchAnywhere } from '../../../test/fetch-anywhere.ts'
import { connectDatabase } from '../../database/database.ts'
import { createRequestSlots } from '../../platform/request-slots.ts'
import type { OrderSource } from '../../ports/order-source.ts'
import type { AirtableOptions } from './airtable-client.ts'
import { createAirtableOrders } from './airtable-orders.ts'

/** Longer than the tests' time limit, in milliseconds. */
const FOREVER = 1_000_000

const { url: databaseUrl, db, pool } = await testDatabase()

let made = 0
/** Two bases that are not used by other tests, and one adapter for each simulated process. */
async function start(sandbox: Partial<SandboxOptions> = { requestsPerSecond: 10_000 }) {
  made += 1
  const location = { baseId: `appTest${made}`, tableId }
  const elsewhere = { baseId: `appOther${made}`, tableId }
  const token = `patTest${made}`
  const tables = [ordersTable(tableId)]
  const airtable = await startAirtable({
    bases: { [location.baseId]: tables, [elsewhere.baseId]: tables },
    token,
    ...sandbox,
  })
  onTestFinished(() => airtable.close())
  const fields = { Cliente: 'Anna', Stato: 'In attesa' }
  const ids = airtable.create(
    location.baseId,
    tableId,
    Array.from({ length: 150 }, () => ({ fields })),
  )
  /** An adapter as in another process, with its own database connections. */
  const process = (options: Partial<AirtableOptions> = {}, url = databaseUrl) => {
    const connection = connectDatabase(url, { max: 3 })
    onTestFinished(connection.close)
    const slots = createRequestSlots(connection.db)
    return createAirtableOrders({
      apiUrl: airtable.url,
      token,
      slots,
      fetch: fetchAnywhere,
      retryMs: 1,
      ...options,
    })
  }
  return { airtable, location, elsewhere, id: ids[0] ?? '', ids, process }
}

type Where = { baseId: string; tableId: string }

async function sweep(source: OrderSource, where: Where, signal?: AbortSignal) {
  let ids = 0
  for await (const page of source.readIds(where, signal)) ids += page.length
  return ids
}

/** Expects that a call is still waiting after a while, and then aborts it. */
async function expectToWait(work: (signal: AbortSignal) => Promise<unknown>) {
  const ending = new AbortController()
  const waiting = work(ending.signal)
  waiting.catch(() => {})
  expect(await Promise.race([waiting.catch(() => 'failed'), pause(150, 'waits')])).toBe('waits')
  ending.abort()
  await expect(waiting).rejects.toMatchObject({ name: 'SourceError', kind: 'unreachable' })
}

describe('two processes', () => {
  it('with all they can ask for are never too much for a base, whatever the way holds up', async () => {
    // Seconds are shortened to a fifth, in the sandbox and in the adapter.
    const begun = Date.now()
    const now = () => begun + (Date.now() - begun) * 5
    const { airtable, location, ids, process } = await start({ now })
    let sent = 0
    const [one, two] = [0, 1].map(() =>
      process({
        secondMs: 1050 / 5,
        // The first connections are slow, so that later requests overtake them.
        fetch: async (url, request) => {
          sent += 1
          if (sent <= 4) await pause(60)
          return fetchAnywhere(url, request)
        },
      }),
    )
    if (!one || !two) throw new Error('no adapters')
    const works = [one, two].flatMap((source, index) => [
      ...ids
        .slice(index * 8, index * 8 + 8)
        .map((id) => source.setStatus(location, id, 'Confermato').then((order) => order.status)),
      ...[1, 2, 3].map(() => countOrders(source, location)),
      ...ids.slice(20, 24).map((id) => source.readOrder(location, id).then(({ status }) => status)),
      sweep(source, location),
      source.missingColumns(location),
    ])
    const each = [
      ...Array.from({ length: 8 }, () => 'Confermato'),
      150,
      150,
      150,
      ...Array.from({ length: 4 }, () => 'In attesa'),
      150,
      [],
    ]
    expect(await Promise.all(works)).toEqual([...each, ...each])
    expect(airtable.requests()).toMatchObject({
      total: 2 * (8 + 3 * 2 + 4 + 2 + 1),
      byKind: { write: 16, list: 24, meta: 2 },
      limited: 0,
    })
  }, 30_000)

  it('both leave a base alone that has had too much of one, and not another base', async () => {
    const { airtable, location, elsewhere, id, process } = await start()
    const [one, two] = [process(), process()]
    airtable.fail({ mode: '429', times: 1 })
    const refusal = { name: 'SourceError', kind: 'rate_limited' }
    await expect(countOrders(one, location)).rejects.toMatchObject(refusal)
    for (const source of [one, two]) {
      await expect(countOrders(source, location)).rejects.toMatchObject(refusal)
      await expect(sweep(source, location)).rejects.toMatchObject(refusal)
      await expect(source.setStatus(location, id, 'Annullato')).rejects.toMatchObject(refusal)
    }
    expect(airtable.requests().total).toBe(1)
    expect(await countOrders(two, elsewhere)).toBe(0)
  })

  it('ask a base again when its silence is over', async () => {
    const { airtable, location, process } = await start()
    const [one, two] = [process({ pauseMs: 100 }), process({ pauseMs: 100 })]
    airtable.fail({ mode: '429', times: 1 })
    await expect(countOrders(one, location)).rejects.toMatchObject({ kind: 'rate_limited' })
    await vi.waitFor(async () => expect(await countOrders(two, location)).toBe(150), {
      interval: 20,
    })
  })

  it('tell those who wait already that there is silence now', async () => {
    const { airtable, location, id, process } = await start()
    const slow = { perSecond: 1, secondMs: FOREVER }
    const [one, two] = [process(slow), process(slow)]
    airtable.fail({ mode: 'slow', delayMs: 200, times: 1 })
    const first = one.setStatus(location, id, 'Annullato')
    await vi.waitFor(() => expect(airtable.requests().total).toBe(1), { interval: 5 })
    const waiting = Promise.all([
      expect(countOrders(two, location)).rejects.toMatchObject({ kind: 'rate_limited' }),
      expect(countOrders(one, location)).rejects.toMatchObject({ kind: 'rate_limited' }),
    ])
    await createRequestSlots(db).pause(`airtable base ${location.baseId}`, 60_000)
    await first
    await waiting
    expect(airtable.requests().total).toBe(1)
  })
})

describe('while a base has no place left for readings', () => {
  const few = { perSecond: 2, secondMs: FOREVER }

  it('a write goes at once, in whatever process', async () => {
    const { airtable, location, id, process } = await start()
    const [one, two] = [process(few), process(few)]
    const ending = new AbortController()
    const readings = [one, one, two].map((source) => countOrders(source, location, ending.signal))
    const ended = Promise.all(
      readings.map((reading) => expect(reading).rejects.toMatchObject({ kind: 'unreachable' })),
    )
    await vi.waitFor(() => expect(airtable.requests().total).toBe(1), { interval: 5 })
    await two.setStatus(location, id, 'Annullato')
    expect(airtable.requests().byKind).toMatchObject({ list: 1, write: 1 })
    ending.abort()
    await ended
  })

  it('a sweep has none sooner than a reading', async () => {
    const { airtable, location, id, process } = await start()
    const source = process({ ...few, perSecond: 3 })
    await source.readOrder(location, id)
    await expectToWait((signal) => sweep(source, location, signal))
    await source.readOrder(location, id)
    await expectToWait((signal) => source.readOrder(location, id, signal))
    await source.setStatus(location, id, 'Annullato')
    expect(airtable.requests().byKind).toMatchObject({ list: 2, write: 1 })
  })

  it('another base has', async () => {
    const { location, elsewhere, id, process } = await start()
    const source = process(few)
    await source.readOrder(location, id)
    await expectToWait((signal) => countOrders(source, location, signal))
    expect(await countOrders(source, elsewhere)).toBe(0)
  })
})

describe('the token', () => {
  it('has a pace of its own for all bases', async () => {
    const { location, elsewhere, id, process } = await start()
    const few = { perSecondOfUser: 2, secondMs: FOREVER }
    await process(few).readOrder(location, id)
    const other = process(few)
    await expectToWait((signal) => countOrders(other, elsewhere, signal))
  })

  it('shares that of its user with the other tokens', async () => {
    const { location, elsewhere, id, process } = await start()
    const userOf = async () => 'usrShared00000001'
    const few = { perSecondOfUser: 2, secondMs: FOREVER, userOf }
    await process(few).readOrder(location, id)
    const other = process({ ...few, token: 'patOther' })
    await expectToWait((signal) => countOrders(other, elsewhere, signal))
  })

  it('is not used up by the sweeps of many bases while readings wait', async () => {
    const { airtable, location, elsewhere, id, process } = await start()
    const source = process({ perSecondOfUser: 8, secondMs: FOREVER })
    await sweep(source, location)
    await expectToWait((signal) => sweep(source, elsewhere, signal))
    await source.readOrder(location, id)
    expect(airtable.requests().byKind).toMatchObject({ list: 3 })
  })

  it('is nowhere in the database', async () => {
    const { location, id, process } = await start()
    await process().readOrder(location, id)
    const { rows } = await pool.query('select * from request_places')
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain('patTest')
  })
})

describe('who is ended while waiting', () => {
  it('keeps no place, and those behind have their turn', async () => {
    const { airtable, location, id, process } = await start()
    const source = process({ perSecond: 1, secondMs: 200 })
    airtable.fail({ mode: 'slow', delayMs: 100, times: 1 })
    const first = source.readOrder(location, id)
    await vi.waitFor(() => expect(airtable.requests().total).toBe(1), { interval: 5 })
    const ending = new AbortController()
    const ended = expect(source.readOrder(location, id, ending.signal)).rejects.toMatchObject({
      kind: 'unreachable',
    })
    const behind = source.readOrder(location, id)
    ending.abort()
    await ended
    await Promise.all([first, behind])
    expect(airtable.requests().total).toBe(2)
  })
})

describe('without the database', () => {
  it('nothing is sent: unreachable, until it is back', async () => {
    const { airtable, location, id, process } = await start()
    const line = await breakableConnection(databaseUrl)
    const source = process({}, line.url)
    await source.readOrder(location, id)
    line.down(true)
    const unreachable = { name: 'SourceError', kind: 'unreachable' }
    await expect(countOrders(source, location)).rejects.toMatchObject(unreachable)
    await expect(source.setStatus(location, id, 'Annullato')).rejects.toMatchObject(unreachable)
    expect(airtable.requests().total).toBe(1)
    line.down(false)
    expect(await countOrders(source, location)).toBe(150)
  })
})
