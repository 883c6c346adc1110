import { beforeEach, describe, expect, it } from 'vitest'
import { createOrderPages } from './order-pages.ts'

const record = {
  id: 'rec00000000000001',
  createdTime: '',
  fields: { Stato: '', Created: '', Last: '' },
  seen: false,
  picture: null,
}

let reads: number
let rows: number

function pages() {
  return createOrderPages({
    page: async (_pharmacyId, query) => {
      reads += 1
      return Array.from({ length: Math.min(rows, query.pageSize) }, () => record)
    },
    unseen: async () => {
      reads += 1
      return [record.id]
    },
  })
}

beforeEach(() => {
  reads = 0
  rows = 100
})

describe('a page of orders', () => {
  it('is read once for a version', async () => {
    const kept = pages()
    await kept.read('a', '1', { page: 1, pageSize: 20 })
    expect(await kept.read('a', '1', { page: 1, pageSize: 20 })).toHaveLength(20)
    expect(reads).toBe(1)
    await kept.read('a', '2', { page: 1, pageSize: 20 })
    await kept.read('b', '2', { page: 1, pageSize: 20 })
    await kept.read('b', '2', { page: 1, pageSize: 20, stato: 'Annullato' })
    expect(reads).toBe(4)
  })

  it.each([
    { pageSize: 100, most: 100 },
    { pageSize: 5, most: 2_000 },
  ])('of $pageSize is kept among $most, and no more', async ({ pageSize, most }) => {
    const kept = pages()
    for (let page = 1; page <= most; page += 1) await kept.read('a', '1', { page, pageSize })
    await kept.read('a', '1', { page: 1, pageSize })
    expect(reads).toBe(most)
    await kept.read('a', '1', { page: most + 1, pageSize })
    // The one that was used longest ago has gone.
    await kept.read('a', '1', { page: 1, pageSize })
    expect(reads).toBe(most + 1)
    await kept.read('a', '1', { page: 2, pageSize })
    expect(reads).toBe(most + 2)
  })

  it('that is empty is not kept', async () => {
    const kept = pages()
    rows = 0
    await kept.read('a', '1', { page: 9, pageSize: 20 })
    await kept.read('a', '1', { page: 9, pageSize: 20 })
    expect(reads).toBe(2)
  })

  it('tells the unseen orders, read once for a version and a pharmacy', async () => {
    const kept = pages()
    expect(await kept.unseen('a', '1')).toEqual([record.id])
    await kept.unseen('a', '1')
    expect(reads).toBe(1)
    await kept.unseen('a', '2')
    await kept.unseen('b', '2')
    expect(reads).toBe(3)
  })
})
