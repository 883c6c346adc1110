import { CategoriesPage } from '../../features/product-categories/categories-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

export function AdminCategories() {
  useDocumentTitle('Categorie')
  return <CategoriesPage />
}
