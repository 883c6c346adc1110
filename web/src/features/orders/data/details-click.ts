import type { MouseEvent } from 'react'

/**
 * Whether a click on a row should open the details. Not a click on a control or link, not the end of a text
 * selection, and not the second click of a double click: it may be meant for what was there before the page moved.
 */
export function isDetailsClick({ target, detail }: MouseEvent): boolean {
  if (!(target instanceof Element) || detail > 1) return false
  const control = target.closest('button, a, select, input, label')
  if (control) return control.matches('[data-opens-details]')
  return !window.getSelection()?.toString()
}
