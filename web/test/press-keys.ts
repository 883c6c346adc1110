import { act } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { vi } from 'vitest'

/** Presses keys as a hand does, one at a time, on fake timers that advance. */
export async function pressKeys(user: UserEvent, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await user.keyboard(key)
    await act(() => vi.advanceTimersByTimeAsync(100))
  }
}

/** Types as a barcode scanner does: at once, and with Enter at the end. */
export async function scan(user: UserEvent, code: string): Promise<void> {
  await user.keyboard(`${code}{Enter}`)
  await act(() => vi.advanceTimersByTimeAsync(300))
}
