import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { sourceLocation } from '../../../database/on-airtable.ts'
import { enqueue, enqueueAll } from '../../../platform/jobs.ts'
import type { SourceAttachment, SourceLocation } from '../../../ports/order-source.ts'
import type { WrittenImage } from '../records/order-hooks.ts'
import { deleteFurther } from '../records/order-image-files.store.ts'
import { lockOrder, lockOrderRow, updateOrder } from '../records/order-locks.store.ts'
import { storedAttachments } from '../records/order-rows.ts'
import type { ImageReason } from './order-images.rules.ts'

export const IMAGE_TASK = 'orders.image'

/** An attachment in the order source. `place`: its place in the cell, from 1. */
export type Attachment = Pick<SourceAttachment, 'url' | 'ref' | 'type'> & { place: number }

export type AttachmentOrigin = {
  recordId: string
  /** Null where the orders are in the database only. */
  location: SourceLocation | null
}

/** A kept file. `isPicture`: drawn here, and not what the order source has. */
export type StoredFile = { key: string; contentType: string; bytes: number; isPicture: boolean }

export function attachmentsOf({
  image_url: url,
  image_ref: ref,
  attachments,
}: {
  image_url: string | null
  image_ref: string | null
  attachments: unknown
}): Attachment[] {
  const first = url === null ? [] : [{ url, ref: ref ?? url, type: null }]
  const all = storedAttachments(attachments) ?? first
  return all.map((attachment, index) => ({ ...attachment, place: index + 1 }))
}

/** The attachments of an order that are to be copied, without those that are kept already. */
export type PendingImage = AttachmentOrigin & {
  pharmacyId: string
  /** Of all attachments together. */
  ref: string
  attachments: Attachment[]
  /** Number of attempts, including this one. */
  tries: number
}

/** `width` and `height` are null where the file is kept as it is. */
type NewFile = Omit<StoredFile, 'isPicture'> & { width: number | null; height: number | null }

export type OrderImagesStore = ReturnType<typeof createOrderImagesStore>

const enqueueImages = (db: Database, pharmacyId: string, orderIds: readonly string[]) =>
  enqueueAll(
    db,
    IMAGE_TASK,
    orderIds.map((orderId) => ({
      payload: { pharmacyId, orderId },
      key: `${IMAGE_TASK}:${orderId}`,
      delaySeconds: 0,
    })),
    { priority: 10, queue: IMAGE_TASK },
  )

