import { RecordId } from '@bancone/contract/orders'
import { z } from 'zod'
import type {
  OrderField,
  SourceOrder,
  SourcePage,
  UnreadableOrder,
} from '../../ports/order-source.ts'
import { ImageCell, NameCell, TextCell, TimeCell } from './airtable-cells.ts'
import { fieldsWithout, STANDARD_COLUMNS } from './airtable-columns.ts'

const CONTENT: readonly OrderField[] = ['customerName', 'customerPhone', 'details']

/** No field is required: an empty row is a record, too. */
const Fields = z.object({
  'ID Ordine': TextCell,
  ID_Ordine: TextCell,
  'ID WA': NameCell,
  Cliente: TextCell,
  'Phone Number': TextCell,
  Indirizzo: TextCell,
  Ordine: TextCell,
  Stato: TextCell,
  Image: ImageCell,
  PharmaWA: NameCell,
  Created: TimeCell.nullish(),
  Last: TimeCell.nullish(),
})

const Record = z.object({
  id: RecordId,
  createdTime: TimeCell,
  fields: z.record(z.string(), z.unknown()),
})
const Identified = z.object({ id: RecordId })
const Changed = z.object({ id: RecordId, fields: z.object({ Last: TimeCell }) })
const Numbered = z.object({ fields: z.object({ 'ID Ordine': TextCell }) })
const Identity = z.object({
  id: RecordId,
  fields: z.object({ PharmaWA: z.unknown() }).catch({ PharmaWA: null }),
})

/**
 * Parses records. An order with invalid cells is returned without them and also listed as unreadable. The reason names
 * columns, never their values.
 *
 * @param columns those that the table has, of which an absent cell is empty
 */
export function readRecords(
  records: unknown[],
  columns: readonly string[] = STANDARD_COLUMNS,
): SourcePage {
  const orders: SourceOrder[] = []
  const unreadable: UnreadableOrder[] = []
  for (const record of records) {
    const parsed = Record.safeParse(record)
    if (parsed.success) {
      const { id, createdTime } = parsed.data
      const { fields, broken } = readFields(parsed.data.fields)
      const unknown = fieldsWithout(columns.filter((name) => !broken.includes(name)))
      const order = sourceOrder(id, createdTime, fields)
      orders.push({
        ...order,
        ...(unknown.length > 0 && { unknown }),
        ...(broken.length === 0 && isBlank(order, unknown) && { isBlank: true as const }),
      })
      if (broken.length > 0) unreadable.push({ recordId: id, reason: reason('kept', broken) })
    } else {
      const recordId = Identified.safeParse(record).data?.id ?? null
      unreadable.push({ recordId, reason: reason('left out', namesOf(parsed.error)) })
    }
  }
  return { orders, unreadable }
}

/**
 * Parses only the id and the pharmacy of records; those without a valid id are omitted.
 *
 * @param hasPharmacy whether the table has the column of the pharmacy
 */
export function readIdentities(records: unknown[], hasPharmacy: boolean) {
  return records.flatMap((record) => {
    const { data } = Identity.safeParse(record)
    if (!data) return []
    const pharmaWa = hasPharmacy ? NameCell.safeParse(data.fields.PharmaWA).data : undefined
    return { recordId: data.id, pharmaWa }
  })
}

/** The times in `Last` by record id, of the records that have one there. */
export function readChangeTimes(records: unknown[]): Map<string, string> {
  return new Map(
    records.flatMap((record): [string, string][] => {
      const { data } = Changed.safeParse(record)
      return data ? [[data.id, data.fields.Last]] : []
    }),
  )
}

/** Whether a record has no number in the usual column. */
export function hasNoNumber(record: unknown): boolean {
  const { data } = Numbered.safeParse(record)
  return data?.fields['ID Ordine'] === null
}

/** The valid cells, and the names of the invalid ones. */
function readFields(cells: Record<string, unknown>) {
  const parsed = Fields.safeParse(cells)
  if (parsed.success) return { fields: parsed.data, broken: [] }
  const broken = namesOf(parsed.error)
  const sound = Object.entries(cells).filter(([name]) => !broken.includes(name))
  return { fields: Fields.parse(Object.fromEntries(sound)), broken }
}

function namesOf(error: z.ZodError): string[] {
  return [...new Set(error.issues.map(({ path }) => String(path[0] ?? 'record')))]
}

function reason(outcome: 'kept' | 'left out', names: string[]): string {
  return `${outcome}; cannot be read: ${names.join(', ')}`
}

/** Not without a column that nearly every order has content in: what it holds may be an order. */
function isBlank(order: SourceOrder, unknown: readonly OrderField[]): boolean {
  if (CONTENT.some((field) => unknown.includes(field))) return false
  const { waId, customerName, customerPhone, address, details, image } = order
  return [waId, customerName, customerPhone, address, details, image].every((one) => one === null)
}

function sourceOrder(
  recordId: string,
  createdTime: string,
  fields: z.output<typeof Fields>,
): SourceOrder {
  return {
    recordId,
    orderNumber: fields['ID Ordine'] ?? fields.ID_Ordine,
    waId: fields['ID WA'],
    customerName: fields.Cliente,
    customerPhone: fields['Phone Number'],
    address: fields.Indirizzo,
    details: fields.Ordine,
    status: fields.Stato,
    image: fields.Image,
    pharmaWa: fields.PharmaWA,
    createdAt: fields.Created ?? createdTime,
    updatedAt: fields.Last ?? createdTime,
  }
}
