import { useLayoutEffect, useRef } from 'react'

/** The list of the offers, as a place for the focus. */
export const offersPlaceId = 'elenco-offerte'

/** What opens an offer, to give the focus back to it. */
export function offerLinkId(offerId: string): string {
  return `offerta-${offerId}`
}

function items(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`#${offersPlaceId} [data-offer]`)]
}

function placeOf(element: Element): number {
  const item = element.closest('[data-offer]')
  return items().findIndex((each) => each === item)
}

/** The offer that stands in that place now, or the last; the list where there is none. */
function focusPlace(place: number, control: string) {
  const all = items()
  const next = all[Math.min(place, all.length - 1)]?.querySelector<HTMLElement>(control)
  const heir = next ?? document.getElementById(offersPlaceId)
  heir?.focus({ preventScroll: next === undefined })
}

/** @returns gives the focus back to `opener`, or to what has taken the place of its offer when that has gone */
export function wayBack(opener: HTMLElement): () => void {
  const place = placeOf(opener)
  return () => (opener.isConnected ? opener.focus() : focusPlace(place, '[aria-haspopup=menu]'))
}

/**
 * An offer that leaves the list, switched off in the tab of those that are on, takes the focus with it: the one in
 * its place gets it.
 */
export function useKeptFocus() {
  const held = useRef<{ element: Element; place: number; control: string } | null>(null)
  useLayoutEffect(() => {
    const { current } = held
    if (current === null || current.element.isConnected) return
    held.current = null
    if (document.activeElement === document.body) focusPlace(current.place, current.control)
  })
  return {
    onFocus({ target }: { target: Element }) {
      const control = target.matches('[role=switch]') ? '[role=switch]' : 'a'
      const place = placeOf(target)
      held.current = place === -1 ? null : { element: target, place, control }
    },
    onBlur() {
      held.current = null
    },
  }
}
