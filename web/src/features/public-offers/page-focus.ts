export const PAGE_TITLE_ID = 'titolo'

/** Focuses the element, or the page's title when it is gone, without scrolling. */
export function focusOn(id: string): void {
  const place = document.getElementById(id) ?? document.getElementById(PAGE_TITLE_ID)
  place?.focus({ preventScroll: true })
}
