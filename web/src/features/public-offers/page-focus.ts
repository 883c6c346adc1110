export const PAGE_TITLE_ID = 'titolo'

/** Where the keyboard goes on; where that is gone, at the page's title. What is seen stays where it is. */
export function focusOn(id: string): void {
  const place = document.getElementById(id) ?? document.getElementById(PAGE_TITLE_ID)
  place?.focus({ preventScroll: true })
}
