import { ordersTable, type TableSchema } from '@bancone/sandbox/airtable/schema'
import { describe, expect, it } from 'vitest'
import { airtableAdapter, baseId, location, tableId } from '../../../test/airtable-adapter.ts'
import { fetchAnywhere } from '../../../test/fetch-anywhere.ts'
import type { OrderSource, SourcePage } from '../../ports/order-source.ts'

/** A base with a table of orders, the adapter that reads it, and the recorded requests. */
async function start(
  options: Parameters<typeof airtableAdapter>[0] = {},
  adapter: { columnsRecheckMs?: number } = {},
) {
  const queries: URLSearchParams[] = []
  const { airtable, source } = await airtableAdapter(options, {
    ...adapter,
    fetch: (url, request) => {
      queries.push(new URL(url).searchParams)
      return fetchAnywhere(url, request)
    },
  })
  const add = (all: Record<string, unknown>[]) =>
    airtable.create(
      baseId,
      tableId,
      all.map((fields) => ({ fields })),
    )
  const ids = async () => {
    const found: { recordId: string; pharmaWa: string | null | undefined }[] = []
    for await (const page of source.readIds(location)) found.push(...page)
    return found
  }
  return { airtable, source, queries, add, ids }
}

/** The table without some of its columns. */
function without(...names: string[]): TableSchema {
  const { fields, ...table } = ordersTable(tableId)
  const rest = Object.entries(fields).filter(([name]) => !names.includes(name))
  return { ...table, fields: Object.fromEntries(rest) }
}

describe('the ids of a table', () => {
  it('are all there are, page by page, with whose each is and nothing else', async () => {
    const { airtable, queries, add, ids } = await start()
    const orders = Array.from({ length: 250 }, (_, n) => ({
      Cliente: 'Anna',
      PharmaWA: n % 2 === 0 ? '39011' : '',
    }))
    const added = add(orders)
    expect(await ids()).toEqual(
      added.map((recordId, n) => ({ recordId, pharmaWa: n % 2 === 0 ? '39011' : null })),
    )
    expect(queries.map((query) => query.getAll('fields[]'))).toEqual(
      [1, 2, 3].map(() => ['PharmaWA']),
    )
    expect(airtable.requests().byKind).toMatchObject({ list: 3 })
  })

  it.each([
    { gone: ['PharmaWA'], asked: [['PharmaWA'], ['ID Ordine']] },
    { gone: ['PharmaWA', 'ID Ordine'], asked: [['PharmaWA'], ['ID Ordine'], ['ID_Ordine'], []] },
  ])('are read where there is no $gone', async ({ gone, asked }) => {
    const { queries, add, ids } = await start({ table: without(...gone) })
    const [recordId] = add([{ Cliente: 'Anna' }])
    expect(await ids()).toStrictEqual([{ recordId, pharmaWa: undefined }])
    expect(queries.map((query) => query.getAll('fields[]'))).toEqual(asked)
  })

  it('do not stop at a cell that cannot be read', async () => {
    const table = ordersTable(tableId, { PharmaWA: { kind: 'attachments' } })
    const { add, ids } = await start({ table })
    const [broken, lookup] = add([{ PharmaWA: [true] }, { PharmaWA: ['39011'] }])
    expect(await ids()).toStrictEqual([
      { recordId: broken, pharmaWa: undefined },
      { recordId: lookup, pharmaWa: '39011' },
    ])
  })

  it('are begun anew when the list expires in the middle', async () => {
    let time = 0
    const { add, source } = await start({ offsetLifetimeMs: 1000, now: () => time })
    const added = add(Array.from({ length: 150 }, () => ({})))
    const read: string[] = []
    for await (const page of source.readIds(location)) {
      if (read.length === 0) time += 1001
      read.push(...page.map(({ recordId }) => recordId))
    }
    expect(read).toEqual([...added.slice(0, 100), ...added])
  })

  it('lack those that were removed', async () => {
    const { airtable, add, ids } = await start()
    const [gone = '', there] = add([{}, {}])
    airtable.remove(baseId, tableId, gone)
    expect(await ids()).toEqual([{ recordId: there, pharmaWa: null }])
  })
})

describe('one order', () => {
  it('is read as it now is, with one request', async () => {
    const { airtable, source, add } = await start()
    const [recordId = ''] = add([{ Cliente: 'Anna', Stato: 'In attesa' }, { Cliente: 'Bruno' }])
    airtable.update(baseId, tableId, recordId, { Stato: 'Annullato' })
    const order = await source.readOrder(location, recordId)
    expect(order).toMatchObject({ recordId, customerName: 'Anna', status: 'Annullato' })
    expect(airtable.requests()).toMatchObject({ total: 1, byKind: { list: 1 } })
  })

  it('is read without its broken cells', async () => {
    const table = ordersTable(tableId, { Cliente: { kind: 'attachments' } })
    const { source, add } = await start({ table })
    const [recordId = ''] = add([{ Cliente: [true], Stato: 'In attesa' }])
    expect(await source.readOrder(location, recordId)).toMatchObject({
      customerName: null,
      status: 'In attesa',
    })
  })
})

