/**
 * Content of a column. Numbers are numbers whatever the kind.
 * - `code`: a number, or a text that must not become one: '0012'
 * - `phone`: a phone number in any format
 * - `time`: ISO 8601 in UTC, shown as day and time in Rome
 * - `day`: `yyyy-MM-dd`
 */
type Kind = 'code' | 'phone' | 'text' | 'time' | 'day'

/** A column of a file, at most 26. */
export type Column<Row> = {
  label: string
  kind: Kind
  /** In characters. */
  width: number
  /** Undefined for an empty cell. */
  of(row: Row): string | number | undefined
}

/** The same text as on the screens. */
export const NO_TIME = 'Data non valida'

/** Maximum length of a cell in Excel; a longer text would spill into the next row. */
export const MAX_IN_CELL = 32_767

// Neither fit for XML nor of any use in a cell.
// oxlint-disable-next-line no-control-regex
const unfit = /[\0-\x08\v\f\x0e-\x1f\x7f\ufffe\uffff]|\p{Surrogate}/gu

/** A text as a cell of either format can hold it, with line breaks as in Excel. */
export function cellText(text: string): string {
  const clean = text.replaceAll(/\r\n?/g, '\n').replaceAll(unfit, '')
  if (clean.length <= MAX_IN_CELL) return clean
  // Half of a surrogate pair is not a valid character.
  return `${clean.slice(0, MAX_IN_CELL - 1).replace(/\p{Surrogate}$/u, '')}…`
}
