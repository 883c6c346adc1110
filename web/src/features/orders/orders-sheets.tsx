import { LatePart } from '../../lib/late-part.tsx'
import { sayMissing } from '../../ui/missing-part.ts'
import type { OrderDetailsProps } from './details/order-details.tsx'
import { focusOrders } from './orders-place.ts'

const loadDetails = async () => (await import('./details/order-details.tsx')).OrderDetails
const loadHealth = async () => (await import('./copy-health-sheet.tsx')).CopyHealthSheet

type OrdersSheetsProps = {
  /** The page is there, and with it the time to fetch what it may need next. */
  ready: boolean
  /** Null while no details are open. */
  detail: Omit<OrderDetailsProps, 'onClose' | 'onReturnFocus'> | null
  onDetailClose: () => void
  /** What opened the health of the copy; null while that is closed. */
  healthOpener: HTMLElement | null
  onHealthClose: () => void
}

/** What had opened it may have gone meanwhile. */
function returnFocus(opener: HTMLElement | null) {
  if (opener?.isConnected) opener.focus()
  else focusOrders()
}

/** What opens over the orders. Its code comes after the page. */
export function OrdersSheets(props: OrdersSheetsProps) {
  const { ready, detail, onDetailClose, healthOpener, onHealthClose } = props
  return (
    <>
      <LatePart
        load={loadDetails}
        ahead={ready}
        subject={detail?.opened.order.id ?? null}
        props={
          detail && {
            ...detail,
            onClose: onDetailClose,
            onReturnFocus: () => returnFocus(detail.opened.opener),
          }
        }
        onMissing={() => {
          sayMissing()
          onDetailClose()
        }}
      />
      <LatePart
        load={loadHealth}
        subject={healthOpener && 'health'}
        props={
          healthOpener && {
            onClose: onHealthClose,
            onReturnFocus: () => returnFocus(healthOpener),
          }
        }
        onMissing={() => {
          sayMissing()
          onHealthClose()
        }}
      />
    </>
  )
}
