import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deferred } from '../../test/stub-api.ts'
import { createThrottledRefetch } from './throttled-refetch.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('while they rain they are read with pauses, and once more at the end', async () => {
  const read = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const refresh = createThrottledRefetch()
  for (let news = 0; news < 55; news += 1) {
    refresh(read)
    await vi.advanceTimersByTimeAsync(10)
  }
  expect(read).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(read).toHaveBeenCalledTimes(3)
})

test('the longer they rain the more seldom they are read, and after a pause at once again', async () => {
  const read = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const refresh = createThrottledRefetch()
  const rain = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      refresh(read)
      await vi.advanceTimersByTimeAsync(100)
    }
  }
  await rain(12_000)
  // At 0, 300, 900, 2,100, 4,500, and then every 2,400 ms.
  expect(read).toHaveBeenCalledTimes(8)
  await vi.advanceTimersByTimeAsync(10_000)
  read.mockClear()
  refresh(read)
  expect(read).toHaveBeenCalledTimes(1)
})

test('a slow reading is followed by one more if news came meanwhile, and by none if not', async () => {
  const answers = [deferred<void>(), deferred<void>()]
  let reading = 0
  const read = vi.fn<() => Promise<void>>(() => answers[reading++]?.promise ?? Promise.resolve())
  const refresh = createThrottledRefetch()
  refresh(read)
  await vi.advanceTimersByTimeAsync(5_000)
  refresh(read)
  refresh(read)
  expect(read).toHaveBeenCalledTimes(1)
  answers[0]?.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(read).toHaveBeenCalledTimes(2)
  answers[1]?.resolve()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(read).toHaveBeenCalledTimes(2)
})

test('a reading that fails stops nothing', async () => {
  const refresh = createThrottledRefetch()
  refresh(() => Promise.reject(new Error('offline')))
  await vi.advanceTimersByTimeAsync(400)
  const read = vi.fn<() => Promise<void>>(() => Promise.resolve())
  refresh(read)
  expect(read).toHaveBeenCalledTimes(1)
})
