import { getOrder } from '@bancone/contract/order-details'
import { listOrders, type OrderRecord } from '@bancone/contract/orders'
import { Inbox } from 'lucide-react'
import { useRef, useState } from 'react'
import { StatusBadge } from '../../../features/orders/data/order-status.tsx'
import { OrderHistory } from '../../../features/orders/details/order-history.tsx'
import { troubleText } from '../../../features/orders/notices/copy-health-texts.ts'
import { supportSessionRequest } from '../../../features/support/use-support-session.ts'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { type ModalProps, useOpened } from '../../../lib/use-opened.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { LinesSkeleton } from '../../../ui/skeleton.tsx'

/** Pages in a support session are not live. */
const REFRESH_MS = 30_000

/** The orders of the visited pharmacy, with masked customers. */
export function SupportSessionOrders({ supportSessionId }: { supportSessionId: string }) {
  const [page, setPage] = useState(1)
  const list = useRef<HTMLUListElement>(null)
  const request = { ...supportSessionRequest(supportSessionId), query: { page } }
  const query = useEndpoint(listOrders, request, { refetchInterval: REFRESH_MS })
  const details = useOpened<OrderRecord>(list)
  return (
    <>
      <QueryStates
        query={query}
        skeleton={
          <LinesSkeleton
            shape="control"
            line="h-14"
            lines={['', '', '', '', '', '']}
            className="gap-2"
          />
        }
      >
        {({ records, pagination, freshness }) => (
          <>
            <p className="text-sm text-muted">
              {freshness.stale
                ? freshness.trouble
                  ? troubleText(freshness.trouble)
                  : 'La copia degli ordini non è aggiornata'
                : 'Copia degli ordini aggiornata'}
              {freshness.syncedAt === null
                ? null
                : ` · ultima lettura ${formatDateTime(freshness.syncedAt)}`}
            </p>
            {records.length === 0 ? (
              <EmptyList icon={<Inbox />} title="Nessun ordine">
                Qui compaiono gli ordini della farmacia.
              </EmptyList>
            ) : (
              <ul
                ref={list}
                tabIndex={-1}
                className="flex flex-col outline-none divide-y divide-line rounded-card border border-line bg-surface"
              >
                {records.map((record) => (
                  <OrderLine key={record.id} record={record} onOpen={details.open} />
                ))}
              </ul>
            )}
            <nav aria-label="Pagine degli ordini" className="flex items-center gap-3">
              <Button inactive={page === 1} onClick={() => setPage(page - 1)}>
                Precedente
              </Button>
              <span className="text-sm text-muted tabular-nums">Pagina {page}</span>
              <Button inactive={!pagination.hasNextPage} onClick={() => setPage(page + 1)}>
                Successiva
              </Button>
            </nav>
          </>
        )}
      </QueryStates>
      {details.item ? (
        <SupportOrderSheet
          supportSessionId={supportSessionId}
          record={details.item}
          {...details.modal}
        />
      ) : null}
    </>
  )
}

type OrderLineProps = {
  record: OrderRecord
  onOpen: (record: OrderRecord, opener: HTMLElement) => void
}

function OrderLine({ record, onOpen }: OrderLineProps) {
  const { id, fields } = record
  const number = fields['ID Ordine'] ?? id
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium wrap-anywhere">
          #{number} · {fields.Cliente ?? 'Cliente non indicato'}
        </p>
        <p className="text-sm text-muted tabular-nums">
          {formatDateTime(fields.Created)}
          {fields['Phone Number'] === undefined ? null : ` · ${fields['Phone Number']}`}
        </p>
      </div>
      <StatusBadge status={fields.Stato} />
      <Button
        aria-label={`Dettagli ordine ${number}`}
        aria-haspopup="dialog"
        onClick={(event) => onOpen(record, event.currentTarget)}
      >
        Dettagli
      </Button>
    </li>
  )
}

type SupportOrderSheetProps = ModalProps & {
  supportSessionId: string
  record: OrderRecord
}

/** An order of the visited pharmacy with its history. */
function SupportOrderSheet({ supportSessionId, record, ...sheet }: SupportOrderSheetProps) {
  const request = { ...supportSessionRequest(supportSessionId), params: { recordId: record.id } }
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
      <QueryStates
        query={query}
        skeleton={<LinesSkeleton lines={['w-40', 'w-32', 'w-48', 'w-36']} />}
      >
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
