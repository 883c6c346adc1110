import { useEffect } from 'react'
import { AlertsButton } from '../../features/notifications/alerts-button.tsx'
import { NotificationToggle } from '../../features/notifications/notification-toggle.tsx'
import { useOrderWorker } from '../../features/notifications/use-order-worker.ts'
import { useWatchedOrders } from '../../features/orders/order-watch.tsx'
import { OrdersPage } from '../../features/orders/orders-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

const actions = (
  <>
    <NotificationToggle />
    <AlertsButton />
  </>
)

export function Dashboard() {
  useDocumentTitle('Ordini')
  const { pharmacyId, autoRefresh, takeOrders, readAgain, setFed } = useWatchedOrders()
  const fed = useOrderWorker({
    pharmacyId: pharmacyId ?? undefined,
    enabled: autoRefresh,
    onOrders: takeOrders,
    onFailure: readAgain,
  })
  useEffect(() => {
    setFed(fed)
    return () => setFed(false)
  }, [fed, setFed])
  return <OrdersPage actions={actions} />
}
