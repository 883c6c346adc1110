import { useLayoutEffect, useRef } from 'react'

/** Element id of the list of offers. */
export const offersListId = 'elenco-offerte'

/** Element id of the link that opens an offer. */
export function offerLinkId(offerId: string): string {
  return `offerta-${offerId}`
}

function items(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`#${offersListId} [data-offer]`)]
}

function positionOf(element: Element): number {
  const item = element.closest('[data-offer]')
  return items().findIndex((each) => each === item)
}

/** Focuses the offer at that position, or the last one; the list when it is empty. */
function focusPosition(position: number, control: string) {
  const all = items()
  const next = all[Math.min(position, all.length - 1)]?.querySelector<HTMLElement>(control)
  const focusFallback = next ?? document.getElementById(offersListId)
  focusFallback?.focus({ preventScroll: next === undefined })
}

/** @returns a function that focuses `opener` again or, when its offer has gone, the offer at its position */
export function returnFocusTo(opener: HTMLElement): () => void {
  const position = positionOf(opener)
  return () =>
    opener.isConnected ? opener.focus() : focusPosition(position, '[aria-haspopup=menu]')
}

/**
 * When the focused offer leaves the filtered list, for instance after it was switched off, the offer at its position
 * gets the focus.
 */
export function useListFocusFallback() {
  const held = useRef<{ element: Element; position: number; control: string } | null>(null)
  useLayoutEffect(() => {
    const { current } = held
    if (current === null || current.element.isConnected) return
    held.current = null
    if (document.activeElement === document.body) focusPosition(current.position, current.control)
  })
  return {
    onFocus({ target }: { target: Element }) {
      const control = target.matches('[role=switch]') ? '[role=switch]' : 'a'
      const position = positionOf(target)
      held.current = position === -1 ? null : { element: target, position, control }
    },
    onBlur() {
      held.current = null
    },
  }
}
