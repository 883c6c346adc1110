import { MOST_EARLIER, type OrderDetails, type OrderNote } from '@bancone/contract/order-details'
import { AppError } from '../../../app-error.ts'
import { personOf } from '../order-author.ts'
import { type KeptRecord, shownRecord } from '../order-rows.ts'
import type { OrdersOwner } from '../orders.service.ts'
import { type Asking, history, shownNote } from './order-details.rules.ts'
import type { OrderDetailsStore } from './order-details.store.ts'
import type { OrderNotesStore } from './order-notes.store.ts'

type Dependencies = {
  store: OrderDetailsStore
  notes: OrderNotesStore
  /** The other orders of the telephone number of an order: how many, and so many of the newest. */
  ordersOfSameNumber(
    pharmacyId: string,
    recordId: string,
    most: number,
  ): Promise<{ count: number; records: KeptRecord[] }>
  /** The address of the picture that is kept of an order. */
  picturePath(orderId: string): string
}

type OfNote = { recordId: string; noteId: string }

export type OrderDetailsService = ReturnType<typeof createOrderDetails>

/** What is known of one order: what happened to it, what the pharmacy noted, what else its customer ordered. */
export function createOrderDetails(dependencies: Dependencies) {
  const { store, notes, ordersOfSameNumber, picturePath } = dependencies
  const shown = (record: KeptRecord) => shownRecord(record, picturePath)

  return {
    async get(owner: OrdersOwner, asked: string, asking: Asking): Promise<OrderDetails> {
      const found = await store.order(owner.id, asked)
      if (!found) throw new AppError('orders.not_found')
      const recordId = found.record.id
      const [events, noted, earlier] = await Promise.all([
        store.events(owner.id, recordId),
        notes.list(owner.id, recordId),
        ordersOfSameNumber(owner.id, recordId, MOST_EARLIER),
      ])
      return {
        order: shown(found.record),
        history: history(found.reception, events, asking, owner.orderSource !== null),
        notes: noted.map((note) => shownNote(note, asking)),
        earlier: { count: earlier.count, records: earlier.records.map(shown) },
      }
    },

    async addNote(
      pharmacyId: string,
      recordId: string,
      text: string,
      asking: Asking,
    ): Promise<OrderNote> {
      const note = await notes.add(pharmacyId, recordId, text, personOf(asking))
      if (note === 'no order') throw new AppError('orders.not_found')
      if (note === 'too many') throw new AppError('orders.too_many_notes')
      return shownNote(note, asking)
    },

    async changeNote(
      pharmacyId: string,
      of: OfNote,
      text: string,
      asking: Asking,
    ): Promise<OrderNote> {
      const note = await notes.change(pharmacyId, of, text, personOf(asking))
      if (!note) throw new AppError('orders.note_not_found')
      return shownNote(note, asking)
    },

    async removeNote(pharmacyId: string, of: OfNote): Promise<Record<string, never>> {
      if (!(await notes.remove(pharmacyId, of))) throw new AppError('orders.note_not_found')
      return {}
    },
  }
}
