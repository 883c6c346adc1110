import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { OrderItems } from './order-items-loader.ts'
import { useOrderItems } from './use-order-items.ts'

type Load = (wide: boolean) => Promise<OrderItems>

const come: Load = (wide) => Promise.resolve({ wide, Item: () => null })
const fail: Load = () => Promise.reject(new Error('chunk not loaded'))

/** In a page that has just been opened: no item was loaded before, not even by another test file. */
function begin(load: Load) {
  vi.spyOn(Map.prototype, 'get').mockImplementation(function (
    this: Map<unknown, unknown>,
    key: unknown,
  ) {
    const isWidth = typeof key === 'boolean'
    return isWidth ? undefined : [...this].find(([each]) => Object.is(each, key))?.[1]
  })
  return renderHook(({ wide }) => useOrderItems(wide, load), { initialProps: { wide: true } })
}

test('another width asks for what shows the orders there, and for that alone', async () => {
  const load = vi.fn<Load>(come)
  const { result, rerender } = begin(load)
  await waitFor(() => expect(result.current.items?.wide).toBe(true))
  rerender({ wide: false })
  expect(result.current.items?.wide).toBe(true)
  await waitFor(() => expect(result.current.items?.wide).toBe(false))
  expect(load.mock.calls).toEqual([[true], [false]])
})

test('what shows the orders stays while the other does not come', async () => {
  const load = vi.fn<Load>(come)
  const { result, rerender } = begin(load)
  await waitFor(() => expect(result.current.items?.wide).toBe(true))
  load.mockImplementation(fail)
  rerender({ wide: false })
  await act(async () => void (await Promise.allSettled([load.mock.results[1]?.value])))
  expect(result.current).toMatchObject({ items: { wide: true }, missing: false })
})

test('where nothing has come it is asked for again when somebody wants it', async () => {
  const load = vi.fn<Load>(fail)
  const { result } = begin(load)
  await waitFor(() => expect(result.current.missing).toBe(true))
  load.mockImplementation(come)
  act(() => result.current.retry())
  await waitFor(() => expect(result.current.items?.wide).toBe(true))
  expect(result.current.missing).toBe(false)
})
