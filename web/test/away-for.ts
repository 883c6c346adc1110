import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** Hides the page for that many milliseconds and shows it again. */
export function awayFor(ms: number) {
  const now = vi.spyOn(Date, 'now').mockReturnValue(1_000_000)
  look(true)
  now.mockReturnValue(1_000_000 + ms)
  look(false)
  now.mockRestore()
}

function look(hidden: boolean) {
  const seen = vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden)
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  seen.mockRestore()
}
