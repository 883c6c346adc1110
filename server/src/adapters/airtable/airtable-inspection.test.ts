import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { expect, it } from 'vitest'
import { airtableAdapter, baseId, location, tableId } from '../../../test/airtable-adapter.ts'
import { fetchAnywhere } from '../../../test/fetch-anywhere.ts'
import { unlimitedSlots } from '../../../test/unlimited-slots.ts'
import { createAirtableOrders } from './airtable-orders.ts'

const unnamed = { base: null, table: null, missingColumns: [] }

async function start(exposesSchema = true) {
  const { fields, ...rest } = ordersTable(tableId)
  const isKept = ([name]: [string, unknown]) => name !== 'Cliente' && name !== 'ID Ordine'
  const kept = Object.fromEntries(Object.entries(fields).filter(isKept))
  const table = { ...rest, fields: { ID_Ordine: { kind: 'autoNumber' } as const, ...kept } }
  const { airtable } = await airtableAdapter({ table, exposesSchema })
  const source = (token = airtable.token) =>
    createAirtableOrders({
      apiUrl: airtable.url,
      token,
      slots: unlimitedSlots(),
      fetch: fetchAnywhere,
    })
  return { airtable, source }
}

it('names base, table and missing columns', async () => {
  const { source } = await start()
  expect(await source().inspect(location)).toEqual({
    base: `Base ${baseId}`,
    table: 'Ordini',
    missingColumns: ['Cliente'],
    problem: null,
  })
  expect(await source().inspect({ baseId, tableId: 'tblOther' })).toMatchObject({
    problem: 'table_not_found',
  })
})

it('asks for each column when the schema may not be read', async () => {
  const { source } = await start(false)
  expect(await source().inspect(location)).toEqual({
    ...unnamed,
    missingColumns: ['Cliente'],
    problem: null,
  })
})

it('says why not, after one request each', async () => {
  const { airtable, source } = await start()
  expect(await source('patWrong').inspect(location)).toEqual({ ...unnamed, problem: 'wrong_token' })
  // Airtable's answer is the same for a base that does not exist and for one that the token may not read.
  expect(await source().inspect({ ...location, baseId: 'appOther' })).toEqual({
    ...unnamed,
    problem: 'refused',
  })
  const before = airtable.requests().total
  airtable.fail({ mode: '500', times: 100 })
  expect(await source().inspect(location)).toEqual({ ...unnamed, problem: 'unreachable' })
  expect(airtable.requests().total - before).toBe(1)
})
