import type { Database } from '../../../database/database.ts'
import { sourceLocation } from '../../../database/on-airtable.ts'
import type { SourceAttachment, SourceLocation } from '../../../ports/order-source.ts'
import { storedAttachments } from '../order-rows.ts'

/** An attachment in the order source. `place`: its place in the cell, from 1. */
export type Attachment = Pick<SourceAttachment, 'url' | 'ref' | 'type'> & { place: number }

export type AttachmentOrigin = {
  recordId: string
  /** Null where the orders are in the database only. */
  location: SourceLocation | null
}

/** A kept file. `isPicture`: drawn here, and not what the order source has. */
export type StoredFile = { key: string; contentType: string; bytes: number; isPicture: boolean }

type ImageColumns = {
  image_url: string | null
  image_ref: string | null
  attachments: unknown
}

export function attachmentsOf({
  image_url: url,
  image_ref: ref,
  attachments,
}: ImageColumns): Attachment[] {
  const first = url === null ? [] : [{ url, ref: ref ?? url, type: null }]
  const all = storedAttachments(attachments) ?? first
  return all.map((attachment, index) => ({ ...attachment, place: index + 1 }))
}

const imageFile = ['image.key', 'image.content_type', 'image.bytes', 'image.width'] as const
const furtherFile = [
  'further.key',
  'further.content_type',
  'further.bytes',
  'further.width',
] as const

export type OrderAttachmentsStore = ReturnType<typeof createOrderAttachmentsStore>

/** Finds attachments to be served. */
export function createOrderAttachmentsStore(db: Database) {
  return {
    /** An attachment of an order, if its pharmacy is active: its file, if it is kept, and where it is otherwise. */
    async find(orderId: string, place: number) {
      const row = await db
        .selectFrom('order_images as image')
        .innerJoin('pharmacy_orders as record', (join) =>
          join
            .onRef('record.pharmacy_id', '=', 'image.pharmacy_id')
            .onRef('record.id', '=', 'image.order_id'),
        )
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'image.pharmacy_id')
        .leftJoin('order_attachments as further', (join) =>
          join
            .onRef('further.pharmacy_id', '=', 'image.pharmacy_id')
            .onRef('further.order_id', '=', 'image.order_id')
            .on('further.place', '=', place),
        )
        .select(place === 1 ? imageFile : furtherFile)
        .select(['record.airtable_order_id', 'record.image_url', 'record.image_ref'])
        .select(['record.attachments', 'pharmacy.airtable_base_id', 'pharmacy.airtable_table_id'])
        .select('pharmacy.orders_phase')
        .where('image.order_id', '=', orderId)
        .where('record.image_url', 'is not', null)
        .where('pharmacy.is_active', '=', true)
        .where('pharmacy.deleted_at', 'is', null)
        .executeTakeFirst()
      const attachment = row && attachmentsOf(row)[place - 1]
      if (!attachment) return undefined
      const { key, content_type: contentType, bytes, width } = row
      const file: StoredFile | null =
        key && contentType && bytes ? { key, contentType, bytes, isPicture: width !== null } : null
      const origin: AttachmentOrigin = {
        recordId: row.airtable_order_id,
        location: sourceLocation(row),
      }
      return { file, attachment, origin }
    },
  }
}
