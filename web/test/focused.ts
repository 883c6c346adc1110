import { waitFor } from '@testing-library/react'
import { expect } from 'vitest'

/** Waits for the focus to have come to that element. */
export async function focused(element: HTMLElement): Promise<void> {
  await waitFor(() => expect(document.activeElement).toBe(element))
}
