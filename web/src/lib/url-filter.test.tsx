import { act, renderHook } from '@testing-library/react'
import { BrowserRouter } from 'react-router'
import { expect, test } from 'vitest'
import { z } from 'zod/mini'
import { searchParamsFormat, useUrlFilter } from './url-filter.ts'

const url = searchParamsFormat(
  z.object({
    page: z.catch(z.coerce.number().check(z.int(), z.minimum(1)), 1),
    stato: z.catch(z.enum(['tutte', 'attive']), 'tutte'),
    q: z.catch(z.string(), ''),
    id: z.catch(z.nullable(z.uuid()), null),
  }),
)
const unfiltered = { page: 1, stato: 'tutte', q: '', id: null }

function filterAt(path: string, state: unknown = null) {
  window.history.pushState({ usr: state, key: 'entry' }, '', path)
  return renderHook(() => useUrlFilter(url), { wrapper: BrowserRouter }).result
}

test.each([
  ['', unfiltered],
  ['?page=3&q=via+Roma', { ...unfiltered, page: 3, q: 'via Roma' }],
  ['?page=zero&stato=perse&id=1&other=2', unfiltered],
])('%j is read as %j', (search, filter) => {
  expect(url.parse({ search })).toEqual(filter)
})

test('defaults, null and undefined are not written, and the order is that of the schema', () => {
  expect(url.format({ ...unfiltered, stato: 'tutte', page: 1 }).search).toBe('')
  expect(url.format({ q: 'a b', stato: 'attive' }).search).toBe('?stato=attive&q=a+b')
})

test('a second change before the page has followed the first keeps the first', () => {
  const result = filterAt('/?page=3')
  const [, change] = result.current
  act(() => {
    change({ stato: 'attive' })
    change({ q: 'via' }, { replace: true })
  })
  expect(location.search).toBe('?stato=attive&q=via')
  expect(result.current[0]).toEqual({ ...unfiltered, stato: 'attive', q: 'via' })
})

test('a change leads to the first page unless it names one', () => {
  const result = filterAt('/?page=3')
  act(() => result.current[1]({ page: 4 }))
  expect(location.search).toBe('?page=4')
  act(() => result.current[1]({ q: 'a' }))
  expect(location.search).toBe('?q=a')
})

test('a replaced entry keeps its state, a new one has none', () => {
  const result = filterAt('/', { overlay: 'filters' })
  const entries = window.history.length
  act(() => result.current[1]({ q: 'a' }, { replace: true }))
  expect(window.history.length).toBe(entries)
  expect(window.history.state).toMatchObject({ usr: { overlay: 'filters' } })
  act(() => result.current[1]({ q: 'b' }))
  expect(window.history.length).toBe(entries + 1)
  expect(window.history.state).toMatchObject({ usr: null })
})
