import { listHeldOrders } from '@bancone/contract/order-retention'
import { ORDER_PARAM, paths } from '@bancone/contract/pages'
import { useId } from 'react'
import { Link } from 'react-router'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { formatDateTime } from '../../lib/format.ts'
import { QueryStates } from '../../ui/query-states.tsx'

/** The orders whose customer's data are not deleted, so that none is forgotten. Nothing where there are none. */
export function HeldOrdersSection() {
  const id = useId()
  const query = useEndpoint(listHeldOrders, {})
  const isNeeded = query.error !== null || (query.data?.orders.length ?? 0) > 0
  if (!isNeeded) return null
  return (
    <section
      aria-labelledby={id}
      className="rounded-card border border-line bg-surface px-4 py-4 md:px-5 md:py-5 print:hidden"
    >
      <h2 id={id} className="text-lg leading-snug font-medium tracking-tight">
        Ordini con l'eliminazione bloccata
      </h2>
      <p className="mt-1 mb-4 text-sm text-pretty text-muted">
        Sbloccala nei dettagli dell'ordine quando il motivo non c'è più.
      </p>
      <QueryStates query={query} skeleton={null}>
        {({ orders }) => (
          <ul className="flex flex-col divide-y divide-line">
            {orders.map(({ recordId, number, reason, who, at }) => (
              <li key={recordId} className="py-3 first:pt-0 last:pb-0">
                <Link
                  to={`${paths.dashboard}?${ORDER_PARAM}=${recordId}`}
                  className="font-medium text-accent underline-offset-4 hover:underline"
                >
                  Ordine {number ?? recordId}
                </Link>
                <p className="whitespace-pre-line wrap-anywhere">{reason}</p>
                <p className="text-sm text-muted tabular-nums">
                  {who ? `${who.you ? 'tu' : who.name} · ` : null}
                  {formatDateTime(at)}
                </p>
              </li>
            ))}
          </ul>
        )}
      </QueryStates>
    </section>
  )
}
