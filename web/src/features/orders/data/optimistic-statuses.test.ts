import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useOptimisticStatuses } from './optimistic-statuses.ts'

test('the end of a change is rendered at once, before another key', () => {
  const { result } = renderHook(useOptimisticStatuses)
  act(() => result.current.addPending([['rec1', 'Confermato']]))
  expect(result.current.pending.size).toBe(1)
  act(() => {
    result.current.removePending(['rec1'])
    expect(result.current.pending.size).toBe(0)
  })
})
