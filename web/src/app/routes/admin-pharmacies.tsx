import { PharmaciesPage } from '../../features/admin-pharmacies/pharmacies-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

export function AdminPharmacies() {
  useDocumentTitle('Farmacie')
  return <PharmaciesPage />
}
