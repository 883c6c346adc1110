import type { FieldSet, Table } from 'airtable'
import { describe, expect, it } from 'vitest'
import { addOrders, ask, BASE, officialTable, refusalOf, start, TABLE } from '../../test/start.ts'

type Refusal = { statusCode: number; error: string; message?: string }
type Refused = {
  what: string
  work: (orders: Table<FieldSet>, id: string) => Promise<unknown>
  refusal: Refusal
}

const NOBODY = 'recNobody00000000'
const ELEVEN = Array.from({ length: 11 }, (_, index) => index)

const unknownField: Refusal = {
  statusCode: 422,
  error: 'UNKNOWN_FIELD_NAME',
  message: 'Unknown field name: "Telefono"',
}
const invalidRecords: Refusal = {
  statusCode: 422,
  error: 'INVALID_RECORDS',
  message: '"records" must be an array of up to 10 record objects.',
}
const wrongValue: Refusal = { statusCode: 422, error: 'INVALID_VALUE_FOR_COLUMN' }
const wrongFormula: Refusal = { statusCode: 422, error: 'INVALID_FILTER_BY_FORMULA' }
const notFound: Refusal = { statusCode: 404, error: 'NOT_FOUND' }

const REFUSED: Refused[] = [
  {
    what: 'to find a record that is not there',
    work: (orders) => orders.find(NOBODY),
    refusal: notFound,
  },
  {
    what: 'to change a record that is not there',
    work: (orders) => orders.update(NOBODY, { Cliente: 'X' }),
    refusal: notFound,
  },
  {
    what: 'to delete a record that is not there',
    work: (orders) => orders.destroy(NOBODY),
    refusal: notFound,
  },
  {
    what: 'to change several of which one is not there',
    work: (orders, id) =>
      orders.update([
        { id, fields: {} },
        { id: NOBODY, fields: {} },
      ]),
    refusal: {
      statusCode: 422,
      error: 'ROW_DOES_NOT_EXIST',
      message: `Record ID ${NOBODY} does not exist`,
    },
  },
  {
    what: 'to create eleven',
    work: (orders) => orders.create(ELEVEN.map((n) => ({ fields: { Cliente: `${n}` } }))),
    refusal: invalidRecords,
  },
  {
    what: 'to change eleven',
    work: (orders, id) => orders.update(ELEVEN.map(() => ({ id, fields: {} }))),
    refusal: invalidRecords,
  },
  {
    what: 'to replace eleven',
    work: (orders, id) => orders.replace(ELEVEN.map(() => ({ id, fields: {} }))),
    refusal: invalidRecords,
  },
  {
    what: 'to delete eleven',
    work: (orders) => orders.destroy(ELEVEN.map((n) => `${NOBODY}${n}`)),
    refusal: { ...invalidRecords, message: '"records" must be an array of up to 10 record IDs.' },
  },
  { what: 'to create none', work: (orders) => orders.create([]), refusal: invalidRecords },
  {
    what: 'to write a column that is not there',
    work: (orders, id) => orders.update(id, { Telefono: '1' }),
    refusal: unknownField,
  },
  {
    what: 'to write a column named like something every object has',
    work: (orders) => orders.create({ constructor: 'x' }),
    refusal: { ...unknownField, message: 'Unknown field name: "constructor"' },
  },
  {
    what: 'to read a column that is not there',
    work: (orders) => orders.select({ fields: ['Cliente', 'Telefono'] }).all(),
    refusal: unknownField,
  },
  {
    what: 'to sort by a column that is not there',
    work: (orders) => orders.select({ sort: [{ field: 'Telefono' }] }).all(),
    refusal: unknownField,
  },
  {
    what: 'to sort by a column named like something every object has',
    work: (orders) => orders.select({ sort: [{ field: 'toString' }] }).all(),
    refusal: { ...unknownField, message: 'Unknown field name: "toString"' },
  },
  {
    what: 'an option that the column does not have',
    work: (orders, id) => orders.update(id, { Stato: 'Perso' }),
    refusal: {
      statusCode: 422,
      error: 'INVALID_MULTIPLE_CHOICE_OPTIONS',
      message: 'Insufficient permissions to create new select option "Perso"',
    },
  },
  {
    what: 'a number where text belongs',
    work: (orders) => orders.create({ Cliente: 5 }),
    refusal: { ...wrongValue, message: 'Field "Cliente" cannot accept the provided value' },
  },
  {
    what: 'to write the number of an order',
    work: (orders) => orders.create({ 'ID Ordine': 7 }),
    refusal: wrongValue,
  },
  {
    what: 'to write the time of a change',
    work: (orders, id) => orders.update(id, { Last: '2026-01-01' }),
    refusal: {
      ...wrongValue,
      message: 'Field "Last" cannot accept a value because the field is computed',
    },
  },
  {
    what: 'a formula that is none',
    work: (orders) => orders.select({ filterByFormula: '{Cliente} =' }).all(),
    refusal: {
      ...wrongFormula,
      message:
        'The formula for filtering records is invalid: ' +
        'Invalid formula. Please check your formula text.',
    },
  },
  {
    what: 'a formula about a column that is not there',
    work: (orders) => orders.select({ filterByFormula: "{Telefono} = '1'" }).all(),
    refusal: {
      ...wrongFormula,
      message: 'The formula for filtering records is invalid: Unknown field names: telefono',
    },
  },
  {
    what: 'a page of more than a hundred',
    work: (orders) => orders.select({ pageSize: 101 }).all(),
    refusal: { statusCode: 422, error: 'INVALID_REQUEST_UNKNOWN' },
  },
  {
    what: 'an offset that is a number',
    work: (orders) => orders.select({ offset: 10 }).all(),
    refusal: {
      statusCode: 422,
      error: 'INVALID_OFFSET_VALUE',
      message: 'The value of offset 10 is invalid',
    },
  },
  {
    what: 'a body of more than a megabyte',
    work: (orders) => orders.create({ Ordine: 'x'.repeat(5_000_000) }),
    refusal: { statusCode: 413, error: 'REQUEST_TOO_LARGE' },
  },
]

