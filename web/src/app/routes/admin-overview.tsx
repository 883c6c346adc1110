import { OverviewPage } from '../../features/pharmacy-overview/overview-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

export function AdminOverview() {
  useDocumentTitle('Chi ha bisogno di attenzione')
  return <OverviewPage />
}
