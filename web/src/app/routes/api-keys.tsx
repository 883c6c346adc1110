import { ApiKeysPage } from '../../features/api-keys/api-keys-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { RequireOwner } from './require-owner.tsx'

export function ApiKeys() {
  useDocumentTitle('Chiavi API')
  return (
    <RequireOwner
      title="Le chiavi API sono per i titolari"
      text="Se ti serve una chiave, chiedi a un titolare della farmacia di crearla."
    >
      <ApiKeysPage />
    </RequireOwner>
  )
}
