import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { OrderStatus } from '@bancone/contract/orders'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFolder } from '../test/folder.ts'
import { officialTable } from '../test/start.ts'
import { startDemoAirtable } from './demo.ts'
import { DEMO_BASE_ID, DEMO_TABLE_ID, DEMO_TOKEN } from './demo-orders.ts'

async function startDemo(options: { dir?: string; orderEverySeconds?: number } = {}) {
  const dir = options.dir ?? createFolder()
  const airtable = await startDemoAirtable({ orderEverySeconds: 0, ...options, dir })
  onTestFinished(() => airtable.close().catch(() => {}))
  return { airtable, dir, all: () => airtable.all(DEMO_BASE_ID, DEMO_TABLE_ID) }
}

describe('the Airtable of the demo', () => {
  it('is read by the official client, in five pages, with pictures that are there', async () => {
    const { airtable } = await startDemo()
    expect(airtable.token).toBe(DEMO_TOKEN)
    const orders = officialTable(airtable, { base: DEMO_BASE_ID, table: DEMO_TABLE_ID })
    const all = await orders.select().all()
    expect(all).toHaveLength(480)
    expect(airtable.requests()).toMatchObject({ total: 5, byMethod: { GET: 5 }, limited: 0 })
    expect(new Set(all.map((record) => record.get('Stato')))).toEqual(new Set(OrderStatus.options))
    const image = all.map((record) => record.get('Image')).find((url) => typeof url === 'string')
    expect((await fetch(image ?? '')).status).toBe(200)
  })

  it('keeps its orders, and does not add to them at the next start', async () => {
    const first = await startDemo()
    const before = first.all()
    first.airtable.update(DEMO_BASE_ID, DEMO_TABLE_ID, before[3]?.id ?? '', { Stato: 'Annullato' })
    await first.airtable.close()
    expect(existsSync(join(first.dir, 'airtable.jsonl'))).toBe(true)
    const { airtable, all } = await startDemo({ dir: first.dir })
    expect(airtable.url).toBe(first.airtable.url)
    expect(all().map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(all()[3]?.fields['Stato']).toBe('Annullato')
  })
})

describe('new orders', () => {
  it('come every so often, until it is closed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { airtable, all } = await startDemo({ orderEverySeconds: 45 })
    vi.advanceTimersByTime(44_999)
    expect(all()).toHaveLength(480)
    vi.advanceTimersByTime(1)
    expect(all()).toHaveLength(481)
    vi.advanceTimersByTime(90_000)
    const late = all().slice(480)
    expect(late.map(({ fields }) => [fields['ID Ordine'], fields['Stato']])).toEqual([
      [481, 'In attesa'],
      [482, 'In attesa'],
      [483, 'In attesa'],
    ])
    expect(late.at(-1)?.createdTime).toBe(new Date().toISOString())
    expect(new Set(late.map(({ fields }) => fields['Ordine'])).size).toBe(3)
    await airtable.close()
    expect(vi.getTimerCount()).toBe(0)
  })
})
