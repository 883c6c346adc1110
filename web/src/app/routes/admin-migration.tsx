import { useParams } from 'react-router'
import { PharmacyMigrationPage } from '../../features/orders-migration/pharmacy/pharmacy-migration-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

export function AdminMigration() {
  useDocumentTitle('Migrazione ordini')
  const { pharmacyId = '' } = useParams()
  return <PharmacyMigrationPage key={pharmacyId} pharmacyId={pharmacyId} />
}
