import { render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, test, vi } from 'vitest'
import { Toaster, toastSuccess } from './toast.ts'

const place = (
  <Suspense>
    <Toaster />
  </Suspense>
)

test('what is said while there is no place for toasts is shown in the next one', async () => {
  toastSuccess('Fatto.')
  const { unmount } = render(place)
  expect(await screen.findByText('Fatto.')).toBeDefined()
  unmount()
  toastSuccess('Fatto di nuovo.')
  render(place)
  expect(await screen.findByText('Fatto di nuovo.')).toBeDefined()
})

test('but not in one that comes much later', async () => {
  const { unmount } = render(place)
  toastSuccess('Prima.')
  await screen.findByText('Prima.')
  unmount()
  vi.useFakeTimers()
  toastSuccess('Troppo tardi.')
  await vi.advanceTimersByTimeAsync(15_100)
  vi.useRealTimers()
  render(place)
  toastSuccess('Puntuale.')
  expect(await screen.findByText('Puntuale.')).toBeDefined()
  expect(screen.queryByText('Troppo tardi.')).toBeNull()
})
