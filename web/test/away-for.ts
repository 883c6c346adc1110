import { act } from '@testing-library/react'
import { vi } from 'vitest'

/** The page is out of sight for so many milliseconds, and then seen again. */
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