/** The only writer of `order_images`, `order_attachments` and `order_image_files`. */
export function createOrderImagesStore(db: Database) {
  return {
    /** Enqueues new or changed pictures. Called in the transaction that has written their orders. */
    async enqueueNew(pharmacyId: string, images: readonly WrittenImage[]): Promise<void> {
      if (images.length === 0) return
      const refs = new Map(images.map((image) => [image.orderId, image.ref]))
      const known = await db
        .selectFrom('pharmacy_orders as record')
        .leftJoin('order_images as image', (join) =>
          join
            .onRef('image.pharmacy_id', '=', 'record.pharmacy_id')
            .onRef('image.order_id', '=', 'record.id'),
        )
        .select(['record.id', 'image.ref', 'record.image_kept'])
        .select(sql<boolean>`record.airtable_created > now() - interval '1 day'`.as('is_new'))
        .where('record.pharmacy_id', '=', pharmacyId)
        .where(isOneOf('record.id', [...refs.keys()]))
        .execute()
      const other = known.filter(({ id, ref }) => ref !== refs.get(id))
      const replaced = other.filter((row) => row.image_kept).map((row) => row.id)
      if (replaced.length > 0) {
        await db
          .updateTable('pharmacy_orders')
          .set({ image_kept: false })
          .where('pharmacy_id', '=', pharmacyId)
          .where(isOneOf('id', replaced))
          .execute()
      }
      const others = other.map(({ id }) => id)
      await deleteFurther(db, pharmacyId, others)
      for (const { id, is_new } of other) {
        await db
          .insertInto('order_images')
          .values({ order_id: id, pharmacy_id: pharmacyId, ref: refs.get(id) ?? '' })
          .onConflict((conflict) =>
            conflict.columns(['pharmacy_id', 'order_id']).doUpdateSet((row) => ({
              ref: row.ref('excluded.ref'),
              ...nothingStored,
              state: 'waiting',
              tries: 0,
              updated_at: sql<string>`now()`,
            })),
          )
          .execute()
        await enqueue(
          db,
          IMAGE_TASK,
          { pharmacyId, orderId: id },
          // In a queue of its own: the first reading of a table brings thousands, which must not delay mails.
          { key: `${IMAGE_TASK}:${id}`, queue: IMAGE_TASK, priority: is_new ? 5 : 10 },
        )
      }
    },

    /** Enqueues what has waited for a day, and may have no job. */
    async enqueueLeft(): Promise<void> {
      const waiting = await db
        .selectFrom('order_images')
        .select(['pharmacy_id', 'order_id'])
        .where('state', '=', 'waiting')
        .where('updated_at', '<', sql<string>`now() - interval '1 day'`)
        .limit(5_000)
        .execute()
      for (const { pharmacy_id, order_id } of waiting) {
        await enqueueImages(db, pharmacy_id, [order_id])
      }
    },

    /** Enqueues the attachments that wait, as after an import, which brings no jobs. Called in its transaction. */
    async enqueueWaiting(pharmacyId: string): Promise<void> {
      const waiting = await db
        .selectFrom('order_images')
        .select('order_id')
        .where('pharmacy_id', '=', pharmacyId)
        .where('state', '=', 'waiting')
        .execute()
      const orderIds = waiting.map(({ order_id }) => order_id)
      await enqueueImages(db, pharmacyId, orderIds)
    },

    /** Counts an attempt for a pending picture. @returns undefined when it is not pending, or gone */
    async startAttempt(pharmacyId: string, orderId: string): Promise<PendingImage | undefined> {
      const row = await db
        .updateTable('order_images as image')
        .from('pharmacy_orders as record')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'record.pharmacy_id')
        .set({ tries: sql`image.tries + 1`, updated_at: sql<string>`now()` })
        .where('image.pharmacy_id', '=', pharmacyId)
        .where('image.order_id', '=', orderId)
        .where('image.state', '=', 'waiting')
        .whereRef('record.pharmacy_id', '=', 'image.pharmacy_id')
        .whereRef('record.id', '=', 'image.order_id')
        .returning([
          'image.ref',
          'image.tries',
          'record.airtable_order_id',
          'record.image_url',
          'record.image_ref',
          'record.attachments',
          'pharmacy.airtable_base_id',
          'pharmacy.airtable_table_id',
          'pharmacy.orders_phase',
        ])
        .returning(
          sql<number[]>`array(
            select place from order_attachments
            where pharmacy_id = image.pharmacy_id and order_id = image.order_id
            union all select 1 where image.key is not null
          )`.as('kept'),
        )
        .executeTakeFirst()
      if (!row || row.image_url === null) return undefined
      return {
        pharmacyId,
        recordId: row.airtable_order_id,
        ref: row.ref,
        attachments: attachmentsOf(row).filter(({ place }) => !row.kept.includes(place)),
        tries: row.tries,
        location: sourceLocation(row),
      }
    },

    /**
     * Registers a file before it is stored, so that it is found and removed if it stays unused. Waits for a
     * concurrent removal of the file.
     */
    async registerFile(pharmacyId: string, key: string): Promise<void> {
      await db
        .insertInto('order_image_files')
        .values({ pharmacy_id: pharmacyId, key })
        .onConflict((conflict) =>
          conflict
            .columns(['pharmacy_id', 'key'])
            .doUpdateSet({ put_at: sql<string>`clock_timestamp()` }),
        )
        .execute()
    },

    /** Notes the file of an attachment, unless the order has other attachments by now. */
    async markKept(
      pharmacyId: string,
      orderId: string,
      ref: string,
      place: number,
      { key, contentType, bytes, width, height }: NewFile,
    ): Promise<void> {
      const file = { key, content_type: contentType, bytes, width, height }
      await db.transaction().execute(async (tx) => {
        // The order first, in the common lock order, to avoid deadlocks. A separate statement, so that the next one
        // sees what was committed meanwhile.
        await lockOrderRow(tx, pharmacyId, orderId)
        const found = await tx
          .updateTable('order_images')
          .set({ ...(place === 1 && file), updated_at: sql<string>`now()` })
          .where('pharmacy_id', '=', pharmacyId)
          .where('order_id', '=', orderId)
          .where('ref', '=', ref)
          .returning('order_id')
          .executeTakeFirst()
        if (!found) return
        if (place > 1) {
          await tx
            .insertInto('order_attachments')
            .values({ pharmacy_id: pharmacyId, order_id: orderId, place, ...file })
            .onConflict((conflict) => conflict.doNothing())
            .execute()
          return
        }
        // Triggers the event for the screens.
        await updateOrder(tx, pharmacyId, orderId).set({ image_kept: true }).execute()
      })
    },

    /** Ends the copying: all attachments are kept, or not all for that reason. */
    async finish(pharmacyId: string, orderId: string, ref: string, reason: ImageReason | null) {
      await db
        .updateTable('order_images')
        .set({ state: reason ? 'refused' : 'stored', reason, updated_at: sql<string>`now()` })
        .where('pharmacy_id', '=', pharmacyId)
        .where('order_id', '=', orderId)
        .where('ref', '=', ref)
        .where('state', '=', 'waiting')
        .execute()
    },

    /** Copies the attachments of these orders again: those that could not be copied, or whose file is missing or damaged. */
    async copyAgain(pharmacyId: string, recordIds: readonly string[]): Promise<void> {
      await db.transaction().execute(async (tx) => {
        // The orders first, in the common lock order.
        const orders = await tx
          .updateTable('pharmacy_orders')
          .set({ image_kept: false })
          .where('pharmacy_id', '=', pharmacyId)
          .where('id', 'in', (of) =>
            of
              .selectFrom('pharmacy_orders')
              .select('id')
              .where('pharmacy_id', '=', pharmacyId)
              .where(sql<boolean>`airtable_order_id = any(${recordIds}::text[])`)
              .where('image_url', 'is not', null)
              .orderBy(lockOrder)
              .forUpdate(),
          )
          .returning('id')
          .execute()
        const ids = orders.map(({ id }) => id)
        await deleteFurther(tx, pharmacyId, ids)
        const pending = await tx
          .updateTable('order_images')
          .set({ ...nothingStored, state: 'waiting', tries: 0, updated_at: sql<string>`now()` })
          .where('pharmacy_id', '=', pharmacyId)
          .where(isOneOf('order_id', ids))
          .returning('order_id')
          .execute()
        const pendingIds = pending.map(({ order_id }) => order_id)
        await enqueueImages(tx, pharmacyId, pendingIds)
      })
    },

    /** An attachment of an order, if its pharmacy is active: its file, if it is kept, and where it is otherwise. */
    async findAttachment(orderId: string, place: number) {
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

/** One array parameter, so that the statement does not depend on the number of ids. */
function isOneOf(column: string, ids: readonly string[]) {
  return sql<boolean>`${sql.ref(column)} = any(${ids}::bigint[])`
}

const nothingStored = {
  key: null,
  content_type: null,
  bytes: null,
  width: null,
  height: null,
  reason: null,
} as const

const imageFile = ['image.key', 'image.content_type', 'image.bytes', 'image.width'] as const
const furtherFile = [
  'further.key',
  'further.content_type',
  'further.bytes',
  'further.width',
] as const
