import type { OrderRecord } from '@bancone/contract/orders'
import type { SourceOrder } from '../../ports/order-source.ts'
import { contentHash } from './copy/order-content.ts'
import { storedStatus } from './orders.rules.ts'

/** The columns of `pharmacy_orders` for a record. */
export const recordColumns = [
  'id',
  'airtable_order_id',
  'order_number',
  'customer_name',
  'customer_phone',
  'order_details',
  'address',
  'status',
  'image_url',
  'image_kept',
  'airtable_created',
  'airtable_last',
  'seen_at',
] as const

export type RecordRow = {
  id: string
  airtable_order_id: string
  order_number: string | null
  customer_name: string | null
  customer_phone: string | null
  order_details: string | null
  address: string | null
  status: string
  image_url: string | null
  image_kept: boolean
  airtable_created: string
  airtable_last: string
  seen_at: string | null
}

/** A record before it is sent. `picture`: id of the order if its picture is stored, otherwise null. */
export type StoredRecord = OrderRecord & { picture: string | null }

/** Maps a row to a record. Empty columns are omitted, as in the order source. */
export function orderRecord(row: RecordRow): StoredRecord {
  const fields: OrderRecord['fields'] = {
    Stato: row.status,
    Created: row.airtable_created,
    Last: row.airtable_last,
  }
  if (row.order_number !== null) fields['ID Ordine'] = numberOrText(row.order_number)
  if (row.customer_name !== null) fields.Cliente = row.customer_name
  if (row.customer_phone !== null) fields['Phone Number'] = row.customer_phone
  if (row.address !== null) fields.Indirizzo = row.address
  if (row.order_details !== null) fields.Ordine = row.order_details
  if (row.image_url !== null) fields.Image = row.image_url
  return {
    id: row.airtable_order_id,
    createdTime: row.airtable_created,
    fields,
    seen: row.seen_at !== null,
    picture: row.image_kept ? row.id : null,
  }
}

/** The record as sent, with the URL of the stored picture. */
export function toWireRecord(
  { picture, ...record }: StoredRecord,
  picturePath: (orderId: string) => string,
): OrderRecord {
  if (picture === null) return record
  return { ...record, fields: { ...record.fields, Image: picturePath(picture) } }
}

/** A plain number as a number, as in the order source; anything else, such as '0012', as a text. */
function numberOrText(text: string): number | string {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : text
}

/** The columns that a reading overwrites. The status has its own rules. */
export const copiedColumns = [
  'order_number',
  'wa_id',
  'customer_name',
  'customer_phone',
  'order_details',
  'address',
  'image_url',
  'image_ref',
  'pharma_wa',
  'airtable_created',
  'airtable_last',
] as const

export type OrderRow = ReturnType<typeof orderRow>

/** The row for a record of the source, without the pharmacy. */
export function orderRow(order: SourceOrder) {
  return {
    airtable_order_id: order.recordId,
    order_number: order.orderNumber,
    wa_id: order.waId,
    customer_name: order.customerName,
    customer_phone: order.customerPhone,
    order_details: order.details,
    address: order.address,
    status: storedStatus(order),
    image_url: order.image?.url ?? null,
    pharma_wa: order.pharmaWa,
    airtable_created: order.createdAt,
    airtable_last: order.updatedAt,
    image_ref: order.image?.ref ?? null,
    /** In PostgreSQL's hex format for `bytea`. */
    content_hash: `\\x${contentHash(order)}`,
  }
}
