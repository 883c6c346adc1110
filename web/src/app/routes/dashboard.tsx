import { hasFeature } from '@bancone/contract/access'
import { useEffect } from 'react'
import { AlertsButton } from '../../features/notifications/alerts-button.tsx'
import { NotificationToggle } from '../../features/notifications/notification-toggle.tsx'
import { useOrderWorker } from '../../features/notifications/use-order-worker.ts'
import { useLiveOrders } from '../../features/orders/live-orders.tsx'
import { OrdersPage } from '../../features/orders/orders-page.tsx'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'

export function Dashboard() {
  useDocumentTitle('Ordini')
  const { data: pharmacy } = useOwnPharmacy()
  const hasPriority = pharmacy !== undefined && hasFeature(pharmacy, 'priority_access')
  const { pharmacyId, autoRefresh, applyPolledPage, refetch, setWorkerActive } = useLiveOrders()
  const fed = useOrderWorker({
    pharmacyId: pharmacyId ?? undefined,
    enabled: autoRefresh,
    onOrders: applyPolledPage,
    onFailure: refetch,
  })
  useEffect(() => {
    setWorkerActive(fed)
    return () => setWorkerActive(false)
  }, [fed, setWorkerActive])
  return (
    <OrdersPage
      actions={
        <>
          <NotificationToggle />
          <AlertsButton arrivals={hasPriority} />
        </>
      }
    />
  )
}
