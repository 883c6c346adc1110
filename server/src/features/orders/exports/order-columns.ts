import type { OrderRecord } from '@bancone/contract/orders'

/**
 * Content of a column.
 * - `code`: a number, or a text that must not become one: '0012'
 * - `phone`: a phone number in any format
 * - `time`: ISO 8601 in UTC
 */
type Kind = 'code' | 'phone' | 'text' | 'time'

export type Column = {
  label: string
  kind: Kind
  /** In characters. */
  width: number
  of(order: OrderRecord): string | number | undefined
}

/** The columns of every export. Without pictures: their URLs grant access. */
export const columns: readonly Column[] = [
  { label: 'ID Ordine', kind: 'code', width: 12, of: ({ fields }) => fields['ID Ordine'] },
  { label: 'Data Ordine', kind: 'time', width: 17, of: ({ fields }) => fields.Created },
  { label: 'Cliente', kind: 'text', width: 28, of: ({ fields }) => fields.Cliente },
  { label: 'Telefono', kind: 'phone', width: 19, of: ({ fields }) => fields['Phone Number'] },
  { label: 'Indirizzo', kind: 'text', width: 36, of: ({ fields }) => fields.Indirizzo },
  { label: 'Prodotto Richiesto', kind: 'text', width: 60, of: ({ fields }) => fields.Ordine },
  { label: 'Stato', kind: 'text', width: 22, of: ({ fields }) => fields.Stato },
  { label: 'Ultimo Aggiornamento', kind: 'time', width: 22, of: ({ fields }) => fields.Last },
  { label: 'ID Record', kind: 'text', width: 20, of: ({ id }) => id },
]

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
