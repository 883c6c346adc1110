import { OrderNotice } from '@bancone/contract/orders'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'

const Kind = OrderNotice.shape.kind

/** A failed change. A newer notice about the same order replaces the older one. */
export type NewNotice = Pick<OrderNotice, 'recordId' | 'orderNumber' | 'kind' | 'wanted' | 'kept'>

export type OrderNoticesStore = ReturnType<typeof createOrderNoticesStore>

/** Unread notices about failed changes: the only writer of `order_notices`. */
export function createOrderNoticesStore(db: Database) {
  return {
    /** Newest first. */
    async list(pharmacyId: string, limit: number): Promise<OrderNotice[]> {
      const rows = await db
        .selectFrom('order_notices')
        .select([
          'airtable_order_id as recordId',
          'order_number as orderNumber',
          'kind',
          'wanted',
          'kept',
          'created_at as at',
        ])
        .where('pharmacy_id', '=', pharmacyId)
        .orderBy('created_at', 'desc')
        .orderBy('airtable_order_id')
        .limit(limit)
        .execute()
      return rows.map((row) => ({ ...row, kind: Kind.parse(row.kind) }))
    },

    async add(pharmacyId: string, notice: NewNotice): Promise<void> {
      const values = {
        order_number: notice.orderNumber,
        kind: notice.kind,
        wanted: notice.wanted,
        kept: notice.kept,
        created_at: sql<string>`clock_timestamp()`,
      }
      await db
        .insertInto('order_notices')
        .values({ pharmacy_id: pharmacyId, airtable_order_id: notice.recordId, ...values })
        .onConflict((conflict) =>
          conflict.columns(['pharmacy_id', 'airtable_order_id']).doUpdateSet(values),
        )
        .execute()
    },

    async dismiss(pharmacyId: string, recordId: string): Promise<void> {
      await db
        .deleteFrom('order_notices')
        .where('pharmacy_id', '=', pharmacyId)
        .where('airtable_order_id', '=', recordId)
        .execute()
    },
  }
}
