/**
 * Options of csv-stringify for the Italian version of Excel: semicolons, since commas are decimal separators. The first
 * chunk needs a byte order mark (`bom`), without which Excel assumes another encoding than UTF-8.
 */
export const excelCsv = { delimiter: ';', record_delimiter: 'windows' } as const

/**
 * Excel evaluates a text with such a beginning, also after spaces, as a formula (CSV injection): an apostrophe makes
 * it a text.
 */
export function spreadsheetText(text: string): string {
  return /^(\s*[=+\-@＝＋－＠]|[\t\n])/.test(text) ? `'${text}` : text
}
