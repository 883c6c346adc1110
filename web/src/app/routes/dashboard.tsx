import { hasFeature } from '@bancone/contract/access'
import { useState } from 'react'
import { AlertsButton } from '../../features/notifications/alerts-button.tsx'
import { NotificationToggle } from '../../features/notifications/notification-toggle.tsx'
import { IssueLinksContext, MessagingContext } from '../../features/orders/data/order-links.ts'
import { OrdersPage } from '../../features/orders/page/orders-page.tsx'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { PrescriptionsContext } from '../../ui/prescriptions-context.ts'

const loadParts = () => import('./dashboard-parts.ts')
const loadLinks = async () => (await loadParts()).loadLinksDialog()
const loadPrescriptions = async () => (await loadParts()).loadPrescriptions()

type Issuing = { recordIds: readonly string[]; opener: HTMLElement }

export function Dashboard() {
  const { data: pharmacy } = useOwnPharmacy()
  const hasPriority = pharmacy !== undefined && hasFeature(pharmacy, 'priority_access')
  const hasWhatsApp = pharmacy !== undefined && hasFeature(pharmacy, 'whatsapp_integration')
  const [issuing, setIssuing] = useState<Issuing | null>(null)
  return (
    <IssueLinksContext
      value={hasPriority ? (recordIds, opener) => setIssuing({ recordIds, opener }) : null}
    >
      <PrescriptionsContext value={loadPrescriptions}>
        <MessagingContext value={hasWhatsApp ? loadParts : null}>
          <OrdersPage
            actions={
              <>
                <NotificationToggle />
                <AlertsButton arrivals={hasPriority} />
              </>
            }
          />
        </MessagingContext>
      </PrescriptionsContext>
      <LazyBoundary
        load={loadLinks}
        props={
          issuing && {
            recordIds: issuing.recordIds,
            onClose: () => setIssuing(null),
            onReturnFocus: () => issuing.opener.focus(),
          }
        }
        onLoadError={() => setIssuing(null)}
      />
    </IssueLinksContext>
  )
}
