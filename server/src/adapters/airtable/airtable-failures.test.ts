import { inspect } from 'node:util'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { describe, expect, it } from 'vitest'
import { airtableAdapter, baseId, location, tableId } from '../../../test/airtable-adapter.ts'
import { failureOf } from '../../../test/failure-of.ts'
import { unlimitedSlots } from '../../../test/unlimited-slots.ts'
import type { OrderSource, SourceErrorKind, SourceLocation } from '../../ports/order-source.ts'
import type { OutboundRequest } from '../../ports/outbound.ts'
import type { AirtableOptions } from './airtable-client.ts'

const otherBaseId = 'appTest0000000002'
const token = 'patSecret000000.of-the-tests'

/** Two bases with one order each, and the adapter with short time limits. */
async function start(options: Partial<AirtableOptions> = {}) {
  const tables = [ordersTable(tableId)]
  const bases = { [baseId]: tables, [otherBaseId]: tables }
  const { airtable, source } = await airtableAdapter({ bases, token }, options)
  const order = { fields: { Cliente: 'Anna', Stato: 'In attesa' } }
  const [id = ''] = airtable.create(baseId, tableId, [order])
  airtable.create(otherBaseId, tableId, [order])
  const statusThere = () => airtable.all(baseId, tableId)[0]?.fields['Stato']
  return { airtable, source, id, statusThere }
}

async function read(source: OrderSource, _id = '', where: SourceLocation = location) {
  const names: (string | null)[] = []
  for await (const { orders } of source.readChanged(where, null)) {
    names.push(...orders.map((order) => order.customerName))
  }
  return names
}

const write = (source: OrderSource, id: string) => source.setStatus(location, id, 'Annullato')

/** The other methods, each with a single request. */
const questions = {
  'one order': (source: OrderSource, id: string) => source.readOrder(location, id),
  ids: async (source: OrderSource, _: string, where: SourceLocation = location) => {
    const ids: string[] = []
    for await (const page of source.readIds(where))
      ids.push(...page.map(({ recordId }) => recordId))
    return ids
  },
  columns: (source: OrderSource) => source.missingColumns(location),
}

const sourceError = (kind: SourceErrorKind) => ({ name: 'SourceError', kind })

const everythingIn = (error: unknown) => inspect(error, { depth: 20, showHidden: true })

const broken = [
  {
    what: 'silent for too long',
    failure: { mode: 'slow', delayMs: 60_000 },
    // A busy machine must answer within it when it is not told to be silent.
    options: { timeLimitMs: 600 },
  },
  { what: 'hanging up', failure: { mode: 'hang-up' }, options: {} },
  { what: 'broken (500)', failure: { mode: '500' }, options: {} },
  { what: 'not making sense', failure: { mode: 'malformed' }, options: {} },
  { what: 'sending too much', failure: { mode: 'oversized' }, options: {} },
] as const

describe('Airtable that is', () => {
  it.each(broken)(
    '$what is asked three times for anything, and then is unreachable',
    async ({ failure, options }) => {
      const { airtable, source, id, statusThere } = await start({ sizeLimit: 100_000, ...options })
      airtable.fail(failure)
      const asked = [read, write, ...Object.values(questions)]
      const failures = await Promise.all(asked.map((ask) => failureOf(ask(source, id))))
      expect(failures).toMatchObject(asked.map(() => sourceError('unreachable')))
      for (const each of failures) expect(everythingIn(each)).not.toContain('patSecret')
      expect(airtable.requests()).toMatchObject({ total: 15, byMethod: { GET: 12, PATCH: 3 } })
      expect(statusThere()).toBe('In attesa')
    },
  )

  it.each(broken)('$what twice is asked until it answers', async ({ failure, options }) => {
    const { airtable, source, id, statusThere } = await start(options)
    airtable.fail({ ...failure, times: 2 })
    expect(await read(source)).toEqual(['Anna'])
    expect(airtable.requests().total).toBe(3)
    airtable.fail({ ...failure, times: 2 })
    expect(await write(source, id)).toMatchObject({ recordId: id, status: 'Annullato' })
    expect(airtable.requests().total).toBe(6)
    expect(statusThere()).toBe('Annullato')
    airtable.fail({ ...failure, times: 2 })
    const answers = Object.values(questions).map((ask) => ask(source, id))
    expect(await Promise.all(answers)).toMatchObject([{ recordId: id }, [id], []])
    expect(airtable.requests().total).toBe(11)
  })

  it('slow within the limit is waited for', async () => {
    const { airtable, source } = await start({ timeLimitMs: 5000 })
    airtable.fail({ mode: 'slow', delayMs: 100 })
    expect(await read(source)).toEqual(['Anna'])
    expect(airtable.requests().total).toBe(1)
  })

  it('not there is unreachable', async () => {
    const { airtable, source, id } = await start()
    await airtable.close()
    expect(await failureOf(read(source))).toMatchObject({
      kind: 'unreachable',
      message: 'Airtable: no answer (ECONNREFUSED)',
    })
    expect(await failureOf(write(source, id))).toMatchObject(sourceError('unreachable'))
  })

  it('sending as much as it may is read', async () => {
    const { airtable, source } = await start({ sizeLimit: 100_000 })
    const fields = { Cliente: 'è'.repeat(1000), Stato: 'In attesa' }
    const orders = (count: number) => Array.from({ length: count }, () => ({ fields }))
    airtable.create(baseId, tableId, orders(40))
    expect(await read(source)).toHaveLength(41)
    // Two bytes for each letter: fewer letters than the limit, and more bytes.
    airtable.create(baseId, tableId, orders(10))
    expect(await failureOf(read(source))).toMatchObject({
      kind: 'unreachable',
      message: 'Airtable: more than 100000 bytes',
    })
  })
})

