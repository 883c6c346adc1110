import { countOrders } from '@bancone/contract/order-search'
import { listOrders } from '@bancone/contract/orders'
import { hashKey } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { countOf, foundPage, newOrder, order, orders, pageOf } from '../../../../test/fixtures.ts'
import { endpointKey, endpointQueryOptions } from '../../../lib/endpoint-query.ts'
import { createQueryClient } from '../../../lib/query-client.ts'
import {
  evictOldPages,
  invalidateOrderPages,
  isFirstPage,
  orderPagesFilter,
  pageQueryOptions,
  setCachedOrder,
  setCachedSeen,
} from './orders-cache.ts'

function cached(pages: number) {
  const client = createQueryClient()
  for (let page = 1; page <= pages; page++) {
    const query = { page, pageSize: 2 }
    client.setQueryData(endpointKey(listOrders, { query }), pageOf(orders(60), query), {
      updatedAt: page,
    })
  }
  const kept = () => client.getQueryCache().findAll(orderPagesFilter)
  return { client, kept }
}

test('twenty pages are kept, the oldest go', () => {
  const { client, kept } = cached(23)
  evictOldPages(client)
  expect(kept().map(({ state }) => state.dataUpdatedAt)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 4),
  )
})

test('an order as it now is replaces the one on its page, and touches no other page', async () => {
  const { client, kept } = cached(3)
  const before = kept().map(({ state }) => state.data)
  await setCachedOrder(client, order(58, { Stato: 'Annullato' }))
  const after = kept().map(({ state }) => state.data)
  expect(after[1]).toMatchObject({ records: [{ fields: { Stato: 'Annullato' } }, order(57)] })
  expect([after[0], after[2]]).toEqual([before[0], before[2]])
})

test('it leaves the new ones, and the pages stay as old as they are', async () => {
  const { client, kept } = cached(1)
  const query = { page: 1, pageSize: 2 }
  const page = pageOf([newOrder(61), newOrder(60)], query)
  client.setQueryData(endpointKey(listOrders, { query }), page, { updatedAt: 7 })
  await setCachedOrder(client, order(61))
  expect(kept()[0]?.state).toMatchObject({
    dataUpdatedAt: 7,
    data: { unseen: { count: 1, recordIds: [newOrder(60).id] } },
  })
})

test('so it does on a page that was found by words', async () => {
  const { client, kept } = cached(1)
  const asked = { page: 1, pageSize: 20, q: 'cliente 58' }
  client.setQueryData(pageQueryOptions(asked).queryKey, foundPage(orders(60), asked), {
    updatedAt: 9,
  })
  await setCachedOrder(client, order(58, { Stato: 'Annullato' }))
  const found = kept().find(({ state }) => state.dataUpdatedAt === 9)
  expect(found?.state.data).toMatchObject({ records: [{ fields: { Stato: 'Annullato' } }] })
})

test('pages and counts are read again, but for the one that was read just now', async () => {
  const { client } = cached(2)
  const { queryKey } = endpointQueryOptions(countOrders, { body: { q: 'rossi' } })
  client.setQueryData(queryKey, countOf(orders(3), {}))
  const [first, second] = [1, 2].map((page) => pageQueryOptions({ page, pageSize: 2 }).queryKey)
  if (!first || !second) throw new Error('no pages')
  await invalidateOrderPages(client, hashKey(first))
  const old = [first, second, queryKey].map((key) => client.getQueryState(key)?.isInvalidated)
  expect(old).toEqual([false, true, true])
})

test.each([
  [{ page: 1, pageSize: 20 }, true],
  [{ page: 2, pageSize: 20 }, false],
  [{ page: 1, pageSize: 50 }, false],
  [{ page: 1, pageSize: 20, q: 'rossi' }, false],
  [{ page: 1, pageSize: 20, periodo: 'oggi' as const }, false],
  [{ page: 1, pageSize: 20, ordina: 'cliente' as const }, false],
])('%j is the page that is watched: %s', (asked, watched) => {
  expect(isFirstPage(asked)).toBe(watched)
})

test('orders that were seen are new on no page', async () => {
  const { client, kept } = cached(1)
  const query = { page: 1, pageSize: 2 }
  const page = pageOf([newOrder(61), newOrder(60)], query)
  client.setQueryData(endpointKey(listOrders, { query }), page)
  const left = { count: 1, recordIds: [newOrder(61).id] }
  await setCachedSeen(client, [newOrder(60).id], left)
  expect(kept()[0]?.state.data).toMatchObject({
    records: [{ seen: false }, { seen: true }],
    unseen: left,
  })
})
