import type { OrderEvent } from '@bancone/contract/order-details'
import { formatDateTime } from '../../../lib/format.ts'
import { Alert } from '../../../ui/alert.tsx'
import type { OrderView } from '../data/order-view.ts'

/** Whether the order has data of its customer. */
export function hasCustomer({ customer, phone, product, address, image }: OrderView): boolean {
  return [customer, phone, product, address, image].some((value) => value !== null)
}

type ErasedNoticeProps = { order: OrderView; history: readonly OrderEvent[] }

/** Why an order has no customer: the data have expired, or were erased on request. */
export function ErasedNotice({ order, history }: ErasedNoticeProps) {
  if (hasCustomer(order)) return null
  const erasure = history.find(({ kind, source }) => kind === 'content' && source === 'system')
  if (!erasure) return null
  return (
    <div className="mb-4">
      <Alert tone="notice">
        I dati del cliente sono stati eliminati ({formatDateTime(erasure.at)}).
      </Alert>
    </div>
  )
}
