import type { Database } from '../../../database/database.ts'
import type { ConnectionEventsStore } from '../connection-events.store.ts'
import type { DeliveriesStore, DeliveryReport } from '../deliveries.store.ts'
import { isNoticeKind } from './messages.rules.ts'
import type { OutboxSendingStore } from './outbox-sending.store.ts'
import type { RefusalEffects } from './refusal-effects.ts'

/** Adds to the history of an order. `kind` is that of the notice, `at` ISO 8601. */
export type NoteMessage = (
  tx: Database,
  pharmacyId: string,
  orderId: string,
  event: { kind: string; status: string; at: string },
) => Promise<void>

type Dependencies = {
  deliveries: Pick<DeliveriesStore, 'report'>
  outbox: Pick<OutboxSendingStore, 'reported'>
  refusals: Pick<RefusalEffects, 'ofReport'>
  connections: Pick<ConnectionEventsStore, 'noteDelivery'>
  noteMessage: NoteMessage
}

/** What Meta reports of a sent message. `reference` is ours, if Meta returns it. */
export function createMessageReports(dependencies: Dependencies) {
  const { deliveries, outbox, refusals, connections, noteMessage } = dependencies

  /** @param tx the transaction in which the webhook is processed */
  return async (
    tx: Database,
    pharmacyId: string,
    report: DeliveryReport & { reference: string | null },
  ): Promise<void> => {
    const { messageId: metaId, reference, status, at, errorCode } = report
    const { isNew, furthest } = await deliveries.report(tx, pharmacyId, report)
    const message = await outbox.reported(tx, pharmacyId, { metaId, reference })
    if (!message || !isNew) return
    const { id, kind, orderId, contactId, attempts } = message
    if (status === 'delivered' || status === 'read')
      await connections.noteDelivery(tx, pharmacyId, isNoticeKind(kind), at)
    if (orderId !== null && isNoticeKind(kind))
      await noteMessage(tx, pharmacyId, orderId, { kind, status, at })
    // What was delivered may be reported as failed for another device.
    if (status === 'failed' && furthest === 'failed')
      await refusals.ofReport(tx, { id, pharmacyId, kind, attempts, contactId }, errorCode)
  }
}
