import type { OrdersSearchFilter } from '@bancone/contract/order-search'
import type { OrdersPage } from '@bancone/contract/orders'
import { Keyboard } from 'lucide-react'
import { loadWhenIdle } from '../../../lib/when-idle.ts'
import { Button } from '../../../ui/button.tsx'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { focusOrders, statusControlId } from '../data/orders-focus.ts'
import type { KnownPagination } from '../data/use-order-counts.ts'
import type { OrderDetailsProps } from '../details/order-details.tsx'
import { loadDetails } from './prefetch.ts'
import type { OrderEditingState } from './use-order-editing.ts'

const loadSheet = async () => (await loadDetails()).OrderDetails
const loadHealth = async () => (await import('../notices/copy-health-sheet.tsx')).CopyHealthSheet
const loadKeyboard = async () =>
  (await loadWhenIdle(() => import('./order-keyboard.tsx'))).OrderKeyboard
const loadBar = async () => (await import('../change/bulk-bar.tsx')).BulkBar
const loadConflict = async () => (await import('../change/conflict-dialog.tsx')).ConflictDialog
const loadShortcuts = async () => (await import('./order-shortcuts.tsx')).OrderShortcuts

type OrderOverlaysProps = {
  editing: OrderEditingState
  page: OrdersPage | undefined
  pagination: KnownPagination | null
  /** The filter of the list. */
  filter: OrdersSearchFilter
  /** Null while no details are open. */
  details: Omit<OrderDetailsProps, 'onReturnFocus'> | null
  /** The button that opened the state of the copy; null while it is closed. */
  healthOpener: HTMLElement | null
  onHealthClose: () => void
}

/** The opener may have been removed. */
function focusOr(element: Element | null) {
  if (element instanceof HTMLElement && element.isConnected && element !== document.body) {
    element.focus()
  } else focusOrders()
}

/** What lies over the list: details, bulk toolbar, dialogs. Their code is loaded after the page, or on demand. */
export function OrderOverlays(props: OrderOverlaysProps) {
  const { editing, page, pagination, filter, details, healthOpener, onHealthClose } = props
  const { selection, bulk, conflict, endConflict, change, help, openHelp, closeHelp } = editing
  const barNeeded = selection.selection.size > 0 || bulk.progress !== null || bulk.interrupted
  return (
    <>
      <p role="status" className="sr-only">
        {selection.announcement}
      </p>
      {page ? (
        <Button
          look="quiet"
          size="small"
          aria-haspopup="dialog"
          className="self-start font-normal! max-lg:hidden pointer-coarse:hidden print:hidden"
          onClick={openHelp}
        >
          <Keyboard aria-hidden />
          Scorciatoie da tastiera
        </Button>
      ) : null}
      <LazyBoundary load={loadKeyboard} props={editing.keys} />
      <LazyBoundary
        load={loadBar}
        preload={selection.isSelecting}
        props={barNeeded ? { bulk, selection, page, pagination, filter } : null}
        onLoadError={bulk.clear}
      />
      <LazyBoundary
        load={loadConflict}
        props={
          conflict && {
            conflict,
            onKeep: endConflict,
            onOverwrite() {
              endConflict()
              void change(conflict.target, conflict.wanted)
            },
            onReturnFocus: () =>
              focusOr(document.getElementById(statusControlId(conflict.target.recordId))),
          }
        }
        onLoadError={endConflict}
      />
      <LazyBoundary
        load={loadShortcuts}
        props={help && { onClose: closeHelp, onReturnFocus: () => focusOr(help.opener) }}
        onLoadError={closeHelp}
      />
      <LazyBoundary
        load={loadSheet}
        preload={page !== undefined}
        props={details && { ...details, onReturnFocus: () => focusOr(details.opened.opener) }}
        onLoadError={() => details?.onClose()}
      />
      <LazyBoundary
        load={loadHealth}
        props={
          healthOpener && { onClose: onHealthClose, onReturnFocus: () => focusOr(healthOpener) }
        }
        onLoadError={onHealthClose}
      />
    </>
  )
}
