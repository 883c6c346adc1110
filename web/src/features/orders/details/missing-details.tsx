import { errorMessage } from '../../../lib/messages.ts'
import { Alert } from '../../../ui/alert.tsx'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { DetailsSkeleton } from './details-skeleton.tsx'
import type { OrderDetailsResult } from './use-order-details.ts'

/** In place of an order that was opened by its address and is not loaded. */
export function MissingDetails({ detailsQuery }: { detailsQuery: OrderDetailsResult }) {
  const { error, missing, refetch } = detailsQuery
  if (!error) return <DetailsSkeleton />
  if (missing) {
    return <Alert tone="notice">Questo ordine non c'è, oppure non è della tua farmacia.</Alert>
  }
  return (
    <RetryAlert
      onRetry={refetch}
    >{`L'ordine non si è caricato. ${errorMessage(error)}`}</RetryAlert>
  )
}
