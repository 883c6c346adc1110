import type { OrderDetails } from '@bancone/contract/order-details'
import { getOrderWhatsApp } from '@bancone/contract/whatsapp-orders'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import type { OrderView } from '../data/order-view.ts'

/** Messages that were written so long before an order may belong to it. */
const BEFORE_MS = 24 * 60 * 60 * 1000

/**
 * What the customer has written for an order: its text, and their WhatsApp messages. A message belongs to the next order
 * within a day; without one, to the order before it.
 *
 * @param earlier other orders of the customer, also later ones
 */
export function useCustomerText(
  order: OrderView,
  earlier: OrderDetails['earlier']['records'],
  hasMessages: boolean,
): string {
  const { data } = useEndpoint(
    getOrderWhatsApp,
    { params: { recordId: order.recordId } },
    { enabled: hasMessages },
  )
  const own = Date.parse(order.created)
  const orders = [own, ...earlier.map(({ fields }) => Date.parse(fields.Created))].toSorted(
    (a, b) => a - b,
  )
  const isForOrder = (at: number) =>
    (orders.find((created) => created >= at && created - at <= BEFORE_MS) ??
      orders.findLast((created) => created < at)) === own
  const messages = (data?.conversation ?? []).filter(
    ({ from, at, change }) =>
      from === 'customer' && change !== 'deleted' && isForOrder(Date.parse(at)),
  )
  return [order.product, ...messages.map(({ text }) => text)]
    .filter((text) => text !== null)
    .join('\n\n')
}
