import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { expect, it } from 'vitest'
import { airtableAdapter, location, tableId } from '../../../test/airtable-adapter.ts'

const columns = {
  Ora: { kind: 'dateTime' },
  Giorno: { kind: 'date' },
  Testo: { kind: 'text' },
  Note: { kind: 'longText' },
  Scelta: { kind: 'singleSelect', options: ['A'] },
  Modificato: { kind: 'lastModifiedTime' },
} as const

// In Rome it is the next day already.
const time = '2026-11-30T23:05:00.000Z'

async function start(exposesSchema: boolean) {
  const table = ordersTable(tableId, columns)
  const { airtable, source, add } = await airtableAdapter({ table, exposesSchema })
  const recordId = add({ Cliente: 'Anna', Stato: 'In attesa' })
  const [baseId, key] = [location.baseId, location.tableId]
  const fields = () => airtable.all(baseId, key)[0]?.fields ?? {}
  const write = (names: string[], value: string | null = time) =>
    source.writeTimes(location, recordId, new Map(names.map((name) => [name, value])))
  return { airtable, source, recordId, write, fields }
}

it('times are written as the type of each column wants, and emptied', async () => {
  const { write, fields } = await start(true)
  const names = ['Ora', 'Giorno', 'Testo', 'Note']
  expect(await write(names)).toEqual([])
  expect(fields()).toMatchObject({
    Ora: time,
    Giorno: '2026-12-01',
    Testo: '01/12/2026, 00:05',
    Note: '01/12/2026, 00:05',
    Cliente: 'Anna',
  })
  expect(await write(names, null)).toEqual([])
  expect(names.filter((name) => name in fields())).toEqual([])
})

it('times are written as Airtable has them where the schema may not be read', async () => {
  const { write, fields } = await start(false)
  expect(await write(['Ora', 'Testo'])).toEqual([])
  expect(fields()).toMatchObject({ Ora: time, Testo: time })
})

it.each([true, false])('refused columns do not keep the others, schema: %s', async (exposes) => {
  const { write, fields, source } = await start(exposes)
  // A choice is refused without a word of the column.
  const names = ['Manca', 'Scelta', 'Ora', 'Modificato', 'Il "suo"']
  expect((await write(names)).toSorted()).toEqual(['Il "suo"', 'Manca', 'Modificato', 'Scelta'])
  expect(fields()['Ora']).toBe(time)
  const found = await source.columnsWithoutTimes(location, names)
  // Without the schema their types are not known.
  const unfit = exposes ? ['Manca', 'Scelta', 'Modificato', 'Il "suo"'] : ['Manca', 'Il "suo"']
  expect(found).toEqual(unfit)
})

it('a record that is gone, and Airtable away, are no refused columns', async () => {
  const { airtable, write, recordId } = await start(true)
  airtable.fail({ mode: '500' })
  await expect(write(['Ora'])).rejects.toMatchObject({ kind: 'unreachable' })
  airtable.fail({ mode: 'ok' })
  airtable.remove(location.baseId, location.tableId, recordId)
  await expect(write(['Ora'])).rejects.toMatchObject({ kind: 'not_found' })
})
