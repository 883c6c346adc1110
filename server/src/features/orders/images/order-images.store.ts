import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { sourceLocation } from '../../../database/on-airtable.ts'
import { enqueue, enqueueAll } from '../../../platform/jobs.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { lockOrder } from '../copy/order-upsert.store.ts'
import type { ImageReason } from './order-images.rules.ts'

export const IMAGE_TASK = 'orders.image'

/** The picture of an order that was read. Its URL is stored with the order. */
export type SeenImage = { orderId: string; ref: string }

/** A picture to be copied. */
export type PendingImage = {
  pharmacyId: string
  recordId: string
  ref: string
  url: string
  /** Number of attempts, including this one. */
  tries: number
  /** Null where the orders are in the database only. */
  location: SourceLocation | null
}

export type StoredImage = { key: string; contentType: string; bytes: number }

type NewImage = StoredImage & { width: number; height: number }

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

/** The only writer of `order_images` and `order_image_files`. */
export function createOrderImagesStore(db: Database) {
  return {
    /** Enqueues new or changed pictures. Called in the transaction that has written their orders. */
    async enqueueNew(pharmacyId: string, images: readonly SeenImage[]): Promise<void> {
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

    /** Enqueues the pictures that wait, as after an import, which brings no jobs. Called in its transaction. */
    async enqueueWaiting(pharmacyId: string): Promise<void> {
      const waiting = await db
        .selectFrom('order_images')
        .select('order_id')
        .where('pharmacy_id', '=', pharmacyId)
        .where('state', '=', 'waiting')
        .execute()
      await enqueueImages(
        db,
        pharmacyId,
        waiting.map(({ order_id }) => order_id),
      )
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
          'pharmacy.airtable_base_id',
          'pharmacy.airtable_table_id',
          'pharmacy.orders_phase',
        ])
        .executeTakeFirst()
      if (!row || row.image_url === null) return undefined
      return {
        pharmacyId,
        recordId: row.airtable_order_id,
        ref: row.ref,
        url: row.image_url,
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

    /** Marks the picture as stored, unless the order has another one by now. */
    async markStored(
      pharmacyId: string,
      orderId: string,
      ref: string,
      image: NewImage,
    ): Promise<void> {
      await db.transaction().execute(async (tx) => {
        // The order first, in the common lock order, to avoid deadlocks. A separate statement, so that the next one
        // sees what was committed meanwhile.
        await tx
          .selectFrom('pharmacy_orders')
          .select('id')
          .where('pharmacy_id', '=', pharmacyId)
          .where('id', '=', orderId)
          .forUpdate()
          .execute()
        // Triggers the event for the screens.
        await tx
          .updateTable('pharmacy_orders')
          .set({ image_kept: true })
          .where('pharmacy_id', '=', pharmacyId)
          .where('id', '=', orderId)
          .where(
            sql<boolean>`exists (select from order_images
              where pharmacy_id = ${pharmacyId} and order_id = ${orderId} and ref = ${ref})`,
          )
          .execute()
        await tx
          .updateTable('order_images')
          .set({
            state: 'stored',
            key: image.key,
            content_type: image.contentType,
            bytes: image.bytes,
            width: image.width,
            height: image.height,
            reason: null,
            updated_at: sql<string>`now()`,
          })
          .where('pharmacy_id', '=', pharmacyId)
          .where('order_id', '=', orderId)
          .where('ref', '=', ref)
          .execute()
      })
    },

    async markRefused(
      pharmacyId: string,
      orderId: string,
      ref: string,
      reason: ImageReason,
    ): Promise<void> {
      await db
        .updateTable('order_images')
        .set({ state: 'refused', reason, updated_at: sql<string>`now()` })
        .where('pharmacy_id', '=', pharmacyId)
        .where('order_id', '=', orderId)
        .where('ref', '=', ref)
        .where('state', '=', 'waiting')
        .execute()
    },

    /** Copies the pictures of these orders again: those that could not be copied, or whose file is missing or damaged. */
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
        const pending = await tx
          .updateTable('order_images')
          .set({ ...nothingStored, state: 'waiting', tries: 0, updated_at: sql<string>`now()` })
          .where('pharmacy_id', '=', pharmacyId)
          .where(
            isOneOf(
              'order_id',
              orders.map(({ id }) => id),
            ),
          )
          .returning('order_id')
          .execute()
        await enqueueImages(
          tx,
          pharmacyId,
          pending.map(({ order_id }) => order_id),
        )
      })
    },

    /** The stored picture of an order, if its pharmacy is active. */
    async findStored(orderId: string): Promise<StoredImage | undefined> {
      const row = await db
        .selectFrom('order_images as image')
        .innerJoin('pharmacy_orders as record', (join) =>
          join
            .onRef('record.pharmacy_id', '=', 'image.pharmacy_id')
            .onRef('record.id', '=', 'image.order_id'),
        )
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'image.pharmacy_id')
        .select(['image.key', 'image.content_type', 'image.bytes'])
        .where('image.order_id', '=', orderId)
        .where('image.state', '=', 'stored')
        .where('record.image_url', 'is not', null)
        .where('pharmacy.is_active', '=', true)
        .where('pharmacy.deleted_at', 'is', null)
        .executeTakeFirst()
      if (!row?.key || !row.content_type || !row.bytes) return undefined
      return { key: row.key, contentType: row.content_type, bytes: row.bytes }
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
