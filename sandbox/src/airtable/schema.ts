import { OrderStatus } from '@bancone/contract/orders'

type PlainKind =
  | 'text'
  | 'longText'
  | 'number'
  | 'phone'
  | 'url'
  | 'date'
  | 'dateTime'
  | 'attachments'
  | 'formula'
  | 'autoNumber'
  | 'createdTime'
  | 'lastModifiedTime'

/** The type of a column. The last three are computed and cannot be written. A formula has any value, also an error. */
export type Field = { kind: PlainKind } | { kind: 'singleSelect'; options: readonly string[] }

export type TableSchema = { id: string; name: string; fields: Record<string, Field> }

/** Base id → its tables. */
export type Bases = Record<string, readonly TableSchema[]>

export function isComputed(field: Field): boolean {
  return (
    field.kind === 'autoNumber' || field.kind === 'createdTime' || field.kind === 'lastModifiedTime'
  )
}

/** A table of orders with the usual columns; `fields` adds to them or replaces some. */
export function ordersTable(id: string, fields: Record<string, Field> = {}): TableSchema {
  return {
    id,
    name: 'Ordini',
    fields: {
      'ID Ordine': { kind: 'autoNumber' },
      'ID WA': { kind: 'text' },
      Cliente: { kind: 'text' },
      'Phone Number': { kind: 'phone' },
      Ordine: { kind: 'longText' },
      Indirizzo: { kind: 'text' },
      Stato: { kind: 'singleSelect', options: OrderStatus.options },
      Image: { kind: 'url' },
      PharmaWA: { kind: 'text' },
      Date: { kind: 'text' },
      Created: { kind: 'createdTime' },
      Last: { kind: 'lastModifiedTime' },
      ...fields,
    },
  }
}
