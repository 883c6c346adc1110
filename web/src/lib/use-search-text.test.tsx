import { act, renderHook } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { useSearchText } from './use-search-text.ts'

test('a key that is typed before the page shows the new address is not lost', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const searched: string[] = []
  const { result, rerender } = renderHook(
    ({ inUrl }) => useSearchText({ inUrl, onSearch: (text) => searched.push(text) }),
    { initialProps: { inUrl: '' } },
  )
  act(() => result.current.type('ros'))
  // A slow page: the field still has the functions of the render before the search.
  const before = result.current
  act(() => {
    vi.advanceTimersByTime(250)
    before.type('ross')
  })
  expect(searched).toEqual(['ros'])
  rerender({ inUrl: 'ros' })
  expect(result.current.text).toBe('ross')
  act(() => void vi.advanceTimersByTime(250))
  expect(searched).toEqual(['ros', 'ross'])
})
