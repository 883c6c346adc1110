import { type RefObject, useLayoutEffect, useRef } from 'react'

/** The list of the orders, as a place for the focus. */
export const ordersPlaceId = 'elenco-ordini'

/** Where the focus goes when what held it goes: the list, and not the start of the page. */
export function focusOrders() {
  document.getElementById(ordersPlaceId)?.focus({ preventScroll: true })
}

/** For a control that takes itself away: the next one like it in the same place, or else the list. */
export function focusBeside(button: HTMLElement, place: RefObject<HTMLElement | null>) {
  const buttons = [...(place.current?.querySelectorAll('button') ?? [])]
  const index = buttons.findIndex((each) => each === button)
  const next = buttons[index + 1] ?? buttons[index - 1]
  if (next) next.focus()
  else focusOrders()
}

/** An order that leaves the page, pushed off by newer ones, takes the focus with it: the list gets it. */
export function useKeptFocus() {
  const held = useRef<Element>(null)
  useLayoutEffect(() => {
    if (held.current === null || held.current.isConnected) return
    held.current = null
    if (document.activeElement === document.body) focusOrders()
  })
  return {
    onFocus({ target }: { target: Element }) {
      held.current = target
    },
    onBlur() {
      held.current = null
    },
  }
}
