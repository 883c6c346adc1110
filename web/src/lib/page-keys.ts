const textless = new Set(['checkbox', 'radio', 'button', 'submit', 'reset'])

/** Whether the focused element needs the keys itself: a field, a select, a toast. */
export function capturesKeys(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target instanceof HTMLInputElement) return !textless.has(target.type)
  if (target.isContentEditable) return true
  return target.closest('select, textarea, [data-sonner-toaster]') !== null
}

/** Whether a dialog or menu covers the page. */
export function hasOverlay(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null
}
