import type { MouseEvent } from 'react'

/**
 * Whether a click on a row means 'show the details': not when it was for a control or a link of the
 * row, nor when it ended a selection of text.
 */
export function meansDetails({ target }: MouseEvent): boolean {
  if (!(target instanceof Element)) return false
  const control = target.closest('button, a, select, input, label')
  if (control) return control.matches('[data-opens-details]')
  return !window.getSelection()?.toString()
}
