import type { OrderRecord } from '@bancone/contract/orders'
import { paths } from '@bancone/contract/pages'
import { CalendarDays, Download, Ellipsis, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { LazyBoundary } from '../../lib/lazy-boundary.tsx'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { useOverlayEntry } from '../../lib/use-overlay-entry.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { notifyChunkFailure } from '../../ui/chunk-failure.ts'
import { cn } from '../../ui/class-names.ts'
import { Menu, MenuItem, menuItemStyle } from '../../ui/menu.tsx'
import { dismissToast } from '../../ui/toast.ts'
import { focusOrders } from './orders-focus.ts'
import { useOrdersSearch } from './orders-search.ts'

const loadNewOrder = async () => (await import('./new-order/new-order-sheet.tsx')).NewOrderSheet
const loadExport = async () => (await import('./exports/export-dialog.tsx')).ExportDialog

type OrderActionsProps = {
  onShow: (order: OrderRecord) => void
  /** A further button, where the orders are shown as cards. */
  children?: ReactNode
}

/** Actions on the list: new order, export, summary of the day. */
export function OrderActions({ onShow, children }: OrderActionsProps) {
  const [query] = useOrdersSearch()
  const newOrder = useOverlayEntry('new-order')
  const [exporting, setExporting] = useState(false)
  const wide = useMediaQuery(WIDE)
  const place = useRef<HTMLDivElement>(null)
  // The toast's action opens the order on this page.
  useEffect(() => () => dismissToast('new-order'), [])

  function focusAction(name: 'new' | 'export') {
    const button = place.current?.querySelector<HTMLElement>(`[data-action=${name}]`)
    const menu = place.current?.querySelector<HTMLElement>('[aria-haspopup=menu]')
    if (button ?? menu) (button ?? menu)?.focus()
    else focusOrders()
  }

  return (
    <div ref={place} className="flex flex-wrap gap-2 max-lg:w-full">
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
      {wide ? (
        <>
          <Button data-action="export" aria-haspopup="dialog" onClick={() => setExporting(true)}>
            <Download aria-hidden />
            Esporta
          </Button>
          <Link to={paths.dayOrders} className={buttonStyle()}>
            <CalendarDays aria-hidden />
            Riepilogo del giorno
          </Link>
        </>
      ) : (
        <>
          {children}
          <Menu
            label={
              <>
                <Ellipsis aria-hidden />
                <span className="max-sm:sr-only">Altro</span>
              </>
            }
            buttonClassName={cn(buttonStyle(), 'max-sm:w-11 max-sm:px-0')}
          >
            <MenuItem onSelect={() => setExporting(true)}>
              <Download aria-hidden />
              Esporta
            </MenuItem>
            <Link to={paths.dayOrders} role="menuitem" tabIndex={-1} className={menuItemStyle()}>
              <CalendarDays aria-hidden />
              Riepilogo del giorno
            </Link>
          </Menu>
        </>
      )}
      <LazyBoundary
        load={loadNewOrder}
        activeKey={newOrder.isOpen ? 'new-order' : null}
        props={
          newOrder.isOpen
            ? { onClose: newOrder.close, onReturnFocus: () => focusAction('new'), onShow }
            : null
        }
        onLoadError={() => {
          notifyChunkFailure()
          newOrder.close()
        }}
      />
      <LazyBoundary
        load={loadExport}
        activeKey={exporting ? 'export' : null}
        props={
          exporting
            ? {
                query,
                onClose: () => setExporting(false),
                onReturnFocus: () => focusAction('export'),
              }
            : null
        }
        onLoadError={() => {
          notifyChunkFailure()
          setExporting(false)
        }}
      />
    </div>
  )
}
