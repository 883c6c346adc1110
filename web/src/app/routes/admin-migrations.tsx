import { MigrationsPage } from '../../features/orders-migration/migrations-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

export function AdminMigrations() {
  useDocumentTitle('Migrazione ordini')
  return <MigrationsPage />
}
