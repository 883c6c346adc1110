/** Whether a control says that it cannot be used just now. It keeps the focus, so it is not `disabled`. */
export function inactive(control: Element): boolean {
  return control.getAttribute('aria-disabled') === 'true'
}
