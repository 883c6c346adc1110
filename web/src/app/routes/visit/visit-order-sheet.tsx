import { getOrder } from '@bancone/contract/order-details'
import type { OrderRecord } from '@bancone/contract/orders'
import { OrderHistory } from '../../../features/orders/details/order-history.tsx'
import { StatusBadge } from '../../../features/orders/status-badge.tsx'
import { visitRequest } from '../../../features/support/use-visit.ts'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'

type VisitOrderSheetProps = {
  visitId: string
  record: OrderRecord
  onClose: () => void
  onReturnFocus: () => void
}

/** An order of the visited pharmacy with its history. */
export function VisitOrderSheet({ visitId, record, ...sheet }: VisitOrderSheetProps) {
  const request = { ...visitRequest(visitId), params: { recordId: record.id } }
  const query = useEndpoint(getOrder, request)
  return (
    <Sheet
      {...sheet}
      title="Dettaglio Ordine"
      footer={
        <Button className="flex-1" onClick={sheet.onClose}>
          Chiudi
        </Button>
      }
    >
      <QueryStates query={query} skeleton={<DetailsSkeleton />}>
        {({ order, history, notes, earlier }) => (
          <>
            <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2 [&_dd]:wrap-anywhere [&_dt]:text-sm [&_dt]:text-muted">
              <dt>Ordine</dt>
              <dd>#{order.fields['ID Ordine'] ?? order.id}</dd>
              <dt>Stato</dt>
              <dd>
                <StatusBadge status={order.fields.Stato} />
              </dd>
              <dt>Cliente</dt>
              <dd>{order.fields.Cliente ?? 'Non indicato'}</dd>
              <dt>Telefono</dt>
              <dd>{order.fields['Phone Number'] ?? 'Non indicato'}</dd>
              <dt>Creato</dt>
              <dd>{formatDateTime(order.fields.Created)}</dd>
              <dt>Aggiornato</dt>
              <dd>{formatDateTime(order.fields.Last)}</dd>
              <dt>Note</dt>
              <dd>{notes.length}</dd>
              <dt>Altri ordini</dt>
              <dd>{earlier.count}</dd>
            </dl>
            <OrderHistory history={history} />
          </>
        )}
      </QueryStates>
    </Sheet>
  )
}

function DetailsSkeleton() {
  return (
    <Loading className="flex flex-col gap-3">
      {['w-40', 'w-32', 'w-48', 'w-36'].map((width) => (
        <Skeleton key={width} className={`h-4.5 ${width}`} />
      ))}
    </Loading>
  )
}
