import { ordersListId } from './orders-focus.ts'

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
