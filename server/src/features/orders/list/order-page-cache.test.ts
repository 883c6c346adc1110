import { beforeEach, describe, expect, it } from 'vitest'
import { createOrderPageCache } from './order-page-cache.ts'

const record = {
  id: 'rec00000000000001',
  createdTime: '',
  fields: { Stato: '', Created: '', Last: '' },
  seen: false,
  picture: null,
}

const whole = {
  filter: {
    words: null,
    number: null,
    statuses: undefined,
    days: { from: null, to: null },
    lateBefore: null,
    isToCollect: false,
    overdueOn: null,
  },
  sort: 'recenti' as const,
  few: false,
}

let reads: number
let rows: number

function pages() {
  const store: Parameters<typeof createOrderPageCache>[0] = {
    list: async (_pharmacyId, { pageSize }) => {
      reads += 1
      const records = Array.from({ length: Math.min(rows, pageSize) }, () => record)
      return { records, known: rows, counted: true }
    },
    countByStatus: async () => {
      reads += 1
      return { byStatus: new Map([['Annullato', rows]]), late: 0, toCollect: 0, overdue: 0 }
    },
    countInTime: async () => {
      reads += 1
      return { pending: rows, toCollect: 0 }
    },
    unseen: async () => {
      reads += 1
      return { recordIds: [record.id] }
    },
  }
  return createOrderPageCache(store, (records) => records)
}

beforeEach(() => {
  reads = 0
  rows = 100
})

describe('a page of orders', () => {
  it('is read once for a version', async () => {
    const kept = pages()
    await kept.read('a', '1', { ...whole, page: 1, pageSize: 20 })
    const again = await kept.read('a', '1', { ...whole, page: 1, pageSize: 20 })
    expect(again.records).toHaveLength(20)
    expect(reads).toBe(1)
    await kept.read('a', '2', { ...whole, page: 1, pageSize: 20 })
    await kept.read('b', '2', { ...whole, page: 1, pageSize: 20 })
    expect(reads).toBe(3)
  })

  it.each([
    { filter: { ...whole.filter, statuses: ['Annullato' as const] } },
    { filter: { ...whole.filter, words: 'rossi' } },
    { filter: { ...whole.filter, days: { from: '2026-10-25', to: null } } },
    { filter: { ...whole.filter, days: { from: null, to: '2026-10-25' } } },
    { sort: 'cliente' as const },
    { page: 2 },
    { pageSize: 10 },
  ])('is another one with %j', async (other) => {
    const kept = pages()
    const asked = { ...whole, page: 1, pageSize: 20 }
    await kept.read('a', '1', asked)
    await kept.read('a', '1', { ...asked, ...other })
    expect(reads).toBe(2)
  })

  it.each([
    { pageSize: 100, most: 100 },
    { pageSize: 5, most: 2_000 },
  ])('of $pageSize is kept among $most, and no more', async ({ pageSize, most }) => {
    const kept = pages()
    for (let page = 1; page <= most; page += 1)
      await kept.read('a', '1', { ...whole, page, pageSize })
    await kept.read('a', '1', { ...whole, page: 1, pageSize })
    expect(reads).toBe(most)
    await kept.read('a', '1', { ...whole, page: most + 1, pageSize })
    // The one that was used longest ago has gone.
    await kept.read('a', '1', { ...whole, page: 1, pageSize })
    expect(reads).toBe(most + 1)
    await kept.read('a', '1', { ...whole, page: 2, pageSize })
    expect(reads).toBe(most + 2)
  })

  it('that is empty is not kept', async () => {
    const kept = pages()
    rows = 0
    await kept.read('a', '1', { ...whole, page: 9, pageSize: 20 })
    await kept.read('a', '1', { ...whole, page: 9, pageSize: 20 })
    expect(reads).toBe(2)
  })

  it('has counts of its own, read once for a version', async () => {
    const kept = pages()
    const { filter } = whole
    const counts = { byStatus: new Map([['Annullato', 100]]), late: 0, toCollect: 0, overdue: 0 }
    expect(await kept.countByStatus('a', '1', filter, '10:00', '2026-01-01')).toEqual(counts)
    await kept.countByStatus(
      'a',
      '1',
      { ...filter, statuses: ['Annullato'] },
      '10:00',
      '2026-01-01',
    )
    expect(reads).toBe(1)
    await kept.countByStatus('a', '2', filter, '10:00', '2026-01-01')
    await kept.countByStatus('b', '2', filter, '10:00', '2026-01-01')
    await kept.countByStatus('b', '2', { ...filter, words: 'rossi' }, '10:00', '2026-01-01')
    await kept.countByStatus('b', '2', { ...filter, words: 'rossi' }, '10:01', '2026-01-01')
    expect(reads).toBe(5)
  })

  it('tells how many orders wait since a time, read once for that and a version', async () => {
    const kept = pages()
    const today = { today: '2026-01-01', overdueDays: null }
    expect(await kept.countInTime('a', '1', '10:00', today)).toMatchObject({ pending: 100 })
    await kept.countInTime('a', '1', '10:00', { ...today })
    expect(reads).toBe(1)
    await kept.countInTime('a', '1', '10:01', today)
    await kept.countInTime('a', '2', '10:01', today)
    await kept.countInTime('a', '2', '10:01', undefined)
    expect(reads).toBe(4)
  })

  it('tells the unseen orders, read once for a version and a pharmacy', async () => {
    const kept = pages()
    expect(await kept.unseen('a', '1')).toEqual({ recordIds: [record.id] })
    await kept.unseen('a', '1')
    expect(reads).toBe(1)
    await kept.unseen('a', '2')
    await kept.unseen('b', '2')
    expect(reads).toBe(3)
  })
})
