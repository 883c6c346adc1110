import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFolder } from '../../test/folder.ts'
import {
  addOrders,
  BASE,
  createClock,
  officialTable,
  STOCK,
  start,
  TABLE,
} from '../../test/start.ts'
import { type Change, openJournal } from './journal.ts'

const kept = (id: string, number: number, cells = {}): Change => ({
  table: 'a/b',
  record: { id, number, createdTime: 1, modifiedTime: 2, cells },
})

describe('a journal', () => {
  it('gives back what was written, oldest first', () => {
    const file = join(createFolder(), 'deep', 'journal.jsonl')
    const first = openJournal(file)
    expect(first.changes).toEqual([])
    first.append([kept('rec1', 1), kept('rec2', 2, { Cliente: 'Niccolò\n🙏' })])
    first.append([kept('rec3', 3)])
    first.close()
    const records = openAndClose(file).flatMap(({ record }) => record ?? [])
    expect(records.map(({ id }) => id)).toEqual(['rec1', 'rec2', 'rec3'])
    expect(records[1]?.cells).toEqual({ Cliente: 'Niccolò\n🙏' })
  })

  it('does not grow with every start, and leaves no half-written file', () => {
    const folder = createFolder()
    const file = join(folder, 'journal.jsonl')
    const journal = openJournal(file)
    for (let time = 0; time < 50; time += 1) journal.append([kept('rec1', 1, { time })])
    journal.append([kept('rec2', 2), { table: 'a/b', gone: 'rec2' }])
    journal.close()
    const changes = openAndClose(file)
    expect(changes.flatMap(({ record }) => record?.cells ?? [])).toEqual([{ time: 49 }])
    const text = readFileSync(file, 'utf8')
    expect(text.split('\n').length).toBeLessThan(5)
    expect(openAndClose(file)).toEqual(changes)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(existsSync(`${file}.new`)).toBe(false)
  })

  it('is readable by its owner alone, also one that was readable by all', () => {
    const file = join(createFolder(), 'airtable.jsonl')
    for (const name of [file, `${file}.new`]) writeFileSync(name, '', { mode: 0o644 })
    openAndClose(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

function openAndClose(file: string): Change[] {
  const journal = openJournal(file)
  journal.close()
  return journal.changes
}

describe('a sandbox that is started anew from its file', () => {
  async function startKept() {
    const file = join(createFolder(), 'airtable.jsonl')
    const clock = createClock()
    const open = () => start({ file, now: clock.now })
    return { file, clock, open }
  }

  it('has the records as they were, also after writes of other clients', async () => {
    const { open, clock } = await startKept()
    const before = await open()
    const [anna = '', bruno = '', carla = ''] = addOrders(before, ['Anna', 'Bruno', 'Carla'])
    const orders = officialTable(before)
    clock.move(5000)
    await orders.update(anna, { Stato: 'Confermato' })
    await orders.update(bruno, { Stato: 'Annullato' })
    await orders.destroy(carla)
    for (const Cliente of ['Dario', 'Elena']) await orders.create({ Cliente })
    before.update(BASE, TABLE, anna, { Indirizzo: 'Via Piave 1' })
    await officialTable(before, { table: STOCK.name }).create({ Pezzi: 3, Foto: [] })
    const [orderRows, stockRows] = [before.all(BASE, TABLE), before.all(BASE, STOCK.id)]
    expect([orderRows.length, stockRows.length]).toEqual([4, 1])
    await before.close()

    clock.move(60_000)
    const after = await open()
    expect(after.all(BASE, TABLE)).toEqual(orderRows)
    expect(after.all(BASE, STOCK.id)).toEqual(stockRows)
    const found = await officialTable(after).select().all()
    expect(found.map((record) => record.fields)).toEqual(orderRows.map(({ fields }) => fields))
  })

  it('goes on numbering, even when the record with the highest number is gone', async () => {
    const { open } = await startKept()
    const first = await open()
    const [, , last = ''] = addOrders(first, ['Anna', 'Bruno', 'Carla'])
    await officialTable(first).destroy(last)
    await first.close()
    await (await open()).close()
    const orders = officialTable(await open())
    expect((await orders.create({ Cliente: 'Dario' })).get('ID Ordine')).toBe(4)
  })

  it('has all but the last record when its line was cut short', async () => {
    const { open, file } = await startKept()
    const before = await open()
    addOrders(before, ['Anna', 'Bruno'])
    await before.close()
    const whole = readFileSync(file)
    const line = whole.toString('utf8').trimEnd().split('\n').at(-1) ?? ''
    expect(line).toContain('Bruno')
    for (const length of [1, 20, Buffer.byteLength(line) - 1]) {
      writeFileSync(file, whole)
      truncateSync(file, whole.length - Buffer.byteLength(`${line}\n`) + length)
      const after = await open()
      expect(after.all(BASE, TABLE).map(({ fields }) => fields['Cliente'])).toEqual(['Anna'])
      addOrders(after, ['Carla'])
      await after.close()
      const again = await open()
      expect(again.all(BASE, TABLE).map(({ fields }) => fields['Cliente'])).toEqual([
        'Anna',
        'Carla',
      ])
      await again.close()
    }
  })
})
