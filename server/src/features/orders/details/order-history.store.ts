import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'

/** Days for which the history and the notes are kept of an order that is gone. */
const DAYS_KEPT = 30

/** Orders that are forgotten in one transaction. */
const PORTION = 500

/**
 * A change of an order did not come to pass. What the order became instead its own trigger writes.
 *
 * @param tx the transaction in which the change is given up
 */
export async function addFailure(
  tx: Database,
  orderId: string,
  { kind, wanted }: { kind: 'refused' | 'conflict'; wanted: string },
): Promise<void> {
  await tx
    .insertInto('order_events')
    .columns(['pharmacy_id', 'record_id', 'kind', 'source', 'to_status'])
    .expression((from) =>
      from
        .selectFrom('pharmacy_orders')
        .select(['pharmacy_id', 'airtable_order_id'])
        .select([
          sql<string>`${kind}::text`.as('kind'),
          sql<string>`'airtable'`.as('source'),
          sql<string>`${wanted}::text`.as('to_status'),
        ])
        .where('id', '=', orderId),
    )
    .execute()
}

export type OrderHistoryStore = ReturnType<typeof createOrderHistoryStore>

/** What is kept of orders beside themselves, and of those that are gone for a while. */
export function createOrderHistoryStore(db: Database) {
  return {
    /**
     * Deletes the history and the notes of orders that have been gone for long.
     * @returns how many orders that were; fewer than there may be, until it is none
     */
    forgetGone(): Promise<number> {
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
          .having(
            sql<boolean>`max(event.at) < now() - make_interval(days => ${DAYS_KEPT}::integer)`,
          )
          .limit(PORTION)
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
    },
  }
}
