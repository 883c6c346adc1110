import type { RefObject } from 'react'

/** Focuses the first button in a container after the next rendering: the element with the focus is being removed. */
export function focusFirstButton(container: RefObject<HTMLElement | null>) {
  requestAnimationFrame(() => container.current?.querySelector('button')?.focus())
}
