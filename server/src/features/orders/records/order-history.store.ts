import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { Author } from './orders-owner.ts'

export const HISTORY_CLEANUP_TASK = 'orders.history.forget'

/** Orders whose data is deleted in one transaction. */
const BATCH_SIZE = 500

/**
 * Adds a failed change to the history. A resulting status change is added by the trigger.
 *
 * @param tx the transaction in which the change is given up
 */
export async function addFailure(
  tx: Database,
  pharmacyId: string,
  orderId: string,
  { kind, wanted }: { kind: 'refused' | 'conflict'; wanted: string },
): Promise<void> {
  await sql`
    insert into order_events (pharmacy_id, record_id, kind, source, to_status)
    select pharmacy_id, airtable_order_id, ${kind}, 'airtable', ${wanted} from pharmacy_orders
    where pharmacy_id = ${pharmacyId} and id = ${orderId}
  `.execute(tx)
}

/**
 * Adds what is reported of a message to the customer: `from_status` is the kind of the message, `to_status` the report.
 *
 * @param event the kind of the message, what is reported of it, and when (ISO 8601)
 */
export async function noteMessage(
  tx: Database,
  pharmacyId: string,
  orderId: string,
  { kind, status, at }: { kind: string; status: string; at: string },
): Promise<void> {
  await sql`
    insert into order_events (pharmacy_id, record_id, kind, source, from_status, to_status, at)
    select pharmacy_id, airtable_order_id, 'message', 'system', ${kind}, ${status}, ${at}::timestamptz
    from pharmacy_orders where pharmacy_id = ${pharmacyId} and id = ${orderId}
  `.execute(tx)
}

/**
 * The content that this transaction has changed was not changed in Airtable, as the trigger assumes.
 *
 * @param tx the transaction that has changed the orders
 */
export async function attributeContent(
  tx: Database,
  pharmacyId: string,
  recordIds: readonly string[],
  { from, userId, sessionId }: Author,
): Promise<void> {
  await tx
    .updateTable('order_events')
    .set({ source: from, user_id: userId, session_id: sessionId })
    .where('pharmacy_id', '=', pharmacyId)
    .where(sql<boolean>`record_id = any(${recordIds}::text[])`)
    .where('kind', '=', 'content')
    // The beginning of the transaction.
    .where('at', '>=', sql<string>`now()`)
    .execute()
}

/** Retention of history and notes. */
export function createOrderHistoryStore(db: Database) {
  /** @returns the number of orders; call again until it is 0 */
  function deleteBatch(days: number): Promise<number> {
    return db.transaction().execute(async (tx) => {
      const gone = await tx
        .selectFrom('order_events as event')
        .select(['event.pharmacy_id', 'event.record_id'])
        .where('event.kind', '=', 'gone')
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('pharmacy_orders as record')
                .select('record.id')
                .whereRef('record.pharmacy_id', '=', 'event.pharmacy_id')
                .whereRef('record.airtable_order_id', '=', 'event.record_id'),
            ),
          ),
        )
        .groupBy(['event.pharmacy_id', 'event.record_id'])
        .having(sql<boolean>`max(event.at) < now() - make_interval(days => ${days}::integer)`)
        .limit(BATCH_SIZE)
        .execute()
      const pharmacies = gone.map((order) => order.pharmacy_id)
      const records = gone.map((order) => order.record_id)
      const areGone = sql<boolean>`(pharmacy_id, record_id) in (
        select * from unnest(${pharmacies}::uuid[], ${records}::text[])
      )`
      await tx.deleteFrom('order_notes').where(areGone).execute()
      await tx.deleteFrom('order_events').where(areGone).execute()
      return gone.length
    })
  }

  return {
    /** Deletes history and notes of orders that were removed so many days ago. @returns the number of orders */
    async deleteGone(days: number, signal?: AbortSignal): Promise<number> {
      for (let orders = 0; ; ) {
        signal?.throwIfAborted()
        const deleted = await deleteBatch(days)
        if (deleted === 0) return orders
        orders += deleted
      }
    },
  }
}
