import { type Field, ordersTable } from '@bancone/sandbox/airtable/schema'
import { describe, expect, it } from 'vitest'
import { airtableAdapter, baseId, location, tableId } from '../../../test/airtable-adapter.ts'
import { fetchAnywhere } from '../../../test/fetch-anywhere.ts'
import { unlimitedSlots } from '../../../test/unlimited-slots.ts'
import type { NewSourceOrder, SourceErrorKind } from '../../ports/order-source.ts'
import type { AirtableOptions } from './airtable-client.ts'
import { createAirtableOrders } from './airtable-orders.ts'

const order: NewSourceOrder = {
  orderNumber: null,
  customerName: "Anna D'Arco",
  customerPhone: '+39 333 123 4567',
  address: null,
  details: 'Tachipirina "1000"\nuna confezione',
  status: 'In attesa',
  pharmaWa: null,
}

type Fields = Record<string, Field>

async function start(fields: Fields = {}, options: Partial<AirtableOptions> = {}) {
  const table = ordersTable(tableId, fields)
  const { airtable, source } = await airtableAdapter({ table }, options)
  const stored = () => airtable.all(baseId, tableId)
  return { airtable, table, source, stored }
}

const failing = (kind: SourceErrorKind) => ({ name: 'SourceError', kind })

describe('an order that is made in Airtable', () => {
  it('is given back as it then is', async () => {
    const { source, stored, airtable } = await start()
    const made = await source.create(location, order)
    const [there, ...others] = stored()
    expect(others).toEqual([])
    const { Created, Last, ...written } = there?.fields ?? {}
    expect(Last).toBe(Created)
    expect(written).toEqual({
      'ID Ordine': 1,
      Cliente: order.customerName,
      'Phone Number': order.customerPhone,
      Ordine: order.details,
      Stato: 'In attesa',
    })
    expect(made).toEqual(await source.readOrder(location, made.recordId))
    expect(made).toMatchObject({ recordId: there?.id, orderNumber: '1', details: order.details })
    expect(airtable.requests().byMethod).toEqual({ POST: 1, GET: 1 })
  })

  it('names its pharmacy where it is told to', async () => {
    const { source, stored } = await start()
    await source.create(location, { ...order, address: 'Via Roma 1', pharmaWa: 'Garibaldi' })
    expect(stored()[0]?.fields).toMatchObject({ PharmaWA: 'Garibaldi', Indirizzo: 'Via Roma 1' })
  })

  const renamed = (kind: Field): Fields => ({ ID_Ordine: kind })
  it.each([
    { what: 'a text', fields: { 'ID Ordine': { kind: 'text' } }, number: '0077', given: '0077' },
    { what: 'a number', fields: { 'ID Ordine': { kind: 'number' } }, number: '77', given: 77 },
    { what: 'its own', fields: {}, number: '77', given: 1 },
  ] satisfies { what: string; fields: Fields; number: string; given: unknown }[])(
    'has its number in a column of $what',
    async ({ fields, number, given }) => {
      const { source, stored } = await start(fields)
      const made = await source.create(location, { ...order, orderNumber: number })
      expect(stored()).toHaveLength(1)
      expect(stored()[0]?.fields['ID Ordine']).toBe(given)
      expect(made.orderNumber).toBe(String(given))
    },
  )

  it.each([
    { kind: 'text', given: '77' },
    { kind: 'number', given: 77 },
    { kind: 'autoNumber', given: 1 },
  ] as const)('has its number in the other name of a column ($kind)', async ({ kind, given }) => {
    const { table, source, stored } = await start(renamed({ kind }))
    delete table.fields['ID Ordine']
    await source.create(location, { ...order, orderNumber: '77' })
    expect(stored()[0]?.fields['ID_Ordine']).toBe(given)
  })

  it.each([
    { what: 'a word for a column of numbers', number: 'A-77', without: undefined },
    { what: 'a number for which there is no column', number: '77', without: 'ID Ordine' },
    { what: 'a telephone for which there is no column', number: null, without: 'Phone Number' },
  ])('is refused with $what, rather than made without it', async ({ number, without }) => {
    const { table, source, stored } = await start({ 'ID Ordine': { kind: 'number' } })
    if (without) delete table.fields[without]
    const making = source.create(location, { ...order, orderNumber: number })
    await expect(making).rejects.toMatchObject(failing('refused'))
    expect(stored()).toEqual([])
  })

  it('is refused with a state that the column does not know', async () => {
    const { source, stored } = await start({ Stato: { kind: 'singleSelect', options: ['Nuovo'] } })
    await expect(source.create(location, order)).rejects.toMatchObject(failing('refused'))
    expect(stored()).toEqual([])
  })

  it.each([
    { failure: { mode: '500' }, kind: 'unreachable', made: 0 },
    { failure: { mode: 'hang-up' }, kind: 'unreachable', made: 0 },
    { failure: { mode: 'malformed' }, kind: 'unreachable', made: 0 },
    { failure: { mode: 'oversized' }, kind: 'unreachable', made: 0 },
    { failure: { mode: 'slow', delayMs: 60_000 }, kind: 'unreachable', made: 0 },
    { failure: { mode: 'lost-reply' }, kind: 'unreachable', made: 1 },
    { failure: { mode: 'slow-reply', delayMs: 60_000 }, kind: 'unreachable', made: 1 },
    { failure: { mode: '429' }, kind: 'rate_limited', made: 0 },
    { failure: { mode: 'refuse-writes' }, kind: 'refused', made: 0 },
  ] as const)('is asked for once, whatever comes of it ($failure.mode)', async (then) => {
    const { airtable, source, stored } = await start({}, { timeLimitMs: 200 })
    airtable.fail(then.failure)
    await expect(source.create(location, order)).rejects.toMatchObject(failing(then.kind))
    expect(airtable.requests().total).toBe(1)
    expect(stored()).toHaveLength(then.made)
  })

  it('is denied where there is no such table, or the token is wrong', async () => {
    const { airtable, source } = await start()
    const nowhere = { baseId, tableId: 'tblNone0000000001' }
    await expect(source.create(nowhere, order)).rejects.toMatchObject(failing('denied'))
    const { url: apiUrl } = airtable
    const stranger = createAirtableOrders({
      apiUrl,
      token: 'patWrong',
      slots: unlimitedSlots(),
      fetch: fetchAnywhere,
    })
    await expect(stranger.create(location, order)).rejects.toMatchObject(failing('denied'))
  })

  it('is not asked for after its signal', async () => {
    const { airtable, source } = await start()
    const making = source.create(location, order, AbortSignal.abort())
    await expect(making).rejects.toMatchObject(failing('unreachable'))
    expect(airtable.requests().total).toBe(0)
  })

  it('is not sent by who was held up until another does it', async () => {
    const { airtable, source } = await start()
    const making = source.create(location, order, undefined, Date.now() - 1)
    await expect(making).rejects.toMatchObject(failing('unreachable'))
    expect(airtable.requests().total).toBe(0)
    await source.create(location, order, undefined, Date.now() + 60_000)
  })

  it('is in no error and in no address', async () => {
    const asked: string[] = []
    const fetch: AirtableOptions['fetch'] = (url, request) => {
      asked.push(url)
      return fetchAnywhere(url, request)
    }
    const { table, source } = await start({}, { fetch })
    delete table.fields['Ordine']
    const error: unknown = await source.create(location, order).catch((reason: unknown) => reason)
    expect(error).toMatchObject(failing('refused'))
    const created: string[] = []
    const since = '2026-01-01T00:00:00.000Z'
    for await (const page of source.readCreated(location, since)) {
      created.push(...page.orders.map(({ recordId }) => recordId))
    }
    expect(created).toEqual([])
    // The refusals, and one for the columns that are there.
    expect(asked).toHaveLength(4)
    const told = JSON.stringify([asked, error, String(error)])
    for (const word of ['Anna', 'Arco', 'Tachipirina', '333']) expect(told).not.toContain(word)
  })
})

describe('the orders that were made since', () => {
  it('are those, whenever they were changed', async () => {
    const { airtable, source } = await start()
    const at = (minutes: number) => Date.UTC(2026, 0, 1, 10, minutes)
    const [old = '', , young = ''] = airtable.create(
      baseId,
      tableId,
      [0, 5, 10].map((minutes) => ({ fields: { Cliente: 'Anna' }, createdTime: at(minutes) })),
    )
    airtable.update(baseId, tableId, old, { Stato: 'Annullato' })
    const found: string[] = []
    const since = new Date(at(5)).toISOString()
    for await (const page of source.readCreated(location, since)) {
      found.push(...page.orders.map(({ recordId }) => recordId))
    }
    expect(found).toEqual([young])
  })

  it.each([
    [{ mode: '500' }, 'unreachable'],
    [{ mode: '429' }, 'rate_limited'],
  ] as const)('cannot be told while the store fails (%j)', async (failure, kind) => {
    const { airtable, source } = await start()
    airtable.fail(failure)
    const reading = source.readCreated(location, new Date().toISOString())[Symbol.asyncIterator]()
    await expect(reading.next()).rejects.toMatchObject(failing(kind))
  })
})
