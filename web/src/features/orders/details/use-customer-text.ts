import { getOrderWhatsApp } from '@bancone/contract/whatsapp-orders'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import type { OrderView } from '../data/order-view.ts'

/** Messages that were written so long before an order may belong to it. */
const BEFORE_MS = 24 * 60 * 60 * 1000

/** What the customer has written for an order: its text, and the WhatsApp messages from the day before it on. */
export function useCustomerText(order: OrderView, hasMessages: boolean): string {
  const { data } = useEndpoint(
    getOrderWhatsApp,
    { params: { recordId: order.recordId } },
    { enabled: hasMessages },
  )
  const since = Date.parse(order.created) - BEFORE_MS
  const messages = (data?.conversation ?? []).filter(
    ({ from, at, change }) =>
      from === 'customer' && change !== 'deleted' && Date.parse(at) >= since,
  )
  return [order.product, ...messages.map(({ text }) => text)]
    .filter((text) => text !== null)
    .join('\n\n')
}
