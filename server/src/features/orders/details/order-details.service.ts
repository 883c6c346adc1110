import { MAX_EARLIER_ORDERS, type OrderDetails } from '@bancone/contract/order-details'
import { AppError } from '../../../base/app-error.ts'
import type { Audit } from '../../../platform/audit.ts'
import { history, type Viewer, withActor } from '../records/order-details.rules.ts'
import type { OrderHoldsStore } from '../records/order-holds.store.ts'
import type { OrderNotesStore } from '../records/order-notes.store.ts'
import { type AttachmentPath, type StoredRecord, toWireRecord } from '../records/order-rows.ts'
import type { OrdersOwner } from '../records/orders-owner.ts'
import type { OrderDetailsStore } from './order-details.store.ts'

type Dependencies = {
  store: OrderDetailsStore
  notes: Pick<OrderNotesStore, 'list'>
  holds: Pick<OrderHoldsStore, 'find'>
  /** Other orders with the same phone number: their count, and the newest of them. */
  ordersOfSameNumber(
    pharmacyId: string,
    recordId: string,
    most: number,
  ): Promise<{ count: number; records: StoredRecord[] }>
  /** URL path of the stored picture of an order. */
  picturePath: AttachmentPath
  audit: Pick<Audit, 'record'>
}

export type OrderDetailsService = ReturnType<typeof createOrderDetails>

/** The details of an order: history, notes, and other orders of the customer. */
export function createOrderDetails(dependencies: Dependencies) {
  const { store, notes, holds, ordersOfSameNumber, picturePath, audit } = dependencies
  const shown = (record: StoredRecord) => toWireRecord(record, picturePath)

  return {
    async get(owner: OrdersOwner, requestedId: string, viewer: Viewer): Promise<OrderDetails> {
      const found = await store.order(owner.id, requestedId)
      if (!found) throw new AppError('orders.not_found')
      const recordId = found.record.id
      const [events, noted, hold, earlier] = await Promise.all([
        store.events(owner.id, recordId),
        notes.list(owner.id, recordId),
        holds.find(owner.id, recordId),
        ordersOfSameNumber(owner.id, recordId, MAX_EARLIER_ORDERS),
      ])
      return {
        order: shown(found.record),
        outdated: found.outdated,
        history: history(found.reception, events, viewer, owner.orderSource !== null),
        notes: noted.map((note) => withActor(note, viewer)),
        hold: hold ? withActor(hold, viewer) : null,
        earlier: { count: earlier.count, records: earlier.records.map(shown) },
      }
    },

    /** @throws AppError `orders.not_found` */
    async recordShownCodes(pharmacyId: string, recordId: string | null): Promise<void> {
      if (recordId !== null && !(await store.order(pharmacyId, recordId)))
        throw new AppError('orders.not_found')
      const target = recordId === null ? null : { type: 'order', id: recordId }
      await audit.record({ action: 'prescription_codes_shown', userId: null, pharmacyId, target })
    },
  }
}
