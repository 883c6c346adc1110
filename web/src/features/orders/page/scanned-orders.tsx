import type { OrderRecord } from '@bancone/contract/orders'
import { findOrdersWithCode } from '@bancone/contract/scanned-codes'
import { useRef, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { countOverlays } from '../../../lib/keys.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { useIsMounted } from '../../../lib/use-is-mounted.ts'
import { useScans } from '../../../lib/use-scans.ts'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { dismissToast, toastError, toastNews } from '../../../ui/toast.ts'
import { useChangePickup } from '../change/use-change-pickup.ts'
import { viewOrder } from '../data/order-view.ts'
import { focusOrders, orderElement } from '../data/orders-focus.ts'
import { slipCode } from '../data/slip-code.ts'

const loadFound = async () => (await import('./found-orders.tsx')).FoundOrders

/** Subject of the toasts about a scan. */
const SCAN = 'scan'
/** The first of the two bars of a prescription: a region and two characters. */
const FIRST_BAR = /^(?:0[1-9]|1\d|20)\d[0-9A-Z]{2}$/i

type ScannedOrdersProps = {
  /** Record id of the order whose details are open. */
  opened: string | null
  onShow: (order: OrderRecord, opener: HTMLElement | null) => void
}

/**
 * Finds the orders of a code that the scanner of the counter has read: a single one opens, several are a list. The code
 * is health data, and is in no address, title or message.
 */
export function ScannedOrders({ opened, onShow }: ScannedOrdersProps) {
  const [found, setFound] = useState<readonly OrderRecord[] | null>(null)
  /** What had the focus before the list of found orders; null once the details of one of them have it. */
  const before = useRef<Element | null>(null)
  const last = useRef(0)
  const isMounted = useIsMounted()
  const { change } = useChangePickup()

  function show(order: OrderRecord) {
    before.current = null
    setFound(null)
    onShow(order, orderElement(order.id))
  }

  /** By what is being written, or by the bars that are shown to the scanner. */
  function isCovered(): boolean {
    const isWriting = document.querySelector('[role=dialog] [data-unsaved]') !== null
    return isWriting || countOverlays() > (opened === null ? 0 : 1) + (found === null ? 0 : 1)
  }

  async function find(code: string) {
    if (isCovered()) return
    last.current += 1
    const scan = last.current
    // What was read later is meant, and not once something else was begun.
    const isLast = () => scan === last.current && isMounted() && !isCovered()
    try {
      const { orders } = await call(findOrdersWithCode, { body: { code } })
      if (!isLast()) return
      const [first, ...others] = orders
      if (!first) return toastNews(notFoundText(code), { about: SCAN })
      dismissToast(SCAN)
      if (others.length > 0) {
        if (!found) before.current = document.activeElement
        return setFound(orders)
      }
      const order = viewOrder(first)
      const isSlip = code === slipCode(order.number) || code === order.recordId
      // The slip of a ready order, read again in its details: its customer takes it.
      if (isSlip && order.recordId === opened && order.pickup === 'ready')
        return await change(order, 'collected')
      show(first)
    } catch (error) {
      if (isLast()) {
        toastError('Ricerca non riuscita', { about: SCAN, description: errorMessage(error) })
      }
    }
  }

  useScans((code) => void find(code))

  const close = () => setFound(null)

  function onReturnFocus() {
    if (before.current === document.body) focusOrders()
    else if (before.current instanceof HTMLElement) before.current.focus()
  }

  return (
    <LazyBoundary
      load={loadFound}
      props={
        found && {
          orders: found,
          onShow: show,
          onClose: close,
          onReturnFocus,
        }
      }
      onLoadError={close}
    />
  )
}

function notFoundText(code: string): string {
  const text = 'Nessun ordine con questo codice'
  return FIRST_BAR.test(code) ? `${text}. Di una ricetta leggi la seconda barra.` : text
}
