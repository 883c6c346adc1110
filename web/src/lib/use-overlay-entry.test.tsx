import { act, renderHook, waitFor } from '@testing-library/react'
import { BrowserRouter } from 'react-router'
import { expect, test } from 'vitest'
import { useOverlayEntry } from './use-overlay-entry.ts'

function entryAt(path: string, state: unknown = null) {
  window.history.pushState({ usr: state, key: 'entry' }, '', path)
  return renderHook(() => useOverlayEntry('filters'), { wrapper: BrowserRouter }).result
}

test('an overlay is an entry over the same URL, and Back closes it', async () => {
  const result = entryAt('/orders?page=2#q=via')
  act(() => result.current.open())
  expect(result.current.isOpen).toBe(true)
  expect(location.pathname + location.search + location.hash).toBe('/orders?page=2#q=via')
  act(() => window.history.back())
  await waitFor(() => expect(result.current.isOpen).toBe(false))
})

test('closing twice goes back once', async () => {
  window.history.pushState({ usr: null, key: 'before' }, '', '/before')
  const result = entryAt('/orders')
  act(() => result.current.open())
  const { close } = result.current
  act(() => {
    close()
    close()
  })
  await waitFor(() => expect(result.current.isOpen).toBe(false))
  expect(location.pathname).toBe('/orders')
  act(() => result.current.open())
  act(() => result.current.close())
  await waitFor(() => expect(result.current.isOpen).toBe(false))
})

test('it is open after a reload, but not for the entry of another overlay', () => {
  expect(entryAt('/', { overlay: 'filters' }).current.isOpen).toBe(true)
  expect(entryAt('/', { overlay: 'new-order' }).current.isOpen).toBe(false)
})
