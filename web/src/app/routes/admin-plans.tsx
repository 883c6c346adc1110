import { PlansPage } from '../../features/subscription-plans/plans-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

export function AdminPlans() {
  useDocumentTitle('Piani di abbonamento')
  return <PlansPage />
}
