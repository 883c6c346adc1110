import {
  changeCategory,
  createCategory,
  listAdminCategories,
  listProductCategories,
  removeCategory,
} from '@bancone/contract/product-categories'
import type { Serve } from '../../http/serve.ts'
import type { AdminCategoriesStore } from './admin-categories.store.ts'
import type { ProductCategoriesStore } from './product-categories.store.ts'

export function productCategoryRoutes(
  serve: Serve,
  categories: ProductCategoriesStore,
  administered: AdminCategoriesStore,
) {
  serve(listProductCategories, async () => ({ categories: await categories.list() }))

  serve(listAdminCategories, async () => ({ categories: await administered.list() }))

  serve(createCategory, async ({ body }) => ({ category: await administered.insert(body) }))

  serve(changeCategory, async ({ params, body }) => ({
    category: await administered.update(params.categoryId, body),
  }))

  serve(removeCategory, async ({ params }) => {
    await administered.remove(params.categoryId)
    return {}
  })
}
