import { PrivacyPage } from '../../features/settings/privacy-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

export function Privacy() {
  useDocumentTitle('Informativa sulla privacy')
  return <PrivacyPage />
}
