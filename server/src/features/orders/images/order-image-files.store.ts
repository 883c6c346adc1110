import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'

export type OrderImageFilesStore = ReturnType<typeof createOrderImageFilesStore>

/** What is left of pictures whose orders are gone or have others. */
export function createOrderImageFilesStore(db: Database) {
  return {
    /** Forgets the pictures of orders that have none any more. @returns of how many */
    forgetGone(): Promise<number> {
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
                .whereRef('order_id', '=', 'pharmacy_orders.id'),
            ),
          )
          .returning('id')
          .execute()
        const ids = orders.map((order) => order.id)
        if (ids.length > 0) {
          await tx
            .deleteFrom('order_images')
            .where(sql<boolean>`order_id = any(${ids}::bigint[])`)
            .execute()
        }
        return ids.length
      })
    },

    /** Files that no order refers to, and that nobody is just about to refer to. */
    async unused(after: string, most: number): Promise<string[]> {
      const rows = await db
        .selectFrom('order_image_files as file')
        .select('file.key')
        .where('file.key', '>', after)
        .where(isUnused)
        .orderBy('file.key')
        .limit(most)
        .execute()
      return rows.map((row) => row.key)
    },

    /**
     * Removes a file by `remove` if it is still unused. Who wants to put it meanwhile waits, and then
     * puts it anew; if `remove` fails, it is still known to be there.
     */
    remove(key: string, remove: () => Promise<void>): Promise<boolean> {
      return db.transaction().execute(async (tx) => {
        const gone = await tx
          .deleteFrom('order_image_files as file')
          .where('file.key', '=', key)
          .where(isUnused)
          .executeTakeFirst()
        if (gone.numDeletedRows === 0n) return false
        await remove()
        return true
      })
    },
  }
}

const isUnused = sql<boolean>`file.put_at < now() - interval '1 day'
  and not exists (select from order_images image where image.key = file.key)`
