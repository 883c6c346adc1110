import type { RefObject } from 'react'

/** Gives the focus to the first button of a place, once what is to be shown there is: another had it and goes. */
export function focusFirstButton(place: RefObject<HTMLElement | null>) {
  requestAnimationFrame(() => place.current?.querySelector('button')?.focus())
}
