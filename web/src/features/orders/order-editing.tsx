import type { OrdersSearchFilter } from '@bancone/contract/order-search'
import type { OrdersPage } from '@bancone/contract/orders'
import { Keyboard } from 'lucide-react'
import { LazyBoundary } from '../../lib/lazy-boundary.tsx'
import { Button } from '../../ui/button.tsx'
import { notifyChunkFailure } from '../../ui/chunk-failure.ts'
import { statusControlId } from './order-item.ts'
import { focusOrders } from './orders-focus.ts'
import type { KnownPagination } from './use-order-counts.ts'
import type { OrderEditingState } from './use-order-editing.ts'

const loadKeys = async () => (await import('./order-keys.tsx')).OrderKeys
const loadBar = async () => (await import('./bulk-bar.tsx')).BulkBar
const loadConflict = async () => (await import('./conflict-dialog.tsx')).ConflictDialog
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
      <LazyBoundary
        load={loadKeys}
        activeKey="keys"
        props={editing.keys}
        onLoadError={notifyChunkFailure}
      />
      <LazyBoundary
        load={loadBar}
        preload={selection.isSelecting}
        activeKey={barNeeded ? 'bar' : null}
        props={barNeeded ? { bulk, selection, page, pagination, filter } : null}
        onLoadError={() => {
          notifyChunkFailure()
          bulk.clear()
        }}
      />
      <LazyBoundary
        load={loadConflict}
        activeKey={conflict && conflict.target.recordId}
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
        onLoadError={() => {
          notifyChunkFailure()
          endConflict()
        }}
      />
      <LazyBoundary
        load={loadShortcuts}
        activeKey={help && 'shortcuts'}
        props={help && { onClose: closeHelp, onReturnFocus: () => focusOr(help.opener) }}
        onLoadError={() => {
          notifyChunkFailure()
          closeHelp()
        }}
      />
    </>
  )
}
