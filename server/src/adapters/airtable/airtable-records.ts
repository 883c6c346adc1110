import { RecordId } from '@bancone/contract/orders'
import { z } from 'zod'
import type { SourceOrder, SourcePage, UnreadableOrder } from '../../ports/order-source.ts'
import { ImageCell, TextCell, Time } from './airtable-cells.ts'

/** Nothing is required: a record of an empty row is one. */
const Fields = z.object({
  'ID Ordine': TextCell,
  ID_Ordine: TextCell,
  'ID WA': TextCell,
  Cliente: TextCell,
  'Phone Number': TextCell,
  Indirizzo: TextCell,
  Ordine: TextCell,
  Stato: TextCell,
  Image: ImageCell,
  PharmaWA: TextCell,
  Created: Time.nullish(),
  Last: Time.nullish(),
})

const Record = z.object({
  id: RecordId,
  createdTime: Time,
  fields: z.record(z.string(), z.unknown()),
})
const Identified = z.object({ id: RecordId })
const Identity = z.object({
  id: RecordId,
  fields: z.object({ PharmaWA: TextCell.catch(null) }).catch({ PharmaWA: null }),
})

/**
 * Understands what can be understood: an order whose cells are broken is kept without them, and named
 * among the unreadable too. The reason names columns, never what is in them.
 */
export function readRecords(records: unknown[]): SourcePage {
  const orders: SourceOrder[] = []
  const unreadable: UnreadableOrder[] = []
  for (const record of records) {
    const parsed = Record.safeParse(record)
    if (parsed.success) {
      const { id, createdTime } = parsed.data
      const { fields, broken } = readFields(parsed.data.fields)
      orders.push(sourceOrder(id, createdTime, fields))
      if (broken.length > 0) unreadable.push({ recordId: id, reason: reason('kept', broken) })
    } else {
      const recordId = Identified.safeParse(record).data?.id ?? null
      unreadable.push({ recordId, reason: reason('left out', namesOf(parsed.error)) })
    }
  }
  return { orders, unreadable }
}

/** Only which records there are and whose: one without a readable id is left out. */
export function readIdentities(records: unknown[]) {
  return records.flatMap((record) => {
    const { data } = Identity.safeParse(record)
    return data ? [{ recordId: data.id, pharmaWa: data.fields.PharmaWA }] : []
  })
}

/** The cells that can be read, and the names of those that cannot. */
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
