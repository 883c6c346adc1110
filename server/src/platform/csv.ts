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

const TELEPHONE = /^\+?(?=(?:\D*\d){6})[\d\s()./-]+$/

/**
 * A phone number in groups separated by spaces, which Excel does not change. Excel would make '0412345678' or
 * '+393331234567' a number, without its zero or plus, and an apostrophe would be copied when dialling. Anything else
 * is a text.
 */
export function telephone(text: string): string {
  if (!TELEPHONE.test(text)) return spreadsheetText(text)
  const groups = text.split(/[^\d+]+/).filter((group) => group !== '')
  if (groups.length > 1) return groups.join(' ')
  return text.replaceAll(/[^\d+]/g, '').replace(/^(\+39|0039|\+?\d{3})/, '$1 ')
}

/** Removes the apostrophe of `spreadsheetText` from a cell of a file that is uploaded again. */
export function withoutApostrophe(text: string): string {
  return text.startsWith("'") && spreadsheetText(text.slice(1)) === text ? text.slice(1) : text
}
