import type { MouseEvent } from 'react'

/**
 * Whether a click on a row means 'show the details': not when it was for a control or a link of the
 * row, nor when it ended a selection of text, nor as the second of two quick ones: that may have been
 * meant for what stood there before the page moved.
 */
export function meansDetails({ target, detail }: MouseEvent): boolean {
  if (!(target instanceof Element) || detail > 1) return false
  const control = target.closest('button, a, select, input, label')
  if (control) return control.matches('[data-opens-details]')
  return !window.getSelection()?.toString()
}
