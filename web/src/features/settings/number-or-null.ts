/** The value of a text field for a number that may be empty; NaN for another text. */
export function numberOrNull(text: unknown): number | null {
  return text === '' || text === null ? null : Number(text)
}
