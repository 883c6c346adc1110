import { describe, expect, it } from 'vitest'
import {
  addOrders,
  ask,
  BASE,
  failureOf,
  officialTable,
  refusalOf,
  start,
  TABLE,
} from '../../test/start.ts'
import type { AirtableSandbox } from '../airtable.ts'
import { createFailures, type Failure } from './failures.ts'

const PATH = `/v0/${BASE}/${TABLE}`

const control = (airtable: AirtableSandbox, failure: object) =>
  ask(airtable, '/_control', { method: 'POST', body: JSON.stringify(failure) })

async function startFailing(failure: object) {
  const airtable = await start()
  const [id = ''] = addOrders(airtable, ['Anna'])
  expect((await control(airtable, failure)).status).toBe(200)
  return { airtable, id, orders: officialTable(airtable) }
}

async function expectToWorkAgain(airtable: AirtableSandbox) {
  expect(await control(airtable, { mode: 'ok' })).toMatchObject({ body: { mode: 'ok' } })
  expect(await officialTable(airtable).select().all()).toHaveLength(1)
  await officialTable(airtable).create({ Cliente: 'Bruno' })
}

describe('told to fail', () => {
  it.each([
    { mode: '429', statusCode: 429, error: 'TOO_MANY_REQUESTS' },
    { mode: '500', statusCode: 500, error: 'SERVER_ERROR' },
  ])(
    'with $mode, it refuses reads and writes until told otherwise',
    async ({ mode, ...refusal }) => {
      const { airtable, orders } = await startFailing({ mode })
      expect(await refusalOf(orders.select().all())).toMatchObject(refusal)
      expect(await refusalOf(orders.create({ Cliente: 'X' }))).toMatchObject(refusal)
      expect(airtable.all(BASE, TABLE)).toHaveLength(1)
      await expectToWorkAgain(airtable)
    },
  )

  it.each([
    ['malformed', (text: string) => text.startsWith('<html>')],
    // JSON that is no list.
    ['oversized', (text: string) => text.startsWith('"') && text.length > 10 * 1024 * 1024],
  ])('%s, it answers 200 with that, and does nothing', async (mode, isAsTold) => {
    const { airtable } = await startFailing({ mode })
    // The official client crashes on such a response.
    const write = { method: 'POST', body: '{"fields":{"Cliente":"X"}}' }
    for (const options of [{}, write]) {
      const reply = await fetch(airtable.url + PATH, options)
      expect(reply.status).toBe(200)
      expect(isAsTold(await reply.text())).toBe(true)
    }
    expect(airtable.all(BASE, TABLE)).toHaveLength(1)
    await expectToWorkAgain(airtable)
  })

  it('to hang up, it closes the connection without an answer', async () => {
    const { airtable, orders } = await startFailing({ mode: 'hang-up' })
    await expect(orders.select().all()).rejects.toThrow(/ECONNRESET|socket hang up|fetch failed/)
    await expectToWorkAgain(airtable)
  })

  it('to be slow, it lets a client run out of patience', async () => {
    const { airtable } = await startFailing({ mode: 'slow', delayMs: 60_000 })
    const hasty = officialTable(airtable, { timeLimitMs: 100 })
    expect(await failureOf(hasty.select().all())).toMatchObject({ name: 'AbortError' })
    await expectToWorkAgain(airtable)
  })

  it('to refuse writes, it refuses every kind of write and lets itself be read', async () => {
    const { airtable, orders, id } = await startFailing({ mode: 'refuse-writes' })
    const before = airtable.all(BASE, TABLE)
    const writes = [
      () => orders.create({ Cliente: 'X' }),
      () => orders.update(id, { Stato: 'Confermato' }),
      () => orders.replace(id, { Stato: 'Confermato' }),
      () => orders.destroy(id),
      () => orders.destroy([id]),
    ]
    for (const write of writes) {
      expect(await refusalOf(write())).toMatchObject({
        statusCode: 422,
        error: 'INVALID_VALUE_FOR_COLUMN',
      })
    }
    expect(airtable.all(BASE, TABLE)).toEqual(before)
    expect((await orders.find(id)).get('Cliente')).toBe('Anna')
    expect(await orders.select({ method: 'post' }).all()).toHaveLength(1)
    await expectToWorkAgain(airtable)
  })

  it('to refuse one write, it does not count the reads before it', () => {
    const failures = createFailures()
    failures.set({ mode: 'refuse-writes', times: 1 })
    const modes = [false, true, true].map(
      (isWrite) => failures.next({ isWrite, continuesList: false }).mode,
    )
    expect(modes).toEqual(['ok', 'refuse-writes', 'ok'])
  })

  it('to lose a reply, it does what it is asked and says nothing', async () => {
    const { airtable, id } = await startFailing({ mode: 'lost-reply' })
    const body = '{"fields":{"Stato":"Confermato"}}'
    const authorization = `Bearer ${airtable.token}`
    const headers = { authorization, 'content-type': 'application/json' }
    const write = fetch(`${airtable.url}${PATH}/${id}`, { method: 'PATCH', headers, body })
    await expect(write).rejects.toThrow('fetch failed')
    expect(airtable.all(BASE, TABLE)).toMatchObject([{ fields: { Stato: 'Confermato' } }])
    await expectToWorkAgain(airtable)
  })
})