describe('Airtable that has had too many requests', () => {
  const tooMany = { mode: '429', times: 1 } as const

  it('is left alone by all until the silence is over', async () => {
    let time = 0
    const slots = unlimitedSlots(() => time)
    const { airtable, source, id, statusThere } = await start({ slots, pauseMs: 30_000 })
    airtable.fail(tooMany)
    expect(await failureOf(read(source))).toMatchObject(sourceError('rate_limited'))
    time = 29_999
    expect(await failureOf(read(source))).toMatchObject(sourceError('rate_limited'))
    expect(await failureOf(write(source, id))).toMatchObject(sourceError('rate_limited'))
    expect(airtable.requests().total).toBe(1)
    time = 30_000
    expect(await read(source)).toEqual(['Anna'])
    await write(source, id)
    expect(statusThere()).toBe('Annullato')
  })

  it.each(Object.entries({ 'a write': write, ...questions }))(
    'is left alone after it was asked for %s',
    async (_, ask) => {
      const { airtable, source, id } = await start()
      airtable.fail(tooMany)
      const failures = [await failureOf(ask(source, id)), await failureOf(read(source))]
      expect(failures).toMatchObject(failures.map(() => sourceError('rate_limited')))
      expect(everythingIn(failures)).not.toContain('patSecret')
      expect(airtable.requests().total).toBe(1)
    },
  )

  it('for one base is asked for another', async () => {
    const { airtable, source } = await start()
    airtable.fail(tooMany)
    expect(await failureOf(read(source))).toMatchObject(sourceError('rate_limited'))
    expect(await read(source, '', { baseId: otherBaseId, tableId })).toEqual(['Anna'])
  })
})

describe('Airtable says no, once, to', () => {
  it.each([
    { what: 'a base that is not there', where: { baseId: 'appNone0000000001', tableId } },
    { what: 'a table that is not there', where: { baseId, tableId: 'tblNone0000000001' } },
    { what: 'a table that would lead elsewhere', where: { baseId, tableId: '../Ordini/x?y' } },
  ])('$what: denied', async ({ where }) => {
    const { airtable, source, id } = await start()
    expect(await failureOf(read(source, id, where))).toMatchObject(sourceError('denied'))
    const writing = source.setStatus(where, id, 'Annullato')
    expect(await failureOf(writing)).toMatchObject(sourceError('denied'))
    expect(await failureOf(source.readOrder(where, id))).toMatchObject(sourceError('denied'))
    expect(await failureOf(questions.ids(source, id, where))).toMatchObject(sourceError('denied'))
    expect(airtable.requests().total).toBe(4)
  })

  it('a token that is wrong: denied', async () => {
    const { airtable, source, id } = await start({ token: 'patWrong' })
    expect(await failureOf(read(source))).toMatchObject(sourceError('denied'))
    expect(await failureOf(write(source, id))).toMatchObject(sourceError('denied'))
    expect(airtable.requests().total).toBe(2)
  })

  it.each(['', 'pat Wrong', 'patWrong\n', 'patWrong…'])(
    'no token at all, and to %j nothing is even sent: denied',
    async (wrong) => {
      const { airtable, source } = await start({ token: wrong })
      expect(await failureOf(read(source))).toMatchObject(sourceError('denied'))
      expect(airtable.requests().total).toBe(0)
    },
  )

  it('a record that is not there: not found', async () => {
    const { airtable, source, id } = await start()
    airtable.remove(baseId, tableId, id)
    expect(await failureOf(write(source, id))).toMatchObject(sourceError('not_found'))
    const asked = source.readOrder(location, id)
    expect(await failureOf(asked)).toMatchObject(sourceError('not_found'))
    expect(airtable.requests().total).toBe(2)
  })

  it('a change that it does not take: refused, and then it can be read', async () => {
    const { airtable, source, id, statusThere } = await start()
    airtable.fail({ mode: 'refuse-writes' })
    expect(await failureOf(write(source, id))).toMatchObject(sourceError('refused'))
    expect(airtable.requests().total).toBe(1)
    expect(statusThere()).toBe('In attesa')
    expect(await read(source)).toEqual(['Anna'])
  })
})

describe('the token', () => {
  it.each([
    { what: 'a wrong token', options: { token: `${token}x` } },
    { what: 'a token that cannot be sent', options: { token: `${token}\n` } },
    { what: 'an address that is none', options: { apiUrl: 'airtable' } },
    {
      what: 'a fetch that quotes what it was given',
      options: {
        fetch: async (_: string, { headers }: OutboundRequest) => {
          const text = JSON.stringify(headers)
          expect(text).toContain(token)
          throw new TypeError(text, { cause: new Error(text) })
        },
      },
    },
  ])('is in no error of $what', async ({ options }) => {
    const { source, id } = await start(options)
    for (const failure of [await failureOf(read(source)), await failureOf(write(source, id))]) {
      expect(failure).toMatchObject({ name: 'SourceError' })
      expect(everythingIn(failure)).not.toContain('patSecret')
    }
  })
})
