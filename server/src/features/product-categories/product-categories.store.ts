import { type Category, RegulatoryClass } from '@bancone/contract/product-categories'
import type { Database } from '../../database/database.ts'

export type ProductCategoriesStore = ReturnType<typeof createProductCategoriesStore>

/** The categories, which all pharmacies share, as they see them. Read-only. */
export function createProductCategoriesStore(db: Database) {
  return {
    /** In the order in which they are listed. */
    async list(): Promise<Category[]> {
      const rows = await db
        .selectFrom('product_categories')
        .select(['id', 'name', 'regulatory_class'])
        .orderBy('position')
        .orderBy('name')
        .execute()
      return rows.map(({ id, name, regulatory_class }) => ({
        id,
        name,
        regulatoryClass: RegulatoryClass.parse(regulatory_class),
      }))
    },
  }
}
