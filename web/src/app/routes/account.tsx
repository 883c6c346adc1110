import { AccountPage } from '../../features/account/account-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

export function Account() {
  useDocumentTitle('Sicurezza')
  return <AccountPage area="pharmacy" />
}
