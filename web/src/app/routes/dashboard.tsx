import { OrdersPage } from '../../features/orders/orders-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

export function Dashboard() {
  useDocumentTitle('Ordini')
  return <OrdersPage />
}
