import { createHash } from 'node:crypto'
import { orderLines } from '@bancone/contract/order-lines'
import type { OrderRecord } from '@bancone/contract/orders'
import { isWebAddress } from '@bancone/contract/web-address'
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { PharmacyOrders } from '../../../database/schema.gen.ts'
import type { OrderField, SourceAttachment, SourceOrder } from '../../../ports/order-source.ts'
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
  'image_ref',
  'image_kept',
  'attachments',
  'airtable_created',
  'airtable_last',
  'seen_at',
  'ready_at',
  'collected_at',
  'put_back_at',
  'kept_until',
  'lines_there',
  'expected_on',
] as const

export type RecordRow = Pick<Selectable<PharmacyOrders>, (typeof recordColumns)[number]>

/**
 * A record before it is sent. `picture`: id of the order if its attachments have paths of ours, otherwise null. The URLs of
 * `attachments` are not filled in yet.
 */
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
  if (row.image_url !== null && isWebAddress(row.image_url)) fields.Image = row.image_url
  const record: StoredRecord = {
    id: row.airtable_order_id,
    createdTime: row.airtable_created,
    fields,
    seen: row.seen_at !== null,
    picture: hasPath(row) ? row.id : null,
  }
  // Not as parts of one literal, which takes twice the time and memory: a page has twenty records.
  if (row.ready_at !== null) record.readyAt = row.ready_at
  if (row.collected_at !== null) record.collectedAt = row.collected_at
  if (row.put_back_at !== null) record.putBackAt = row.put_back_at
  if (row.kept_until !== null) record.keptUntil = row.kept_until
  if (row.lines_there !== null) record.partly = partlyThere(row, row.lines_there)
  if (row.expected_on !== null) record.expectedOn = row.expected_on
  if (row.attachments !== null && record.picture !== null) {
    record.attachments = storedAttachments(row.attachments)?.map(({ name, type, bytes }) => ({
      url: '',
      name,
      type,
      bytes,
    }))
  }
  return record
}

function partlyThere(row: RecordRow, linesThere: readonly number[]): OrderRecord['partly'] {
  const { order_details, ready_at, collected_at, put_back_at } = row
  if ((ready_at ?? collected_at ?? put_back_at) !== null) return undefined
  const places = orderLines(order_details ?? '').map(({ place }) => place)
  const there = places.filter((place) => linesThere.includes(place))
  return there.length > 0 ? { there, total: places.length } : undefined
}

const StoredAttachments = z.array(
  z.object({
    url: z.string(),
    ref: z.string(),
    name: z.string().nullable(),
    type: z.string().nullable(),
    bytes: z.number().nullable(),
  }),
)

/** The column `attachments`: null where `image_url` and `image_ref` say all. */
export function storedAttachments(value: unknown): SourceAttachment[] | null {
  return value === null ? null : (StoredAttachments.safeParse(value).data ?? null)
}

/** Kept here, or in the order source under a URL that ends and is renewed when it is opened. */
function hasPath({ image_url, image_ref, image_kept }: RecordRow): boolean {
  return image_kept || (image_ref !== null && image_ref !== image_url)
}

/** The path of an attachment of an order. @param place counted from 1 */
export type AttachmentPath = (orderId: string, place: number) => string

/** The record with the paths of its attachments. The schema of the response leaves `picture` out. */
export function toWireRecord(record: StoredRecord, pathOf: AttachmentPath): OrderRecord {
  const { picture, attachments, fields } = record
  if (picture === null) return record
  return {
    ...record,
    fields: { ...fields, Image: pathOf(picture, 1) },
    ...(attachments && {
      attachments: attachments.map((file, index) => ({ ...file, url: pathOf(picture, index + 1) })),
    }),
  }
}

/** A plain number as a number, as in the order source; anything else, such as '0012', as a text. */
function numberOrText(text: string): number | string {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : text
}

/** The columns for each field of the order source. */
export const columnsOf = {
  orderNumber: ['order_number'],
  waId: ['wa_id'],
  customerName: ['customer_name'],
  customerPhone: ['customer_phone'],
  details: ['order_details'],
  address: ['address'],
  status: ['status'],
  image: ['image_url', 'image_ref', 'attachments'],
  pharmaWa: ['pharma_wa'],
  createdAt: ['airtable_created'],
  updatedAt: ['airtable_last'],
} as const satisfies Record<OrderField, readonly (keyof PharmacyOrders)[]>

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
    attachments: order.image?.attachments ?? null,
    /** In PostgreSQL's hex format for `bytea`. */
    content_hash: `\\x${contentHash(order)}`,
  }
}

/**
 * Hash of a record's content (SHA-256, hexadecimal). A picture is identified by its `ref`: its URL changes every few
 * hours without a change of the order.
 */
export function contentHash(order: SourceOrder): string {
  const content = [
    order.recordId,
    order.orderNumber,
    order.waId,
    order.customerName,
    order.customerPhone,
    order.address,
    order.details,
    order.status,
    order.image?.ref ?? null,
    order.pharmaWa,
    order.createdAt,
    order.updatedAt,
    // So that the order is written when they are known again, even if they are empty then.
    ...(order.unknown ?? []),
  ]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}
