import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'

/** Deletes the attachments of these orders: a foreign key removes the further ones. Their files are unused from then on. */
export async function deleteImagesOf(
  tx: Database,
  pharmacyId: string,
  orderIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('order_images')
    .where('pharmacy_id', '=', pharmacyId)
    .where(sql<boolean>`order_id = any(${orderIds}::bigint[])`)
    .execute()
}

/** Deletes the second and further attachments of these orders. Their files are unused from then on. */
export async function deleteFurther(tx: Database, pharmacyId: string, orderIds: readonly string[]) {
  if (orderIds.length === 0) return
  await tx
    .deleteFrom('order_attachments')
    .where('pharmacy_id', '=', pharmacyId)
    .where(sql<boolean>`order_id = any(${orderIds}::bigint[])`)
    .execute()
}

/** A file of a picture. */
export type OrderImageFile = { pharmacyId: string; key: string }

export type OrderImageFilesStore = ReturnType<typeof createOrderImageFilesStore>

/** Finds and removes stored pictures that are not used any more. */
export function createOrderImageFilesStore(db: Database) {
  return {
    /** Deletes the picture rows of orders without a picture. @returns their number */
    deleteGone(): Promise<number> {
      return db.transaction().execute(async (tx) => {
        const orders = await tx
          .updateTable('pharmacy_orders')
          .set({ image_kept: false })
          .where('image_url', 'is', null)
          .where((is) =>
            is.exists(
              is
                .selectFrom('order_images')
                .select('order_id')
                .whereRef('pharmacy_id', '=', 'pharmacy_orders.pharmacy_id')
                .whereRef('order_id', '=', 'pharmacy_orders.id'),
            ),
          )
          .returning(['pharmacy_id', 'id'])
          .execute()
        if (orders.length > 0) {
          const pharmacies = orders.map((order) => order.pharmacy_id)
          const ids = orders.map((order) => order.id)
          await tx
            .deleteFrom('order_images')
            .where(
              sql<boolean>`(pharmacy_id, order_id) in (
                select * from unnest(${pharmacies}::uuid[], ${ids}::bigint[])
              )`,
            )
            .execute()
        }
        return orders.length
      })
    },

    /**
     * Files to which no order refers, and none is about to refer; those after a file, by pharmacy and key.
     *
     * @param ofPharmacy those of a pharmacy whose orders are gone, also if an order was about to refer to them
     */
    listUnused(after: OrderImageFile | undefined, limit: number, ofPharmacy?: string) {
      return db
        .selectFrom('order_image_files as file')
        .select(['file.pharmacy_id as pharmacyId', 'file.key'])
        .$if(after !== undefined, (of) =>
          of.where(
            sql<boolean>`(file.pharmacy_id, file.key) > (${after?.pharmacyId}, ${after?.key})`,
          ),
        )
        .where(
          ofPharmacy === undefined
            ? isUnused
            : sql<boolean>`file.pharmacy_id = ${ofPharmacy} and ${hasNoOrder}`,
        )
        .orderBy('file.pharmacy_id')
        .orderBy('file.key')
        .limit(limit)
        .execute()
    },

    /**
     * Removes a file with `remove` if it is still unused. A concurrent `registerFile` waits, and the file is then
     * stored again. If `remove` fails the file stays registered.
     *
     * @param isAtOnce whether a file that was stored within a day is removed, too
     */
    remove({ pharmacyId, key }: OrderImageFile, remove: () => Promise<void>, isAtOnce = false) {
      return db.transaction().execute(async (tx) => {
        const gone = await tx
          .deleteFrom('order_image_files as file')
          .where('file.pharmacy_id', '=', pharmacyId)
          .where('file.key', '=', key)
          .where(isAtOnce ? hasNoOrder : isUnused)
          .executeTakeFirst()
        if (gone.numDeletedRows === 0n) return false
        await remove()
        return true
      })
    },
  }
}

const hasNoOrder = sql<boolean>`not exists (
  select from order_images image where image.pharmacy_id = file.pharmacy_id and image.key = file.key
) and not exists (
  select from order_attachments further where further.pharmacy_id = file.pharmacy_id and further.key = file.key
)`

const isUnused = sql<boolean>`file.put_at < now() - interval '1 day' and ${hasNoOrder}`
