import { DeletedPharmaciesPage } from '../../features/admin-pharmacies/deleted/deleted-pharmacies-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

export function AdminDeletedPharmacies() {
  useDocumentTitle('Farmacie eliminate')
  return <DeletedPharmaciesPage />
}
