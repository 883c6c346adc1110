/**
 * A text for a cell of a CSV file. Excel evaluates a text with such a beginning, also after spaces, as a formula (CSV
 * injection): an apostrophe makes it a text.
 */
export function spreadsheetText(text: string): string {
  return /^(\s*[=+\-@＝＋－＠]|[\t\n])/.test(text) ? `'${text}` : text
}
