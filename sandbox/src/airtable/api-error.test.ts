import type { FieldSet, Table } from 'airtable'
import { describe, expect, it } from 'vitest'
import { addOrders, ask, BASE, officialTable, refusalOf, start, TABLE } from '../../test/start.ts'

type Work = (orders: Table<FieldSet>, id: string) => Promise<unknown>
type Refusal = [statusCode: number, error: string, message?: string | undefined]

const NOBODY = 'recNobody00000000'

const unknownField = (name: string): Refusal => [
  422,
  'UNKNOWN_FIELD_NAME',
  `Unknown field name: "${name}"`,
]
const wrongValue = (message?: string): Refusal => [422, 'INVALID_VALUE_FOR_COLUMN', message]
const wrongFormula = (reason: string): Refusal => [
  422,
  'INVALID_FILTER_BY_FORMULA',
  `The formula for filtering records is invalid: ${reason}`,
]
const notFound: Refusal = [404, 'NOT_FOUND']

const filtered =
  (filterByFormula: string): Work =>
  (orders) =>
    orders.select({ filterByFormula }).all()

const REFUSED: [what: string, Work, Refusal][] = [
  ['to find a record that is not there', (orders) => orders.find(NOBODY), notFound],
  [
    'to change a record that is not there',
    (orders) => orders.update(NOBODY, { Cliente: 'X' }),
    notFound,
  ],
  ['to delete a record that is not there', (orders) => orders.destroy(NOBODY), notFound],
  [
    'to write a column that is not there',
    (orders, id) => orders.update(id, { Telefono: '1' }),
    unknownField('Telefono'),
  ],
  [
    'to write a column named like something every object has',
    (orders) => orders.create({ constructor: 'x' }),
    unknownField('constructor'),
  ],
  [
    'to read a column that is not there',
    (orders) => orders.select({ fields: ['Cliente', 'Telefono'] }).all(),
    unknownField('Telefono'),
  ],
  [
    'to sort by a column named like something every object has',
    (orders) => orders.select({ sort: [{ field: 'toString' }] }).all(),
    unknownField('toString'),
  ],
  [
    'an option that the column does not have',
    (orders, id) => orders.update(id, { Stato: 'Perso' }),
    [
      422,
      'INVALID_MULTIPLE_CHOICE_OPTIONS',
      'Insufficient permissions to create new select option "Perso"',
    ],
  ],
  [
    'a number where text belongs',
    (orders) => orders.create({ Cliente: 5 }),
    wrongValue('Field "Cliente" cannot accept the provided value'),
  ],
  ['to write the number of an order', (orders) => orders.create({ 'ID Ordine': 7 }), wrongValue()],
  [
    'to write the time of a change',
    (orders, id) => orders.update(id, { Last: '2026-01-01' }),
    wrongValue('Field "Last" cannot accept a value because the field is computed'),
  ],
  [
    'a formula that is none',
    filtered('{Cliente} ='),
    wrongFormula('Invalid formula. Please check your formula text.'),
  ],
  [
    'a formula about a column that is not there',
    filtered("{Telefono} = '1'"),
    wrongFormula('Unknown field names: telefono'),
  ],
  [
    'a page of more than a hundred',
    (orders) => orders.select({ pageSize: 101 }).all(),
    [422, 'INVALID_REQUEST_UNKNOWN'],
  ],
  [
    'an offset that is a number',
    (orders) => orders.select({ offset: 10 }).all(),
    [422, 'INVALID_OFFSET_VALUE', 'The value of offset 10 is invalid'],
  ],
  [
    'a body of more than a megabyte',
    (orders) => orders.create({ Ordine: 'x'.repeat(5_000_000) }),
    [413, 'REQUEST_TOO_LARGE'],
  ],
]

describe('the official client is refused', () => {
  it.each(REFUSED)('%s', async (_what, work, [statusCode, error, message]) => {
    const airtable = await start()
    const [id = ''] = addOrders(airtable, ['Anna'])
    const before = airtable.all(BASE, TABLE)
    expect(await refusalOf(work(officialTable(airtable), id))).toMatchObject({
      statusCode,
      error,
      ...(message !== undefined && { message }),
    })
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

/** Errors that the official client replaces with its own. */
const RAW: [
  what: string,
  status: number,
  error: unknown,
  path: string,
  Parameters<typeof ask>[2]?,
][] = [
  [
    'a wrong token',
    401,
    explained('AUTHENTICATION_REQUIRED', 'Authentication required'),
    PATH,
    { token: 'patWrong' },
  ],
  ['an unknown base', 403, wrongModel, `/v0/appX/${TABLE}`],
  ['an unknown table', 403, wrongModel, `/v0/${BASE}/Altro`],
  ['a base without a table', 403, wrongModel, `/v0/${BASE}`],
  ['an unknown record', 404, 'NOT_FOUND', `${PATH}/${NOBODY}`],
  ['an address outside the API', 404, 'NOT_FOUND', '/v1/x'],
  ['an address that is not encoded', 404, 'NOT_FOUND', `${PATH}%zz`],
  ['a body that is not JSON', 422, unreadable, PATH, { method: 'POST', body: '{"fields":' }],
  ['no body', 422, unreadable, PATH, { method: 'POST' }],
  ['a body without fields', 422, unreadable, PATH, { method: 'POST', body: '{"campi":{}}' }],
  ['an unknown method', 422, invalid, PATH, { method: 'OPTIONS' }],
  ['a page of none', 422, invalid, `${PATH}?pageSize=0`],
  ['a page of some', 422, invalid, `${PATH}?pageSize=some`],
  ['no records at most', 422, invalid, `${PATH}?maxRecords=0`],
  [
    'a direction that is none',
    422,
    invalid,
    `${PATH}?sort[0][field]=Cliente&sort[0][direction]=up`,
  ],
]

it.each(RAW)('answers %s with %i', async (_what, status, error, path, request) => {
  const airtable = await start()
  expect(await ask(airtable, path, request)).toEqual({ status, body: { error } })
})
