import type { AppModule } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import { createAudit } from '../../platform/audit.ts'
import { createAdminCategoriesStore } from './admin-categories.store.ts'
import { productCategoryRoutes } from './product-categories.routes.ts'
import {
  createProductCategoriesStore,
  type ProductCategoriesStore,
} from './product-categories.store.ts'

/** Wires the categories of products. */
export function wireProductCategories(db: Database): AppModule & { store: ProductCategoriesStore } {
  const store = createProductCategoriesStore(db)
  const administered = createAdminCategoriesStore(db, createAudit(db))
  return { store, routes: ({ serve }) => productCategoryRoutes(serve, store, administered) }
}
