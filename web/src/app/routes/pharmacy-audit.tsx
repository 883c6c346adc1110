import { PharmacyAuditPage } from '../../features/audit/pharmacy-audit-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { RequireOwner } from './require-owner.tsx'

export function PharmacyAudit() {
  useDocumentTitle('Registro')
  return (
    <RequireOwner
      title="Il registro è per i titolari"
      text="Chi ha cambiato qualcosa, e quando, lo vedono i titolari della farmacia."
    >
      <PharmacyAuditPage />
    </RequireOwner>
  )
}
