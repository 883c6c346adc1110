import { LatePart } from '../../lib/late-part.tsx'
import { toastError } from '../../ui/toast.ts'
import type { OrderView } from './order-view.ts'
import { focusOrders } from './orders-place.ts'

const loadDetails = async () => (await import('./order-details.tsx')).OrderDetails
const loadHealth = async () => (await import('./copy-health-sheet.tsx')).CopyHealthSheet

type OrdersSheetsProps = {
  /** The page is there, and with it the time to fetch what it may need next. */
  ready: boolean
  /** The order whose details are open, and the control to which the focus returns. */
  detail: { order: OrderView; gone: boolean; opener: HTMLElement | null } | null
  onDetailClose: () => void
  /** What opened the health of the copy; null while that is closed. */
  healthOpener: HTMLElement | null
  onHealthClose: () => void
}

function sayMissing() {
  toastError('Questa parte della pagina non si è caricata', {
    about: 'part',
    description: 'Controlla la connessione, poi ricarica la pagina.',
  })
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
        subject={detail?.order.recordId ?? null}
        props={
          detail && {
            order: detail.order,
            gone: detail.gone,
            onClose: onDetailClose,
            onReturnFocus: () => returnFocus(detail.opener),
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
