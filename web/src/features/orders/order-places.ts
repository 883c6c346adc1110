import { ordersPlaceId } from './orders-place.ts'

/** The rows or cards of the list, from top to bottom. */
export function orderPlaces(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`#${ordersPlaceId} [data-order]`)]
}

/** The record id of the order in whose row or card something stands. */
export function orderAt(target: EventTarget | null): string | null {
  const place = target instanceof Element ? target.closest<HTMLElement>('[data-order]') : null
  return place?.dataset['order'] ?? null
}

export function placeOf(recordId: string): HTMLElement | null {
  return orderPlaces().find(({ dataset }) => dataset['order'] === recordId) ?? null
}

/** Gives a row or card the focus, and brings it into view between what stays at the window's edges. */
export function focusPlace(place: HTMLElement) {
  place.focus({ preventScroll: true })
  place.scrollIntoView({ block: 'nearest' })
}
