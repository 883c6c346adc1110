import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { focusOrders } from '../data/orders-focus.ts'
import type { OrderDetailsProps } from '../details/order-details.tsx'

const loadDetails = async () => (await import('../details/order-details.tsx')).OrderDetails
const loadHealth = async () => (await import('../notices/copy-health-sheet.tsx')).CopyHealthSheet

type OrdersSheetsProps = {
  /** The page is loaded: preload the code of the details. */
  ready: boolean
  /** Null while no details are open. */
  detail: Omit<OrderDetailsProps, 'onClose' | 'onReturnFocus'> | null
  onDetailClose: () => void
  /** The button that opened the health sheet; null while it is closed. */
  healthOpener: HTMLElement | null
  onHealthClose: () => void
}

/** The opener may have been removed. */
function returnFocus(opener: HTMLElement | null) {
  if (opener?.isConnected) opener.focus()
  else focusOrders()
}

/** The sheets over the list. Their code is loaded after the page. */
export function OrdersSheets(props: OrdersSheetsProps) {
  const { ready, detail, onDetailClose, healthOpener, onHealthClose } = props
  return (
    <>
      <LazyBoundary
        load={loadDetails}
        preload={ready}
        props={
          detail && {
            ...detail,
            onClose: onDetailClose,
            onReturnFocus: () => returnFocus(detail.opened.opener),
          }
        }
        onLoadError={onDetailClose}
      />
      <LazyBoundary
        load={loadHealth}
        props={
          healthOpener && {
            onClose: onHealthClose,
            onReturnFocus: () => returnFocus(healthOpener),
          }
        }
        onLoadError={onHealthClose}
      />
    </>
  )
}
