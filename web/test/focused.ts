import { waitFor } from '@testing-library/react'
import { expect } from 'vitest'

/** Waits until the element has the focus. */
export async function focused(element: HTMLElement): Promise<void> {
  await waitFor(() => expect(document.activeElement).toBe(element))
}
