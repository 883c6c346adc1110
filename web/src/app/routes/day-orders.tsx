import { DaySummary } from '../../features/orders/day/day-summary.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

export function DayOrders() {
  useDocumentTitle('Riepilogo del giorno')
  return <DaySummary />
}
