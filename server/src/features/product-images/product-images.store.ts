import type { UploadedImage } from '@bancone/contract/images'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import type { Audit } from '../../platform/audit.ts'

export type ProductImagesStore = ReturnType<typeof createProductImagesStore>

/** The only writer of `product_image_archive`, which all pharmacies share. */
export function createProductImagesStore(db: Database, audit: Pick<Audit, 'recordChange'>) {
  async function find(minsan: string): Promise<UploadedImage | undefined> {
    const row = await db
      .selectFrom('product_image_archive as product')
      .innerJoin('images as image', 'image.public_id', 'product.public_id')
      .select(['image.url', 'image.public_id', 'image.width', 'image.height', 'image.format'])
      .where('product.minsan', '=', minsan)
      .executeTakeFirst()
    if (!row || row.url === null) return undefined
    const { url, public_id: publicId, width, height, format } = row
    return { url, publicId, width, height, format }
  }

  return {
    find,

    /**
     * @returns false when another process has added the product's picture already; the new picture is then unused,
     * and removed after a day.
     */
    async add(minsan: string, publicId: string): Promise<boolean> {
      const row = await db
        .insertInto('product_image_archive')
        .values({ minsan, public_id: publicId })
        .onConflict((conflict) => conflict.column('minsan').doNothing())
        .returning('minsan')
        .executeTakeFirst()
      return row !== undefined
    },

    /** The picture is removed from the image host after a day, unless an offer shows it. */
    remove(minsan: string): Promise<void> {
      return db.transaction().execute(async (tx) => {
        const before = await tx
          .deleteFrom('product_image_archive')
          .where('minsan', '=', minsan)
          .returning('public_id')
          .executeTakeFirstOrThrow(() => new AppError('product_images.not_found'))
        const target = { type: 'product-image', id: minsan }
        await audit.recordChange(tx, {
          action: 'product_image_removed',
          pharmacyId: null,
          target,
          before,
        })
      })
    },
  }
}
