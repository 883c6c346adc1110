import { listProductCategories } from '@bancone/contract/product-categories'
import type { Serve } from '../../http/serve.ts'
import type { ProductCategoriesStore } from './product-categories.store.ts'

export function productCategoryRoutes(serve: Serve, categories: ProductCategoriesStore) {
  serve(listProductCategories, async () => ({ categories: await categories.list() }))
}
