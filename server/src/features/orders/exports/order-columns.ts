import type { OrderRecord } from '@bancone/contract/orders'

/**
 * What is in the cells of a column.
 * - `code`: a number, or text that must not become one: '0012'
 * - `phone`: a telephone number, however it is written
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

/** Of every file of orders. Pictures stay here: their addresses are keys to them. */
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

/** As the screens say it. */
export const NO_TIME = 'Data non valida'

/** The characters a cell of Excel holds; what is longer would spill into the next row. */
export const MOST_IN_CELL = 32_767

// Neither fit for XML nor of any use in a cell.
// oxlint-disable-next-line no-control-regex
const unfit = /[\0-\x08\v\f\x0e-\x1f\x7f\ufffe\uffff]|\p{Surrogate}/gu

/** A text as a cell of either file can hold it: lines end as Excel ends them. */
export function cellText(text: string): string {
  const clean = text.replaceAll(/\r\n?/g, '\n').replaceAll(unfit, '')
  if (clean.length <= MOST_IN_CELL) return clean
  // Half of a pair of surrogates is no character.
  return `${clean.slice(0, MOST_IN_CELL - 1).replace(/\p{Surrogate}$/u, '')}…`
}
