import type { Database } from '../../../database/database.ts'
import type { Audit } from '../../../platform/audit.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { createOrderCopyStore } from './order-copy.store.ts'
import { createPollScheduleStore } from './poll-schedule.store.ts'

/** How long the poller reads the pharmacy's orders as if a screen showed them: enough for a retry after a failure. */
const POLLED_MS = 5 * 60_000

/** Makes the poller read all orders of a pharmacy again, in whichever process polls next. */
export function createOrderRereadingStore(db: Database, audit: Pick<Audit, 'recordChange'>) {
  return {
    start(pharmacyId: string, location: SourceLocation): Promise<void> {
      return db.transaction().execute(async (tx) => {
        await createOrderCopyStore(tx).readAgain(pharmacyId, location)
        const watched = { forMs: POLLED_MS, firstPollMs: 0 }
        await createPollScheduleStore(tx).markWatched(pharmacyId, location, watched)
        const target = { type: 'pharmacy', id: pharmacyId }
        await audit.recordChange(tx, { action: 'orders_read_again', pharmacyId, target })
      })
    },
  }
}
