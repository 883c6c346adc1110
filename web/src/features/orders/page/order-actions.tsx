import type { OrderRecord } from '@bancone/contract/orders'
import { paths } from '@bancone/contract/pages'
import { CalendarDays, Download, Ellipsis, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { useOverlayEntry } from '../../../lib/use-overlay-entry.ts'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { dismissToast } from '../../../ui/toast.ts'
import { focusOrders } from '../data/orders-focus.ts'
import { useOrdersSearch } from '../data/orders-search.ts'

const loadNewOrder = async () => (await import('../new-order/new-order-sheet.tsx')).NewOrderSheet
const loadExport = async () => (await import('../exports/export-dialog.tsx')).ExportDialog

type OrderActionsProps = {
  /** An order was typed in and saved. */
  onCreated: () => void
  onShow: (order: OrderRecord) => void
  /** Buttons that are always visible. */
  children: ReactNode
  /** Buttons that are behind 'Altro' where the orders are shown as cards. */
  more: ReactNode
}

/** The tools of the list: new order, export, summary of the day, and the given buttons. */
export function OrderActions({ onCreated, onShow, children, more }: OrderActionsProps) {
  const [query] = useOrdersSearch()
  const newOrder = useOverlayEntry('new-order')
  const [exporting, setExporting] = useState(false)
  const [isExpanded, setExpanded] = useState(false)
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  // The toast's action opens the order on this page.
  useEffect(() => () => dismissToast('new-order'), [])

  function focusAction(name: 'new' | 'export') {
    const button = place.current?.querySelector<HTMLElement>(`[data-action=${name}]`)
    if (button) button.focus()
    else focusOrders()
  }

  return (
    <div ref={place} className="flex flex-wrap gap-2 print:hidden">
      <Button
        look="primary"
        data-action="new"
        aria-haspopup="dialog"
        className="max-sm:flex-1 max-sm:px-2.5"
        onClick={newOrder.open}
      >
        <Plus aria-hidden />
        Nuovo ordine
      </Button>
      {children}
      <Button
        aria-expanded={isExpanded}
        aria-controls={id}
        className="max-sm:w-11 max-sm:px-0 lg:hidden"
        onClick={() => setExpanded(!isExpanded)}
      >
        <Ellipsis aria-hidden />
        <span className="max-sm:sr-only">Altro</span>
      </Button>
      <div
        id={id}
        className={cn('flex-wrap gap-2 max-lg:basis-full lg:flex', isExpanded ? 'flex' : 'hidden')}
      >
        <Button data-action="export" aria-haspopup="dialog" onClick={() => setExporting(true)}>
          <Download aria-hidden />
          Esporta
        </Button>
        <Link to={paths.dayOrders} className={buttonStyle()}>
          <CalendarDays aria-hidden />
          Riepilogo del giorno
        </Link>
        {more}
      </div>
      <LazyBoundary
        load={loadNewOrder}
        props={
          newOrder.isOpen
            ? {
                onClose: newOrder.close,
                onReturnFocus: () => focusAction('new'),
                onCreated,
                onShow,
              }
            : null
        }
        onLoadError={newOrder.close}
      />
      <LazyBoundary
        load={loadExport}
        props={
          exporting
            ? {
                query,
                onClose: () => setExporting(false),
                onReturnFocus: () => focusAction('export'),
              }
            : null
        }
        onLoadError={() => setExporting(false)}
      />
    </div>
  )
}
