import { SettingsPage } from '../../features/settings/settings-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

export function AdminSettings() {
  useDocumentTitle('Impostazioni')
  return <SettingsPage />
}
