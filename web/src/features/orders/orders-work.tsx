import type { OrdersSought } from '@bancone/contract/order-search'
import type { OrdersPage } from '@bancone/contract/orders'
import { Keyboard } from 'lucide-react'
import { LatePart } from '../../lib/late-part.tsx'
import { Button } from '../../ui/button.tsx'
import { sayMissing } from '../../ui/missing-part.ts'
import { statusControlId } from './order-item.ts'
import { focusOrders } from './orders-place.ts'
import type { KnownPagination } from './use-order-counts.ts'
import type { OrdersWorkState } from './use-orders-work.ts'

const loadKeys = async () => (await import('./order-keys.tsx')).OrderKeys
const loadBar = async () => (await import('./bulk-bar.tsx')).BulkBar
const loadConflict = async () => (await import('./conflict-dialog.tsx')).ConflictDialog
const loadShortcuts = async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog

type OrdersWorkProps = {
  work: OrdersWorkState
  page: OrdersPage | undefined
  pagination: KnownPagination | null
  /** Which orders the list holds. */
  sought: OrdersSought
}

function focusOr(element: Element | null) {
  if (element instanceof HTMLElement && element.isConnected && element !== document.body) {
    element.focus()
  } else focusOrders()
}

/** What comes up when one works with the orders. Its code comes when it is needed. */
export function OrdersWork({ work, page, pagination, sought }: OrdersWorkProps) {
  const { selection, bulk, conflict, endConflict, change, help, openHelp, closeHelp } = work
  const barNeeded = selection.selection.size > 0 || bulk.progress !== null || bulk.broken
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
      <LatePart load={loadKeys} subject="keys" props={work.keys} onMissing={sayMissing} />
      <LatePart
        load={loadBar}
        ahead={selection.choosing}
        subject={barNeeded ? 'bar' : null}
        props={barNeeded ? { bulk, selection, page, pagination, sought } : null}
        onMissing={() => {
          sayMissing()
          bulk.clear()
        }}
      />
      <LatePart
        load={loadConflict}
        subject={conflict && conflict.target.recordId}
        props={
          conflict && {
            conflict,
            onKeep: endConflict,
            onInsist() {
              endConflict()
              void change(conflict.target, conflict.wanted)
            },
            onReturnFocus: () =>
              focusOr(document.getElementById(statusControlId(conflict.target.recordId))),
          }
        }
        onMissing={() => {
          sayMissing()
          endConflict()
        }}
      />
      <LatePart
        load={loadShortcuts}
        subject={help && 'shortcuts'}
        props={help && { onClose: closeHelp, onReturnFocus: () => focusOr(help.opener) }}
        onMissing={() => {
          sayMissing()
          closeHelp()
        }}
      />
    </>
  )
}
