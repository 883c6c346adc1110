/** The value of a text field for a number that may be empty; NaN for another text. */
export function numberOrNull(typed: unknown): number | null {
  if (typeof typed === 'number') return typed
  const text = typeof typed === 'string' ? typed.trim() : ''
  return text === '' ? null : Number(text)
}
