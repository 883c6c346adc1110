import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFolder } from '../../test/folder.ts'
import { addOrders, BASE, officialTable, start, TABLE } from '../../test/start.ts'
import { type Change, openJournal } from './journal.ts'

const kept = (id: string, number: number, cells = {}): Change => ({
  table: 'a/b',
  record: { id, number, createdTime: 1, modifiedTime: 2, cells },
})

describe('a journal', () => {
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
  function startKept() {
    const file = join(createFolder(), 'airtable.jsonl')
    return { file, open: () => start({ file }) }
  }

  it('goes on numbering, even when the record with the highest number is gone', async () => {
    const { open } = startKept()
    const first = await open()
    const [, , last = ''] = addOrders(first, ['Anna', 'Bruno', 'Carla'])
    await officialTable(first).destroy(last)
    await first.close()
    await (await open()).close()
    const orders = officialTable(await open())
    expect((await orders.create({ Cliente: 'Dario' })).get('ID Ordine')).toBe(4)
  })

  it('has all but the last record when its line was cut short', async () => {
    const { open, file } = startKept()
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
