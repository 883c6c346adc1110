import { ImportPage } from '../../features/pharmacy-imports/import-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

export function AdminPharmacyImport() {
  useDocumentTitle('Importa farmacie')
  return <ImportPage />
}
