import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Id of the list, as a target for the focus. */
export const ordersListId = 'elenco-ordini'

/** Focuses the list when the element with the focus disappears. */
export function focusOrders() {
  document.getElementById(ordersListId)?.focus({ preventScroll: true })
}

/** For a button that removes itself: focuses the next button in the container, or the list. */
export function focusNextButton(button: HTMLElement, container: RefObject<HTMLElement | null>) {
  const buttons = [...(container.current?.querySelectorAll('button') ?? [])]
  const index = buttons.findIndex((each) => each === button)
  const next = buttons[index + 1] ?? buttons[index - 1]
  if (next) next.focus()
  else focusOrders()
}

/** When the focused order leaves the page, the list gets the focus. */
export function useListFocusFallback() {
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

/** The rows or cards of the list, in order. */
export function orderElements(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`#${ordersListId} [data-order]`)]
}

/** The record id of the row or card that contains an element. */
export function orderIdOf(target: EventTarget | null): string | null {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-order]') : null
  return element?.dataset['order'] ?? null
}

export function orderElement(recordId: string): HTMLElement | null {
  return orderElements().find(({ dataset }) => dataset['order'] === recordId) ?? null
}

/** Focuses a row or card and scrolls it into view, clear of the sticky bars. */
export function focusElement(element: HTMLElement) {
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: 'nearest' })
}

/** Id of the status select, to return the focus to it. */
export function statusControlId(recordId: string): string {
  return `status-${recordId}`
}
