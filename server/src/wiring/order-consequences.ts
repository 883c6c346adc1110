import { forgetExamples } from '../features/orders/migration/migration-runs.store.ts'
import type { CustomerTraces } from '../features/orders/records/order-anonymization.store.ts'
import type { OrderHooks } from '../features/orders/records/order-hooks.ts'
import { ordersWithPrioritySessions } from '../features/priority/priority-expiry.store.ts'
import { followStatuses } from '../features/priority/sessions-of-orders.store.ts'
import {
  announceCall,
  announcePickup,
  answerArrivals,
} from '../features/whatsapp/messages/automatic-notices.store.ts'
import { ordersInConversation } from '../features/whatsapp/messages/conversations.store.ts'
import { deleteLinksOf } from '../features/whatsapp/messages/order-customers.store.ts'
import { deleteMessagesOf } from '../features/whatsapp/messages/outbox.store.ts'

/** What follows from the statuses of orders: messages by WhatsApp, and priority sessions. */
export const onStatus: OrderHooks['onStatus'] = async (tx, pharmacyId, statuses) => {
  const idsOf = (some: typeof statuses) => some.map(({ orderId }) => orderId)
  await announcePickup(tx, pharmacyId, idsOf(statuses.filter(({ from }) => from !== null)))
  await answerArrivals(tx, pharmacyId, idsOf(statuses.filter(({ from }) => from === null)))
  await followStatuses(tx, pharmacyId, statuses, announceCall)
}

/**
 * What reports of migrations, WhatsApp and priority access keep of the customers of orders. The data of a priority
 * session expire by themselves.
 */
export const customerTraces: CustomerTraces = {
  onStatus,
  async inContact(tx, pharmacyId, orders, days) {
    const ids = orders.map(({ id }) => id)
    const recordIds = orders.map(({ recordId }) => recordId)
    const expected = new Set(await ordersWithPrioritySessions(tx, pharmacyId, recordIds))
    return [
      ...(await ordersInConversation(tx, pharmacyId, ids, days)),
      ...orders.filter(({ recordId }) => expected.has(recordId)).map(({ id }) => id),
    ]
  },
  async remove(tx, pharmacyId, orders) {
    const ids = orders.map(({ id }) => id)
    await forgetExamples(tx, pharmacyId)
    await deleteMessagesOf(tx, pharmacyId, ids)
    await deleteLinksOf(tx, pharmacyId, ids)
  },
}
