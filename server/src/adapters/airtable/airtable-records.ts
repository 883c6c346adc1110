import { z } from 'zod'
import type { SourceOrder, SourcePage, UnreadableOrder } from '../../ports/order-source.ts'

export const ListReply = z.object({ records: z.array(z.unknown()), offset: z.string().optional() })

/** A cell that is text to us: numbers are taken too, blank ones are null. */
const Text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => {
    const text = value === null || value === undefined ? '' : String(value).trim()
    return text === '' ? null : text
  })

/** A picture: its address, or the attachments of the column, of which the first counts. */
const Image = z
  .union([z.string(), z.array(z.looseObject({ url: z.string() }))])
  .nullish()
  .transform((value) => {
    const url = Array.isArray(value) ? value[0]?.url : value?.trim()
    return url || null
  })

const Time = z.string().transform((text, context) => {
  const time = new Date(text)
  if (!Number.isNaN(time.getTime())) return time.toISOString()
  context.addIssue({ code: 'custom', message: 'not a time' })
  return z.NEVER
})

const Fields = z.looseObject({
  'ID Ordine': Text,
  ID_Ordine: Text,
  'ID WA': Text,
  Cliente: Text,
  'Phone Number': Text,
  Indirizzo: Text,
  Ordine: Text,
  Stato: Text,
  Image,
  PharmaWA: Text,
  Created: Time.nullish(),
  Last: Time.nullish(),
})

const Record = z.object({ id: z.string().regex(/^rec\w+$/), createdTime: Time, fields: Fields })
const Identified = z.looseObject({ id: z.string() })

/** Understands what can be understood. The reason names columns, never what is in them. */
export function readRecords(records: unknown[]): SourcePage {
  const orders: SourceOrder[] = []
  const unreadable: UnreadableOrder[] = []
  for (const record of records) {
    const parsed = Record.safeParse(record)
    if (parsed.success) orders.push(sourceOrder(parsed.data))
    else {
      const recordId = Identified.safeParse(record).data?.id ?? null
      const columns = parsed.error.issues.map((issue) => issue.path.join('.') || 'record')
      unreadable.push({ recordId, reason: `cannot be read: ${[...new Set(columns)].join(', ')}` })
    }
  }
  return { orders, unreadable }
}

function sourceOrder({ id, createdTime, fields }: z.output<typeof Record>): SourceOrder {
  return {
    recordId: id,
    orderNumber: fields['ID Ordine'] ?? fields.ID_Ordine,
    waId: fields['ID WA'],
    customerName: fields.Cliente,
    customerPhone: fields['Phone Number'],
    address: fields.Indirizzo,
    details: fields.Ordine,
    status: fields.Stato,
    imageUrl: fields.Image,
    pharmaWa: fields.PharmaWA,
    createdAt: fields.Created ?? createdTime,
    updatedAt: fields.Last ?? createdTime,
  }
}
