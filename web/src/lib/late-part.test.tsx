import { render, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { LatePart } from './late-part.tsx'

type Load = () => Promise<(props: { text: string }) => string>

const Text = ({ text }: { text: string }) => text

function part(load: Load, subject: string | null, { ahead = false, onMissing = () => {} } = {}) {
  const props = subject === null ? null : { text: subject }
  return <LatePart {...{ load, ahead, subject, props, onMissing }} />
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
  const { rerender } = render(part(load, null, { ahead: true }))
  await waitFor(() => expect(load).toHaveBeenCalledTimes(1))
  await load.mock.results[0]?.value
  await waitFor(() => {
    rerender(part(load, 'first', { ahead: true }))
    expect(screen.getByText('first')).toBeDefined()
  })
})

test('code that does not come is missed only when it was to show something', async () => {
  const load = vi.fn<Load>(() => Promise.reject(new Error('chunk not loaded')))
  const onMissing = vi.fn<() => void>()
  const { rerender } = render(part(load, null, { ahead: true, onMissing }))
  await waitFor(() => expect(load).toHaveBeenCalledTimes(1))
  await Promise.allSettled([load.mock.results[0]?.value])
  expect(onMissing).not.toHaveBeenCalled()
  rerender(part(load, 'first', { ahead: true, onMissing }))
  await waitFor(() => expect(onMissing).toHaveBeenCalledTimes(1))
  load.mockResolvedValue(Text)
  rerender(part(load, 'second', { ahead: true, onMissing }))
  expect(await screen.findByText('second')).toBeDefined()
})
