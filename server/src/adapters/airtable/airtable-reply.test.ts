import { describe, expect, it } from 'vitest'
import { unlimitedSlots } from '../../../test/unlimited-slots.ts'
import { createAirtableOrders } from './airtable-orders.ts'

const recordId = 'recAbC12345678901'
const location = { baseId: 'appTest0000000001', tableId: 'Ordini' }

/** The adapter with an Airtable that always returns the same response. */
function answered(status: number, body: string) {
  let requests = 0
  const source = createAirtableOrders({
    apiUrl: 'https://airtable.example',
    token: 'patTest',
    slots: unlimitedSlots(),
    retryMs: 1,
    fetch: async () => {
      requests += 1
      return { status, headers: {}, body: Buffer.from(body) }
    },
  })
  return {
    read: async () => {
      for await (const page of source.readChanged(location, null)) expect(page).toBeDefined()
    },
    write: () => source.setStatus(location, recordId, 'Confermato'),
    one: () => source.readOrder(location, recordId),
    ids: async () => {
      for await (const page of source.readIds(location)) expect(page).toBeDefined()
    },
    columns: () => source.missingColumns(location),
    requests: () => requests,
  }
}

const typed = (type: string) => JSON.stringify({ error: { type, message: 'Anna, Via Po 1' } })
const bare = (error: string) => JSON.stringify({ error })
const listed = (error: string) => JSON.stringify({ errors: [{ error, message: 'Anna' }] })

const billing = 'PUBLIC_API_BILLING_LIMIT_EXCEEDED'

