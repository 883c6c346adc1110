import { render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { LazyBoundary } from './lazy-boundary.tsx'

type Load = () => Promise<(props: { text: string }) => string>

const Text = ({ text }: { text: string }) => text

function part(load: Load, text: string | null, { preload = false, onLoadError = () => {} } = {}) {
  const props = text === null ? null : { text }
  return <LazyBoundary {...{ load, preload, props, onLoadError }} />
}

test('its code is fetched when there is something to show', async () => {
  const load = vi.fn<Load>(() => Promise.resolve(Text))
  const { rerender } = render(part(load, null))
  expect(load).not.toHaveBeenCalled()
  rerender(part(load, 'first'))
  expect(await screen.findByText('first')).toBeDefined()
  rerender(part(load, null))
  expect(screen.queryByText('first')).toBeNull()
})

test('or ahead of it, and then it is shown at once', async () => {
  const load = vi.fn<Load>(() => Promise.resolve(Text))
  const { rerender } = render(part(load, null, { preload: true }))
  await waitFor(() => expect(load).toHaveBeenCalledTimes(1))
  await load.mock.results[0]?.value
  await waitFor(() => {
    rerender(part(load, 'first', { preload: true }))
    expect(screen.getByText('first')).toBeDefined()
  })
})

test('code that does not come is missed only when it was to show something', async () => {
  const load = vi.fn<Load>(() => Promise.reject(new Error('chunk not loaded')))
  const onLoadError = vi.fn<() => void>()
  const { rerender } = render(part(load, null, { preload: true, onLoadError }))
  await waitFor(() => expect(load).toHaveBeenCalledTimes(1))
  await Promise.allSettled([load.mock.results[0]?.value])
  expect(onLoadError).not.toHaveBeenCalled()
  rerender(part(load, 'first', { preload: true, onLoadError }))
  await waitFor(() => expect(onLoadError).toHaveBeenCalledTimes(1))
  load.mockResolvedValue(Text)
  rerender(part(load, null, { preload: true, onLoadError }))
  rerender(part(load, 'second', { preload: true, onLoadError }))
  expect(await screen.findByText('second')).toBeDefined()
})
