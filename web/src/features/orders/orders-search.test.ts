import { expect, test } from 'vitest'
import { formatOrdersSearch, parseOrdersSearch } from './orders-search.ts'

test.each([
  ['', { page: 1, pageSize: 20 }],
  ['page=3&pageSize=50&stato=Confermato', { page: 3, pageSize: 50, stato: 'Confermato' }],
  ['stato=Prenotato+in+Giornata', { page: 1, pageSize: 20, stato: 'Prenotato in Giornata' }],
  ['page=0&pageSize=101&stato=Perso', { page: 1, pageSize: 20 }],
  ['page=due&pageSize=', { page: 1, pageSize: 20 }],
  ['page=2&pageSize=molti', { page: 2, pageSize: 20 }],
])('?%s asks for %j', (search, query) => {
  expect(parseOrdersSearch(new URLSearchParams(search))).toEqual(query)
})

test.each([
  [{ page: 1, pageSize: 20 }, ''],
  [{ page: 2, pageSize: 20 }, 'page=2'],
  [{ page: 1, pageSize: 50, stato: 'In attesa' as const }, 'pageSize=50&stato=In+attesa'],
])('%j is written ?%s', (query, search) => {
  expect(formatOrdersSearch(query).toString()).toBe(search)
})