describe('what Airtable answers is understood', () => {
  it.each([
    { status: 401, body: typed('AUTHENTICATION_REQUIRED'), read: 'denied', write: 'denied' },
    { status: 402, body: bare('PAYMENT_REQUIRED'), read: 'denied', write: 'denied' },
    {
      status: 403,
      body: typed('INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND'),
      read: 'denied',
      write: 'denied',
    },
    { status: 404, body: bare('NOT_FOUND'), read: 'denied', write: 'not_found' },
    { status: 404, body: typed('NOT_FOUND'), read: 'denied', write: 'not_found' },
    { status: 404, body: typed('TABLE_NOT_FOUND'), read: 'denied', write: 'denied' },
    { status: 422, body: typed('ROW_DOES_NOT_EXIST'), read: 'refused', write: 'not_found' },
    { status: 422, body: typed('UNKNOWN_FIELD_NAME'), read: 'refused', write: 'refused' },
    { status: 422, body: bare('INVALID_VALUE_FOR_COLUMN'), read: 'refused', write: 'refused' },
    { status: 413, body: typed('REQUEST_TOO_LARGE'), read: 'refused', write: 'refused' },
    {
      status: 429,
      body: listed('RATE_LIMIT_REACHED'),
      read: 'rate_limited',
      write: 'rate_limited',
    },
    { status: 429, body: typed('RATE_LIMIT_REACHED'), read: 'rate_limited', write: 'rate_limited' },
    { status: 429, body: '<html>slowly</html>', read: 'rate_limited', write: 'rate_limited' },
    { status: 429, body: '', read: 'rate_limited', write: 'rate_limited' },
    // Retries do not help with these: the plan has to be changed.
    { status: 429, body: listed(billing), read: 'denied', write: 'denied' },
    { status: 429, body: typed(billing), read: 'denied', write: 'denied' },
    { status: 429, body: bare(billing), read: 'denied', write: 'denied' },
  ])('$status $body, the first time', async ({ status, body, read, write }) => {
    for (const work of ['read', 'write', 'one', 'ids'] as const) {
      const kind = work === 'write' ? write : read
      const airtable = answered(status, body)
      await expect(airtable[work]()).rejects.toMatchObject({ name: 'SourceError', kind })
      // A missing column is not an error for lists of ids; for others the columns are looked up.
      const isColumn = body.includes('UNKNOWN_FIELD_NAME') && work !== 'write'
      expect(airtable.requests()).toBe(isColumn ? (work === 'ids' ? 4 : 2) : 1)
    }
  })

  it('of an order that its table does not list: gone', async () => {
    const asked = answered(200, JSON.stringify({ records: [] })).one()
    await expect(asked).rejects.toMatchObject({ kind: 'not_found' })
  })

  it.each([
    { status: 401, body: typed('AUTHENTICATION_REQUIRED'), missing: null },
    { status: 403, body: typed('INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND'), missing: null },
    { status: 404, body: bare('NOT_FOUND'), missing: null },
    { status: 402, body: bare('PAYMENT_REQUIRED'), missing: 'denied' },
    { status: 429, body: listed(billing), missing: 'denied' },
    { status: 429, body: listed('RATE_LIMIT_REACHED'), missing: 'rate_limited' },
    { status: 422, body: bare('INVALID_REQUEST_UNKNOWN'), missing: 'refused' },
  ])('about the columns, where it may be silent: $status $body', async (reply) => {
    const airtable = answered(reply.status, reply.body)
    const outcome = await airtable.columns().catch((error: unknown) => error)
    expect(outcome).toEqual(reply.missing && expect.objectContaining({ kind: reply.missing }))
    expect(airtable.requests()).toBe(1)
  })

  it('with half an emoji and NUL, which no database stores', async () => {
    const createdTime = '2026-03-01T09:00:00.000Z'
    const fields = { Cliente: 'Anna \ud83d', Stato: '\0 \0', Indirizzo: ['Via\0 Po \ude00🎉'] }
    const list = { records: [{ id: recordId, createdTime, fields }], tables: [] }
    const page = answered(200, JSON.stringify(list))
    expect(await page.one()).toMatchObject({
      customerName: 'Anna \ufffd',
      status: null,
      address: 'Via Po \ufffd🎉',
    })
  })

  it('and not taken for an answer when it is another record', async () => {
    const createdTime = '2026-03-01T09:00:00.000Z'
    const other = { id: 'recOther', createdTime, fields: {} }
    const read = answered(200, JSON.stringify({ records: [other] }))
    await expect(read.one()).rejects.toMatchObject({ kind: 'unreachable' })
    const written = answered(200, JSON.stringify(other))
    await expect(written.write()).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it.each([
    { status: 500, body: typed('SERVER_ERROR') },
    { status: 502, body: '<html>Bad gateway</html>' },
    { status: 503, body: '' },
    // Not an error of Airtable: a proxy responded.
    { status: 403, body: '<html>Sign in to the network</html>' },
    { status: 404, body: '{"message":"Anna"}' },
    { status: 422, body: bare('Anna, Via Po 1') },
    { status: 422, body: bare('A'.repeat(81)) },
    { status: 422, body: JSON.stringify({ errors: [] }) },
    { status: 200, body: '' },
    { status: 200, body: '{"records":[' },
  ])('as nothing when it is $status $body, and is asked again', async ({ status, body }) => {
    for (const work of ['read', 'write', 'one', 'ids', 'columns'] as const) {
      const airtable = answered(status, body)
      await expect(airtable[work]()).rejects.toMatchObject({ kind: 'unreachable' })
      expect(airtable.requests()).toBe(3)
    }
  })

  it.each(['null', '[]', '"text"', '{}', '{"records":{}}', '{"records":[],"offset":7}'])(
    'as nothing when it is JSON of another kind: %s',
    async (body) => {
      const airtable = answered(200, body)
      for (const work of ['read', 'write', 'one', 'ids', 'columns'] as const) {
        await expect(airtable[work]()).rejects.toMatchObject({ kind: 'unreachable' })
      }
    },
  )

  it.each([
    { status: 422, body: typed('INVALID_VALUE_FOR_COLUMN') },
    { status: 422, body: bare('Anna') },
    { status: 500, body: bare('Anna, Via Po 1') },
    { status: 429, body: listed('Anna, Via Po 1') },
    { status: 200, body: '{"id":"Anna","fields":{"Cliente":"Anna"}}' },
  ])('and never quoted but for its type: $status', async ({ status, body }) => {
    const { write } = answered(status, body)
    await expect(write()).rejects.toThrow(/^(?!.*Anna).*Airtable/)
  })
})
