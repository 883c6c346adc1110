import type { OrderStatus } from '@bancone/contract/orders'
import { Undo2 } from 'lucide-react'
import { useId } from 'react'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import type { OrderView } from '../order-view.ts'
import { StatusSelect } from '../status-select.tsx'
import { useStatusOutcome } from './use-status-outcome.ts'

type OrderStatusFieldProps = {
  order: OrderView
  pending: OrderStatus | undefined
  onStatus: (status: OrderStatus) => void
}

/** The status with its select, and the way back from a change beside it. */
export function OrderStatusField({ order, pending, onStatus }: OrderStatusFieldProps) {
  const id = useId()
  const { done, failed, forget } = useStatusOutcome(order.status, pending)
  const updating = pending !== undefined
  const former = done === null || done.from === order.status ? null : done.from

  function undo(status: OrderStatus) {
    // The button disappears.
    document.getElementById(id)?.focus()
    onStatus(status)
  }

  return (
    <div aria-busy={updating} className="flex flex-col gap-2 py-1">
      <span className="flex items-center gap-2">
        <span className="flex max-w-64 min-w-0 flex-1">
          <StatusSelect
            id={id}
            status={order.status}
            label={`Stato ordine ${order.number}`}
            updating={updating}
            onChange={onStatus}
          />
        </span>
        {former === null ? null : (
          <Button look="quiet" className="max-md:px-2 print:hidden" onClick={() => undo(former)}>
            <Undo2 aria-hidden />
            Annulla modifica
          </Button>
        )}
      </span>
      <span role="status" className="sr-only">
        {updating ? 'Aggiornamento dello stato…' : done ? `Stato aggiornato: ${done.to}` : ''}
      </span>
      {failed ? (
        <Alert
          tone="error"
          action={
            <span className="flex gap-2">
              <Button size="small" onClick={() => onStatus(failed)}>
                Riprova
              </Button>
              <Button size="small" look="quiet" onClick={forget}>
                Lascia così
              </Button>
            </span>
          }
        >
          Lo stato non è diventato «{failed}».
        </Alert>
      ) : null}
    </div>
  )
}
