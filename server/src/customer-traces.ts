import type { CustomerTraces } from './features/orders/customers/order-anonymization.store.ts'
import { ordersWithVisitors } from './features/priority/priority-life.store.ts'
import {
  deleteLinksOf,
  ordersInConversation,
} from './features/whatsapp/messages/order-customers.store.ts'
import { deleteMessagesOf } from './features/whatsapp/messages/outbox.store.ts'

/** What WhatsApp and priority access keep of the customers of orders. The data of a visit expire by themselves. */
export const customerTraces: CustomerTraces = {
  async inContact(tx, pharmacyId, orders, days) {
    const ids = orders.map(({ id }) => id)
    const recordIds = orders.map(({ recordId }) => recordId)
    const expected = new Set(await ordersWithVisitors(tx, pharmacyId, recordIds))
    return [
      ...(await ordersInConversation(tx, pharmacyId, ids, days)),
      ...orders.filter(({ recordId }) => expected.has(recordId)).map(({ id }) => id),
    ]
  },
  async remove(tx, pharmacyId, orders) {
    const ids = orders.map(({ id }) => id)
    await deleteMessagesOf(tx, pharmacyId, ids)
    await deleteLinksOf(tx, pharmacyId, ids)
  },
}
