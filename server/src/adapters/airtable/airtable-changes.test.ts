import { type Field, ordersTable } from '@bancone/sandbox/airtable/schema'
import { describe, expect, it } from 'vitest'
import { airtableAdapter, location, tableId } from '../../../test/airtable-adapter.ts'

const since = '2026-03-01T09:00:00.000Z'
const later = Date.parse('2026-03-01T09:05:00.000Z')
const earlier = Date.parse('2026-03-01T08:55:00.000Z')

/** A table whose columns may contain invalid values, and the adapter that reads it. */
async function start(columns: Record<string, Field>) {
  const { airtable, source, ...base } = await airtableAdapter({
    table: ordersTable(tableId, columns),
  })
  const add = (createdTime: number, fields: Record<string, unknown>) =>
    base.add(fields, createdTime)
  const changedSince = async (moment: string) => {
    const found = new Map<string, string>()
    for await (const { orders } of source.readChanged(location, moment)) {
      for (const { recordId, updatedAt } of orders) found.set(recordId, updatedAt)
    }
    return found
  }
  return { airtable, source, add, changedSince }
}

describe('what changed since a moment', () => {
  it('has every order that is new, whatever is in its column Last', async () => {
    const { add, changedSince } = await start({ Last: { kind: 'text' } })
    add(earlier, { Cliente: 'old, and without' })
    add(earlier, { Cliente: 'old, and broken', Last: 'ieri' })
    const changed = add(earlier, { Last: '2026-03-01T09:02:00Z' })
    const empty = add(later, { Cliente: 'new, and without' })
    const broken = add(later, { Last: 'oggi' })
    expect(await changedSince(since)).toEqual(
      new Map([
        [changed, '2026-03-01T09:02:00.000Z'],
        [empty, '2026-03-01T09:05:00.000Z'],
        [broken, '2026-03-01T09:05:00.000Z'],
      ]),
    )
  })

  it('is asked for in the words of the table: the rest is not sent', async () => {
    const { airtable, add, changedSince } = await start({ Last: { kind: 'text' } })
    for (let index = 0; index < 101; index += 1) add(earlier, {})
    expect((await changedSince(since)).size).toBe(0)
    expect(airtable.requests().total).toBe(1)
  })

  it.each([
    { what: 'no column Last', columns: { Fine: { kind: 'text' } } },
    { what: 'a column that is almost Last', columns: { last: { kind: 'text' } } },
  ] as const)('is the whole table where there is $what', async ({ columns }) => {
    const all = Object.entries(ordersTable(tableId, columns).fields)
    const fields = Object.fromEntries(all.filter(([name]) => name !== 'Last'))
    const table = { id: tableId, name: 'O', fields }
    const { airtable, source, add } = await airtableAdapter({ table })
    const id = add({}, earlier)
    for (const requests of [3, 4]) {
      const found: string[] = []
      for await (const { orders } of source.readChanged(location, since)) {
        found.push(...orders.map((order) => order.recordId))
      }
      expect(found).toEqual([id])
      // The first time it is refused, and asks which columns there are.
      expect(airtable.requests().total).toBe(requests)
    }
  })

  it.each(["2026-03-01T09:00:00Z'), 1=1, ('", 'ieri', ''])(
    'is asked for by a time and by nothing else: %j is not sent',
    async (moment) => {
      const { airtable, changedSince } = await start({})
      await expect(changedSince(moment)).rejects.toThrow(RangeError)
      expect(airtable.requests().total).toBe(0)
    },
  )
})

describe('a status', () => {
  it('is written where another cell of the order is broken', async () => {
    const { source, add } = await start({ Cliente: { kind: 'attachments' } })
    const id = add(earlier, { Cliente: [true], Stato: 'In attesa' })
    const order = await source.setStatus(location, id, 'Confermato')
    expect(order).toMatchObject({ recordId: id, customerName: null, status: 'Confermato' })
  })
})
