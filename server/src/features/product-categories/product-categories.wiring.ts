import {
  changeCategory,
  createCategory,
  listAdminCategories,
  listProductCategories,
  removeCategory,
} from '@bancone/contract/product-categories'
import type { Database } from '../../database/database.ts'
import type { AppModule } from '../../http/app-module.ts'
import { createAudit } from '../../platform/audit.ts'
import {
  createProductCategoriesStore,
  type ProductCategoriesStore,
} from './product-categories.store.ts'

export function wireProductCategories(db: Database): AppModule & { store: ProductCategoriesStore } {
  const store = createProductCategoriesStore(db, createAudit(db))
  return {
    store,
    routes({ serve }) {
      serve(listProductCategories, async () => ({ categories: await store.list() }))

      serve(listAdminCategories, async () => ({ categories: await store.administered() }))

      serve(createCategory, async ({ body }) => ({ category: await store.insert(body) }))

      serve(changeCategory, async ({ params, body }) => ({
        category: await store.update(params.categoryId, body),
      }))

      serve(removeCategory, async ({ params }) => {
        await store.remove(params.categoryId)
        return {}
      })
    },
  }
}
