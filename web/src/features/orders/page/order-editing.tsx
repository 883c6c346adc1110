import type { OrdersSearchFilter } from '@bancone/contract/order-search'
import type { OrdersPage } from '@bancone/contract/orders'
import { Keyboard } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { statusControlId } from '../data/order-item.ts'
import { focusOrders } from '../data/orders-focus.ts'
import type { KnownPagination } from '../data/use-order-counts.ts'
import type { OrderEditingState } from './use-order-editing.ts'

const loadKeys = async () => (await import('./order-keys.tsx')).OrderKeys
const loadBar = async () => (await import('../change/bulk-bar.tsx')).BulkBar
const loadConflict = async () => (await import('../change/conflict-dialog.tsx')).ConflictDialog
const loadShortcuts = async () => (await import('./order-shortcuts.tsx')).OrderShortcuts

type OrderEditingProps = {
  editing: OrderEditingState
  page: OrdersPage | undefined
  pagination: KnownPagination | null
  /** The filter of the list. */
  filter: OrdersSearchFilter
}

function focusOr(element: Element | null) {
  if (element instanceof HTMLElement && element.isConnected && element !== document.body) {
    element.focus()
  } else focusOrders()
}

/** Overlays for editing orders: bulk toolbar, conflict dialog, shortcuts. Their code is loaded on demand. */
export function OrderEditing({ editing, page, pagination, filter }: OrderEditingProps) {
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
      <LazyBoundary load={loadKeys} props={editing.keys} />
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
    </>
  )
}
