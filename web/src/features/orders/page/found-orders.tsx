import type { OrderRecord } from '@bancone/contract/orders'
import { MAX_WITH_CODE } from '@bancone/contract/scanned-codes'
import { ChevronRight } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { formatDateTime } from '../../../lib/format.ts'
import type { ModalProps } from '../../../lib/use-opened.ts'
import { Button } from '../../../ui/button.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { StatusBadge } from '../data/order-status.tsx'
import { viewOrder } from '../data/order-view.ts'
import { PickupMark } from '../list/order-item.tsx'

/** What a scanner sends at the end of a code comes within this time. */
const SCANNER_ENDS_MS = 500

type LinesProps = { orders: readonly OrderRecord[]; onShow: (order: OrderRecord) => void }

/** The orders of a scanned code, of which one is chosen by arrows and Enter. */
export function FoundOrders({ orders, onShow, ...modal }: ModalProps & LinesProps) {
  return (
    <Sheet
      title={`${orders.length < MAX_WITH_CODE ? '' : 'I primi '}${orders.length} ordini con questo codice`}
      closeLabel="Chiudi l'elenco"
      footer={
        <Button className="grow" onClick={modal.onClose}>
          Chiudi
        </Button>
      }
      {...modal}
    >
      {/* The first line of other orders gets the focus again. */}
      <Lines key={orders.map(({ id }) => id).join()} orders={orders} onShow={onShow} />
    </Sheet>
  )
}

function Lines({ orders, onShow }: LinesProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const lines = list.current
    const buttons = [...(lines?.querySelectorAll('button') ?? [])]
    // Open details beneath keep the focus until the dialog has taken it.
    const timer = setTimeout(() => buttons[0]?.focus())
    let isSettled = false
    const settling = setTimeout(() => (isSettled = true), SCANNER_ENDS_MS)
    function onKeyDown(event: KeyboardEvent) {
      // Some scanners end a code with two.
      if (event.key === 'Enter' && !isSettled) event.preventDefault()
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step === undefined) return
      isSettled = true
      event.preventDefault()
      buttons[buttons.findIndex((button) => button === document.activeElement) + step]?.focus()
    }
    lines?.addEventListener('keydown', onKeyDown)
    return () => {
      clearTimeout(timer)
      clearTimeout(settling)
      lines?.removeEventListener('keydown', onKeyDown)
    }
  }, [])
  return (
    <ul ref={list} className="-mx-2 flex flex-col divide-y divide-line">
      {orders.map((record) => (
        <FoundOrder key={record.id} record={record} onShow={() => onShow(record)} />
      ))}
    </ul>
  )
}

function FoundOrder({ record, onShow }: { record: OrderRecord; onShow: () => void }) {
  const order = viewOrder(record)
  const { number, customer, product, status, created } = order
  return (
    <li className="py-1">
      <button
        type="button"
        onClick={onShow}
        className="flex w-full items-center gap-2 rounded-control px-2 py-2 text-left hover:bg-sunken"
      >
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center justify-between gap-x-2 gap-y-1">
            <span className="text-base font-medium tabular-nums">
              <span className="sr-only">Ordine </span>
              {number} <PickupMark order={order} />
            </span>
            <StatusBadge status={status} />
          </span>
          <span className="block truncate">{customer ?? 'Cliente non indicato'}</span>
          {product ? <span className="block truncate text-sm">{product}</span> : null}
          <span className="block text-sm text-muted tabular-nums">{formatDateTime(created)}</span>
        </span>
        <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
      </button>
    </li>
  )
}
