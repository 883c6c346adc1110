import { act, renderHook } from '@testing-library/react'
import { BrowserRouter } from 'react-router'
import { expect, test } from 'vitest'
import { useOrdersSearch } from './orders-search.ts'

test('a second change before the page has followed the first keeps the first', () => {
  window.history.pushState(null, '', '/?page=3')
  const { result } = renderHook(useOrdersSearch, { wrapper: BrowserRouter })
  const { go } = result.current
  act(() => {
    go({ stato: ['Confermato'] })
    go({ ordina: 'meno-recenti' })
    go({ q: 'via' }, { replace: true })
  })
  expect(location.search + location.hash).toBe('?stato=Confermato&ordina=meno-recenti#q=via')
  expect(result.current.query).toMatchObject({ page: 1, stato: ['Confermato'], q: 'via' })
})
