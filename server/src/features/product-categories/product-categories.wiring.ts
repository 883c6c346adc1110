import type { AppModule } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import { productCategoryRoutes } from './product-categories.routes.ts'
import {
  createProductCategoriesStore,
  type ProductCategoriesStore,
} from './product-categories.store.ts'

/** Wires the categories of products. */
export function wireProductCategories(db: Database): AppModule & { store: ProductCategoriesStore } {
  const store = createProductCategoriesStore(db)
  return { store, routes: ({ serve }) => productCategoryRoutes(serve, store) }
}