describe('chaos', () => {
  const chances = { '429': 0.1, '500': 0.1, slow: 0.1, malformed: 0.1, 'hang-up': 0.1 }

  function fates(failure: Partial<Failure>, count = 2000) {
    const failures = createFailures()
    failures.set({ mode: 'chaos', ...failure })
    const modes = Array.from(
      { length: count },
      () => failures.next({ isWrite: false, continuesList: false }).mode,
    )
    return { modes, share: (mode: string) => modes.filter((one) => one === mode).length / count }
  }

  it('has each misfortune as often as it was told, and the rest fares well', () => {
    const { share } = fates({ chances: { ...chances, 'hang-up': 0.3 } })
    for (const mode of ['429', '500', 'slow', 'malformed']) expect(share(mode)).toBeCloseTo(0.1, 1)
    expect(share('hang-up')).toBeCloseTo(0.3, 1)
    expect(share('ok')).toBeCloseTo(0.3, 1)
    expect(share('lost-reply')).toBe(0)
  })

  it('of one seed is the same each time, and of another is not', () => {
    const { modes } = fates({ chances, seed: 7 })
    expect(fates({ chances, seed: 7 }).modes).toEqual(modes)
    expect(fates({ chances, seed: 8 }).modes).not.toEqual(modes)
  })

  it('is told over HTTP, and meets requests', async () => {
    const { airtable } = await startFailing({ mode: 'chaos', seed: 1, chances: { '500': 0.5 } })
    const statuses = new Set<number>()
    for (let time = 0; time < 20; time += 1) statuses.add((await ask(airtable, PATH)).status)
    expect(statuses).toEqual(new Set([200, 500]))
    expect((await ask(airtable, '/_control')).body).toMatchObject({ mode: 'chaos' })
    await expectToWorkAgain(airtable)
  })
})

describe('the control', () => {
  it.each([
    '{}',
    '{"mode":"503"}',
    '{"mode":"slow","delayMs":-1}',
    '{"mode":"500","times":0}',
    '{"mode":"chaos","chances":{"500":1.5}}',
    '{"mode":"chaos","chances":{"500":0.6,"slow":0.6}}',
    '{"mode":"chaos","chances":{"fire":0.1}}',
    'no',
  ])('refuses %s and changes nothing', async (body) => {
    const { airtable } = await startFailing({ mode: '500' })
    const reply = await ask(airtable, '/_control', { method: 'POST', body })
    expect(reply).toMatchObject({
      status: 422,
      body: { error: { type: 'INVALID_REQUEST_UNKNOWN' } },
    })
    expect((await ask(airtable, '/_control')).body).toMatchObject({ mode: '500' })
  })

  it('counts what came to the API by method and kind, the failed as well, and itself not', async () => {
    const { airtable, orders, id } = await startFailing({ mode: '500', times: 1 })
    await refusalOf(orders.find(id))
    await orders.select().all()
    await orders.update(id, { Stato: 'Confermato' })
    await orders.create({ Cliente: 'Bruno' })
    await orders.destroy(id)
    await ask(airtable, `/_control/records/${BASE}/${TABLE}`)
    expect((await ask(airtable, '/_control')).body).toEqual({
      mode: 'ok',
      requests: {
        total: 5,
        byMethod: { GET: 2, PATCH: 1, POST: 1, DELETE: 1 },
        byKind: { list: 1, read: 1, write: 3, meta: 0, webhook: 0 },
        byBase: { [BASE]: 5 },
        limited: 0,
      },
    })
  })
})