describe('the official client is refused', () => {
  it.each(REFUSED)('$what', async ({ work, refusal }) => {
    const airtable = await start()
    const [id = ''] = addOrders(airtable, ['Anna'])
    const before = airtable.all(BASE, TABLE)
    expect(await refusalOf(work(officialTable(airtable), id))).toMatchObject(refusal)
    expect(airtable.all(BASE, TABLE)).toEqual(before)
  })

  it.each([
    { what: 'a wrong token', client: { token: 'patWrong' }, status: 401 },
    { what: 'a base that is not there', client: { base: 'appNobody00000000' }, status: 403 },
    { what: 'a table that is not there', client: { table: 'Clienti' }, status: 403 },
  ])('for $what', async ({ client, status }) => {
    const airtable = await start()
    const error = status === 401 ? 'AUTHENTICATION_REQUIRED' : 'NOT_AUTHORIZED'
    const refusal = await refusalOf(officialTable(airtable, client).select().all())
    expect(refusal).toMatchObject({ statusCode: status, error })
  })
})

type Raw = {
  what: string
  path: string
  request?: { method?: string; token?: string; body?: string }
  status: number
  error: unknown
}

const PATH = `/v0/${BASE}/${TABLE}`
const explained = (type: string, message: unknown = expect.any(String)) => ({ type, message })
const wrongModel = explained(
  'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND',
  expect.stringContaining('the requested model was not found'),
)
const unreadable = explained(
  'INVALID_REQUEST_UNKNOWN',
  'Invalid request: could not parse request body. Check your request data.',
)
const invalid = explained('INVALID_REQUEST_UNKNOWN')

/** What the client hides behind words of its own. */
const RAW: Raw[] = [
  {
    what: 'a wrong token',
    path: PATH,
    request: { token: 'patWrong' },
    status: 401,
    error: explained('AUTHENTICATION_REQUIRED', 'Authentication required'),
  },
  { what: 'an unknown base', path: `/v0/appX/${TABLE}`, status: 403, error: wrongModel },
  { what: 'an unknown table', path: `/v0/${BASE}/Altro`, status: 403, error: wrongModel },
  { what: 'a base without a table', path: `/v0/${BASE}`, status: 403, error: wrongModel },
  { what: 'an unknown record', path: `${PATH}/${NOBODY}`, status: 404, error: 'NOT_FOUND' },
  { what: 'an address outside the API', path: '/v1/x', status: 404, error: 'NOT_FOUND' },
  { what: 'an address that is not encoded', path: `${PATH}%zz`, status: 404, error: 'NOT_FOUND' },
  {
    what: 'a body that is not JSON',
    path: PATH,
    request: { method: 'POST', body: '{"fields":' },
    status: 422,
    error: unreadable,
  },
  { what: 'no body', path: PATH, request: { method: 'POST' }, status: 422, error: unreadable },
  {
    what: 'a body without fields',
    path: PATH,
    request: { method: 'POST', body: '{"campi":{}}' },
    status: 422,
    error: unreadable,
  },
  {
    what: 'no ids to delete',
    path: PATH,
    request: { method: 'DELETE' },
    status: 422,
    error: explained('INVALID_RECORDS'),
  },
  {
    what: 'an unknown method',
    path: PATH,
    request: { method: 'OPTIONS' },
    status: 422,
    error: invalid,
  },
  { what: 'a page of none', path: `${PATH}?pageSize=0`, status: 422, error: invalid },
  { what: 'a page of some', path: `${PATH}?pageSize=some`, status: 422, error: invalid },
  { what: 'no records at most', path: `${PATH}?maxRecords=0`, status: 422, error: invalid },
  {
    what: 'a direction that is none',
    path: `${PATH}?sort[0][field]=Cliente&sort[0][direction]=up`,
    status: 422,
    error: invalid,
  },
]

it.each(RAW)('answers $what with $status', async ({ path, status, error, request }) => {
  const airtable = await start()
  expect(await ask(airtable, path, request)).toEqual({ status, body: { error } })
})
