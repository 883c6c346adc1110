import { AuditPage } from '../../features/audit/audit-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

export function AdminAudit() {
  useDocumentTitle('Registro')
  return <AuditPage />
}
