import type { Http } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import { productCategoryRoutes } from './product-categories.routes.ts'
import { createProductCategoriesStore } from './product-categories.store.ts'

/** Wires the categories of products. */
export function wireProductCategories(db: Database) {
  const store = createProductCategoriesStore(db)
  return { store, routes: ({ serve }: Http) => productCategoryRoutes(serve, store) }
}
