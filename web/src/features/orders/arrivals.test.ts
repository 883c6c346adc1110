import { expect, test } from 'vitest'
import { order, orders, pageOf } from '../../../test/fixtures.ts'
import { arrivalText, findArrivals } from './arrivals.ts'

const first = { page: 1, pageSize: 5 }
const none = { rows: [], count: 0 }
const ids = (...numbers: number[]) => numbers.map((n) => order(n).id)

function arrivals(before: number[], after: number[], query = first, alsoSeen: number[] = []) {
  const page = (numbers: number[]) =>
    pageOf(
      numbers.map((n) => order(n)),
      query,
    )
  const old = page(before)
  const seen = new Set([...old.records.map(({ id }) => id), ...ids(...alsoSeen)])
  return findArrivals(old, page(after), query, seen)
}

test('an order on top is new', () => {
  expect(arrivals([5, 4, 3, 2, 1], [6, 5, 4, 3, 2, 1])).toEqual({ rows: ids(6), count: 1 })
})

test('a late one between known ones is new', () => {
  expect(arrivals([7, 5, 4, 3, 2, 1], [7, 6, 5, 4, 3, 2, 1])).toEqual({ rows: ids(6), count: 1 })
})

test('a row that moved up from the next page is not', () => {
  expect(arrivals([6, 5, 4, 3, 2, 1], [6, 5, 4, 2, 1])).toEqual(none)
})

test('one that was seen before and comes back is not', () => {
  expect(arrivals([5, 4], [6, 5, 4], first, [6])).toEqual(none)
})

test('the first order of all is new, and so is a whole new page', () => {
  expect(arrivals([], [1])).toEqual({ rows: ids(1), count: 1 })
  expect(arrivals([2, 1], [9, 8, 7, 6, 5, 2, 1]).count).toBe(5)
})

test('in a filtered list only a younger order is new, not one that changed its state', () => {
  const query = { ...first, stato: 'Confermato' as const }
  const confirmed = (n: number) => order(n, { Stato: 'Confermato' })
  const before = pageOf([confirmed(5), confirmed(3)], query)
  const after = pageOf([confirmed(6), confirmed(5), confirmed(4), confirmed(3)], query)
  const seen = new Set(before.records.map(({ id }) => id))
  expect(findArrivals(before, after, query, seen)).toEqual({ rows: ids(6), count: 1 })
})

test('on a further page the total tells how many came in', () => {
  const query = { page: 2, pageSize: 5 }
  const seen = new Set<string>()
  expect(findArrivals(pageOf(orders(9), query), pageOf(orders(12), query), query, seen)).toEqual({
    rows: [],
    count: 3,
  })
  expect(findArrivals(pageOf(orders(9), query), pageOf(orders(8), query), query, seen)).toEqual(
    none,
  )
})

test('the sentence knows one and many', () => {
  expect(arrivalText(1)).toBe('Hai 1 nuovo ordine')
  expect(arrivalText(3)).toBe('Hai 3 nuovi ordini')
})
