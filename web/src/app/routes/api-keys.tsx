import { ApiKeysPage } from '../../features/api-keys/api-keys-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { ForOwners } from './for-owners.tsx'

export function ApiKeys() {
  useDocumentTitle('Chiavi API')
  return (
    <ForOwners
      title="Le chiavi API sono per i titolari"
      text="Se ti serve una chiave, chiedi a un titolare della farmacia di crearla."
    >
      <ApiKeysPage />
    </ForOwners>
  )
}