describe('missing columns', () => {
  it('are none in a table that has all an order needs', async () => {
    const { source } = await start()
    expect(await source.missingColumns(location)).toEqual([])
  })

  it('are named in the order of a form, without those that are not needed', async () => {
    const unneeded = ['PharmaWA', 'ID WA', 'Created', 'Date']
    const { source } = await start({ table: without('Last', 'Cliente', 'Image', ...unneeded) })
    expect(await source.missingColumns(location)).toEqual(['Cliente', 'Image', 'Last'])
  })

  it.each([
    { other: 'ID_Ordine', missing: [] },
    { other: 'Numero', missing: ['ID Ordine'] },
    { other: 'id ordine', missing: ['ID Ordine'] },
  ])('are $missing where the number is in $other', async ({ other, missing }) => {
    const { fields, ...table } = without('ID Ordine')
    const renamed = { ...table, fields: { ...fields, [other]: { kind: 'text' } as const } }
    const { source } = await start({ table: renamed })
    expect(await source.missingColumns(location)).toEqual(missing)
  })

  it('are those of the table, which is found by its name too', async () => {
    const stock = { id: 'tblScorte00000001', name: 'Scorte', fields: without('Stato').fields }
    const { source } = await start({ bases: { [baseId]: [ordersTable(tableId), stock] } })
    expect(await source.missingColumns({ baseId, tableId: 'Ordini' })).toEqual([])
    expect(await source.missingColumns({ baseId, tableId: 'Scorte' })).toEqual(['Stato'])
  })

  it('are not known where the base has no such table, or the token may not ask', async () => {
    const { source } = await start()
    expect(await source.missingColumns({ baseId, tableId: 'tblNone' })).toBeNull()
    expect(await source.missingColumns({ baseId: 'appNone', tableId })).toBeNull()
    const secretive = await start({ exposesSchema: false })
    expect(await secretive.source.missingColumns(location)).toBeNull()
  })
})

describe('a column that is gone', () => {
  const full = { Cliente: 'Anna', Indirizzo: 'Via Po 1', Stato: 'Prenotato Domani' }

  async function read(source: OrderSource) {
    const pages: SourcePage[] = []
    for await (const page of source.readChanged(location, null)) pages.push(page)
    return { orders: pages.flatMap(({ orders }) => orders), missing: pages[0]?.missingColumns }
  }

  /** Renames a column as a user of Airtable does. */
  function rename(table: TableSchema, from: string, to: string) {
    const column = table.fields[from]
    delete table.fields[from]
    if (column) table.fields[to] = column
  }

  const needed = [
    'ID Ordine',
    'Cliente',
    'Phone Number',
    'Indirizzo',
    'Ordine',
    'Stato',
    'Image',
    'Last',
  ]

  it.each(
    [...needed, 'PharmaWA', 'ID WA', 'Created'].flatMap((name) =>
      [true, false].map((exposesSchema) => ({ name, exposesSchema })),
    ),
  )('is told at once: $name, with the schema $exposesSchema', async ({ name, exposesSchema }) => {
    const table = ordersTable(tableId)
    const { airtable, source, add } = await start({ table, exposesSchema })
    const [recordId = ''] = add([full])
    const before = await read(source)
    expect(before.missing).toEqual([])
    expect(before.orders.map(({ unknown }) => unknown)).toEqual([undefined])
    rename(table, name, `${name} nuovo`)
    const { orders, missing } = await read(source)
    expect(missing).toEqual(needed.filter((column) => column === name))
    const unknown = [expect.any(String)]
    expect(orders).toEqual([{ ...orders[0], unknown }])
    expect(await source.readOrder(location, recordId)).toEqual(orders[0])
    // The others are as they were.
    const field = orders[0]?.unknown?.[0] ?? 'status'
    expect({ ...orders[0], [field]: null }).toEqual({ ...before.orders[0], unknown, [field]: null })
    const { total } = airtable.requests()
    await read(source)
    expect(airtable.requests().total).toBe(total + 1)
  })

  it('is not one whose cells are all empty', async () => {
    const { airtable, source, add } = await start()
    add([{}, { Cliente: 'Anna' }])
    const { orders, missing } = await read(source)
    expect(missing).toEqual([])
    expect(orders.map(({ unknown }) => unknown)).toEqual([undefined, undefined])
    expect(airtable.requests().total).toBe(1)
  })

  it('may be one of several, and is looked for again', async () => {
    const table = ordersTable(tableId)
    const { source, add } = await start({ table }, { columnsRecheckMs: 0 })
    add([full])
    for (const name of ['Stato', 'Indirizzo', 'Last']) rename(table, name, `${name} nuovo`)
    const { orders, missing } = await read(source)
    expect(missing).toEqual(['Indirizzo', 'Stato', 'Last'])
    expect(orders[0]?.unknown?.toSorted()).toEqual(['address', 'status', 'updatedAt'])
    for (const name of ['Stato', 'Indirizzo', 'Last']) rename(table, `${name} nuovo`, name)
    const back = await read(source)
    expect(back.missing).toEqual([])
    expect(back.orders).toMatchObject([{ status: 'Prenotato Domani', address: 'Via Po 1' }])
    expect(back.orders[0]?.unknown).toBeUndefined()
  })
})
