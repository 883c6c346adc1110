import { ApiKeysPage } from '../../features/api-keys/api-keys-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

export function ApiKeys() {
  useDocumentTitle('Chiavi API')
  return <ApiKeysPage />
}
