import type { OrderRecord } from '@bancone/contract/orders'
import { paths } from '@bancone/contract/pages'
import { CalendarDays, Download, Ellipsis, Plus } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { LatePart } from '../../lib/late-part.tsx'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { Menu, MenuItem, menuItemStyle } from '../../ui/menu.tsx'
import { sayMissing } from '../../ui/missing-part.ts'
import { dismissToast } from '../../ui/toast.ts'
import { useNewOrder } from './new-order/use-new-order.ts'
import { focusOrders } from './orders-place.ts'
import { useOrdersSearch } from './orders-search.ts'

const loadNewOrder = async () => (await import('./new-order/new-order-sheet.tsx')).NewOrderSheet
const loadExport = async () => (await import('./exports/export-dialog.tsx')).ExportDialog

type OrderActionsProps = {
  onShow: (order: OrderRecord) => void
  /** One more button, where there is no table. */
  children?: ReactNode
}

/** What can be done with all orders: a new one, a file of them, the day on paper. */
export function OrderActions({ onShow, children }: OrderActionsProps) {
  const { query } = useOrdersSearch()
  const { isOpen, openNewOrder, closeNewOrder } = useNewOrder()
  const [exporting, setExporting] = useState(false)
  const wide = useMediaQuery(WIDE)
  const place = useRef<HTMLDivElement>(null)
  // The order that a toast offers to open is opened here.
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
        onClick={openNewOrder}
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
      <LatePart
        load={loadNewOrder}
        subject={isOpen ? 'new-order' : null}
        props={
          isOpen
            ? { onClose: closeNewOrder, onReturnFocus: () => focusAction('new'), onShow }
            : null
        }
        onMissing={() => {
          sayMissing()
          closeNewOrder()
        }}
      />
      <LatePart
        load={loadExport}
        subject={exporting ? 'export' : null}
        props={
          exporting
            ? {
                asked: query,
                onClose: () => setExporting(false),
                onReturnFocus: () => focusAction('export'),
              }
            : null
        }
        onMissing={() => {
          sayMissing()
          setExporting(false)
        }}
      />
    </div>
  )
}
