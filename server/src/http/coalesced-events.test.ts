import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { coalesceEvents } from './pharmacy-topics.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('sends the first event at once, and those that follow as one, for each pharmacy', () => {
  const sent: string[] = []
  const notify = coalesceEvents((pharmacyId) => sent.push(pharmacyId))
  for (const pharmacyId of ['a', 'a', 'a', 'b']) notify(pharmacyId)
  expect(sent.splice(0)).toEqual(['a', 'b'])
  vi.advanceTimersToNextTimer()
  expect(sent.splice(0)).toEqual(['a'])
  notify('a')
  expect(sent).toEqual([])
  vi.runAllTimers()
  expect(sent.splice(0)).toEqual(['a'])
  notify('a')
  expect(sent).toEqual(['a'])
})
