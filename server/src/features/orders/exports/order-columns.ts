import type { OrderRecord } from '@bancone/contract/orders'
import type { Column } from '../../../platform/spreadsheets/columns.ts'
import { MAX_ROWS } from '../../../platform/spreadsheets/xlsx-file.ts'
import { BATCH_SIZE, type IdBatch } from './order-export-rows.store.ts'

/** The columns of every export. Without pictures: their URLs grant access. */
export const orderColumns: readonly Column<OrderRecord>[] = [
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

/** The batches of each sheet of a workbook. There is at least one sheet, and more if the orders do not fit. */
export function sheetsOf(batches: readonly IdBatch[], most = MAX_ROWS): IdBatch[][] {
  const each = Math.floor((most - 1) / BATCH_SIZE)
  const sheets = Math.max(1, Math.ceil(batches.length / each))
  return Array.from({ length: sheets }, (_, n) => batches.slice(n * each, (n + 1) * each))
}
