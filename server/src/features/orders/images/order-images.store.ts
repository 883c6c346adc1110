import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { enqueue } from '../../../platform/jobs.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import type { ImageReason } from './order-images.rules.ts'

export const IMAGE_TASK = 'orders.image'

/** The picture of an order that was read; its address is the order's. */
export type SeenImage = { orderId: string; ref: string }

/** A picture that is to be copied. */
export type WantedImage = {
  pharmacyId: string
  recordId: string
  ref: string
  url: string
  /** How often it has been tried, this time included. */
  tries: number
  /** Null where the orders are in our database alone. */
  location: SourceLocation | null
}

export type KeptImage = { key: string; contentType: string; bytes: number }

type NewImage = KeptImage & { width: number; height: number }

export type OrderImagesStore = ReturnType<typeof createOrderImagesStore>

/** The only writer of `order_images` and `order_image_files`. */
export function createOrderImagesStore(db: Database) {
  return {
    /**
     * Sees to the pictures that are new or others than before. Called in the transaction that writes
     * their orders, after it has.
     */
    async want(pharmacyId: string, images: readonly SeenImage[]): Promise<void> {
      if (images.length === 0) return
      const refs = new Map(images.map((image) => [image.orderId, image.ref]))
      const known = await db
        .selectFrom('pharmacy_orders as record')
        .leftJoin('order_images as image', 'image.order_id', 'record.id')
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
          .where(isOneOf('id', replaced))
          .execute()
      }
      for (const { id, is_new } of other) {
        await db
          .insertInto('order_images')
          .values({ order_id: id, pharmacy_id: pharmacyId, ref: refs.get(id) ?? '' })
          .onConflict((conflict) =>
            conflict.column('order_id').doUpdateSet((row) => ({
              ref: row.ref('excluded.ref'),
              ...nothingKept,
              state: 'waiting',
              tries: 0,
              updated_at: sql<string>`now()`,
            })),
          )
          .execute()
        await enqueue(
          db,
          IMAGE_TASK,
          { orderId: id },
          // One after the other: a first reading brings thousands, which must not keep mails waiting.
          { key: `${IMAGE_TASK}:${id}`, queue: IMAGE_TASK, priority: is_new ? 5 : 10 },
        )
      }
    },

    /** Counts a try of a picture that waits. @returns undefined when it does not wait, or is gone */
    async begin(orderId: string): Promise<WantedImage | undefined> {
      const row = await db
        .updateTable('order_images as image')
        .from('pharmacy_orders as record')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'record.pharmacy_id')
        .set({ tries: sql`image.tries + 1`, updated_at: sql<string>`now()` })
        .where('image.order_id', '=', orderId)
        .where('image.state', '=', 'waiting')
        .whereRef('record.id', '=', 'image.order_id')
        .returning([
          'image.pharmacy_id',
          'image.ref',
          'image.tries',
          'record.airtable_order_id',
          'record.image_url',
          'pharmacy.airtable_base_id',
          'pharmacy.airtable_table_id',
          'pharmacy.use_supabase_orders',
        ])
        .executeTakeFirst()
      if (!row || row.image_url === null) return undefined
      const { airtable_base_id: baseId, airtable_table_id: tableId } = row
      return {
        pharmacyId: row.pharmacy_id,
        recordId: row.airtable_order_id,
        ref: row.ref,
        url: row.image_url,
        tries: row.tries,
        location: !row.use_supabase_orders && baseId && tableId ? { baseId, tableId } : null,
      }
    },

    /**
     * Notes a file before it is put, so that it is found and removed if nothing comes to refer to it.
     * Waits for a removal of that file that is under way.
     */
    async expectFile(key: string): Promise<void> {
      await db
        .insertInto('order_image_files')
        .values({ key })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet({ put_at: sql<string>`clock_timestamp()` }),
        )
        .execute()
    },

    /** The picture is kept, unless the order has another one by now. */
    async keep(orderId: string, ref: string, image: NewImage): Promise<void> {
      await db.transaction().execute(async (tx) => {
        // The order first, as whoever writes orders does: two that lock in one order cannot block
        // each other. In a statement of its own, so that the next one sees what we waited for.
        await tx
          .selectFrom('pharmacy_orders')
          .select('id')
          .where('id', '=', orderId)
          .forUpdate()
          .execute()
        // This is what screens are told of.
        await tx
          .updateTable('pharmacy_orders')
          .set({ image_kept: true })
          .where('id', '=', orderId)
          .where((is) =>
            is.exists(
              is
                .selectFrom('order_images')
                .select('order_id')
                .where('order_id', '=', orderId)
                .where('ref', '=', ref),
            ),
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
          .where('order_id', '=', orderId)
          .where('ref', '=', ref)
          .execute()
      })
    },

    async refuse(orderId: string, ref: string, reason: ImageReason): Promise<void> {
      await db
        .updateTable('order_images')
        .set({ state: 'refused', reason, updated_at: sql<string>`now()` })
        .where('order_id', '=', orderId)
        .where('ref', '=', ref)
        .where('state', '=', 'waiting')
        .execute()
    },

    /** What is kept of an order's picture, if its pharmacy may be served. */
    async kept(orderId: string): Promise<KeptImage | undefined> {
      const row = await db
        .selectFrom('order_images as image')
        .innerJoin('pharmacy_orders as record', 'record.id', 'image.order_id')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'image.pharmacy_id')
        .select(['image.key', 'image.content_type', 'image.bytes'])
        .where('image.order_id', '=', orderId)
        .where('image.state', '=', 'stored')
        .where('record.image_url', 'is not', null)
        .where('pharmacy.is_active', '=', true)
        .executeTakeFirst()
      if (!row?.key || !row.content_type || !row.bytes) return undefined
      return { key: row.key, contentType: row.content_type, bytes: row.bytes }
    },
  }
}

/** One value however many there are, so that it is one statement to PostgreSQL. */
function isOneOf(column: string, ids: readonly string[]) {
  return sql<boolean>`${sql.ref(column)} = any(${ids}::bigint[])`
}

const nothingKept = {
  key: null,
  content_type: null,
  bytes: null,
  width: null,
  height: null,
  reason: null,
} as const
