/** Whether a control is `aria-disabled`. Such a control keeps the focus, unlike a `disabled` one. */
export function inactive(control: Element): boolean {
  return control.getAttribute('aria-disabled') === 'true'
}
