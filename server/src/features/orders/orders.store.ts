import type { OrderRecord, OrderStatus, OrdersQuery } from '@bancone/contract/orders'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { orderRecord, recordColumns } from './order-rows.ts'
import { noOrders, type OrderCounts } from './orders.rules.ts'

/** The counts of a pharmacy's orders, and the version that rises with every change of them. */
export type OrdersState = { counts: OrderCounts; version: string }

/** When the order store last answered, and how many changes wait for it. */
export type CopyStatus = { readAt: string | null; pendingChanges: number }

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
        .selectFrom('pharmacy_order_counts')
        .selectAll()
        .where('pharmacy_id', '=', pharmacyId)
        .executeTakeFirst()
      if (!row) return { counts: noOrders, version: '0' }
      return {
        counts: {
          total: row.total,
          pending: row.pending,
          confirmed: row.confirmed,
          bookedToday: row.booked_today,
          bookedTomorrow: row.booked_tomorrow,
          cancelled: row.cancelled,
          lastOrderId: row.last_order_seq === null ? null : Number(row.last_order_seq),
        },
        version: row.version,
      }
    },

    async copyStatus(pharmacyId: string): Promise<CopyStatus> {
      const row = await db
        .selectNoFrom((of) => [
          of
            .selectFrom('order_copies')
            .select('read_at')
            .where('pharmacy_id', '=', pharmacyId)
            .as('readAt'),
          of
            .selectFrom('order_changes')
            .select((change) => change.fn.countAll<string>().as('changes'))
            .where('pharmacy_id', '=', pharmacyId)
            .as('changes'),
        ])
        .executeTakeFirstOrThrow()
      return { readAt: row.readAt, pendingChanges: Number(row.changes) }
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
