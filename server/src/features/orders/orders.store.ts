import type { OrderRecord, OrdersQuery, OrderStatus } from '@bancone/contract/orders'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { orderRecord, recordColumns } from './order-rows.ts'
import { noOrders, type OrderCounts } from './orders.rules.ts'

/** The counts of a pharmacy's orders, and how its copy stands. */
export type OrdersState = {
  counts: OrderCounts
  readAt: string | null
  pendingChanges: number
}

export type OrdersStore = ReturnType<typeof createOrdersStore>

/** What the screens read and change of `pharmacy_orders`. */
export function createOrdersStore(db: Database) {
  return {
    async page(pharmacyId: string, query: OrdersQuery): Promise<OrderRecord[]> {
      let select = db
        .selectFrom('pharmacy_orders')
        .select(recordColumns)
        .where('pharmacy_id', '=', pharmacyId)
        .orderBy('airtable_created', 'desc')
        .orderBy('id', 'desc')
        .limit(query.pageSize)
        .offset((query.page - 1) * query.pageSize)
      if (query.stato) select = select.where('status', '=', query.stato)
      return (await select.execute()).map(orderRecord)
    },

    async state(pharmacyId: string): Promise<OrdersState> {
      const row = await db
        .selectFrom('pharmacies as pharmacy')
        .leftJoin('pharmacy_order_counts as counts', 'counts.pharmacy_id', 'pharmacy.id')
        .leftJoin('order_copies as copy', 'copy.pharmacy_id', 'pharmacy.id')
        .select((of) => [
          'counts.total',
          'counts.pending',
          'counts.confirmed',
          'counts.booked_today',
          'counts.booked_tomorrow',
          'counts.cancelled',
          'counts.last_order_seq',
          'copy.read_at',
          of
            .selectFrom('order_changes')
            .select((change) => change.fn.countAll<string>().as('changes'))
            .where('order_changes.pharmacy_id', '=', pharmacyId)
            .as('changes'),
        ])
        .where('pharmacy.id', '=', pharmacyId)
        .executeTakeFirst()
      const counts: OrderCounts = {
        total: row?.total ?? noOrders.total,
        pending: row?.pending ?? noOrders.pending,
        confirmed: row?.confirmed ?? noOrders.confirmed,
        bookedToday: row?.booked_today ?? noOrders.bookedToday,
        bookedTomorrow: row?.booked_tomorrow ?? noOrders.bookedTomorrow,
        cancelled: row?.cancelled ?? noOrders.cancelled,
        lastOrderId: row?.last_order_seq ? Number(row.last_order_seq) : null,
      }
      return { counts, readAt: row?.read_at ?? null, pendingChanges: Number(row?.changes ?? 0) }
    },

    /** Sets the status in our database alone. @returns undefined when there is no such order */
    async setStatus(
      pharmacyId: string,
      recordId: string,
      status: OrderStatus,
    ): Promise<OrderRecord | undefined> {
      const row = await db
        .updateTable('pharmacy_orders')
        .set({
          status,
          status_changed_at: sql<string>`clock_timestamp()`,
          airtable_last: sql<string>`clock_timestamp()`,
        })
        .where('pharmacy_id', '=', pharmacyId)
        .where('airtable_order_id', '=', recordId)
        .returning(recordColumns)
        .executeTakeFirst()
      return row && orderRecord(row)
    },
  }
}
