import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { enqueue } from '../../../platform/jobs.ts'
import { noHooks, type OrderHooks } from '../copy/order-writing.store.ts'
import { type KeptRecord, orderRecord, recordColumns } from '../order-rows.ts'
import type { NewOrder } from './new-orders.rules.ts'
import { CREATE_TASK } from './order-creations.store.ts'
import { isTaken, nextNumber, waitForTurn } from './order-numbers.store.ts'
import type { RequestHashes } from './order-requests.ts'
import { newRecordId } from './record-id.ts'

/** Who makes an order: a person in a session, or a program by its key. */
export type Maker = { origin: 'person' | 'api'; id: string; sessionId: string | null }

/** `isWaiting`: it is to be made in the order store too, and is not there yet. */
export type Made = { orderId: string; isWaiting: boolean }

/**
 * Why none was made: the request was another one under the same key, its order has been made and is gone
 * since, or there is an order of that number.
 */
export type NotMade = 'key_reused' | 'gone' | 'number_taken'

/** Seconds after which a job looks whether an order has reached the order store. */
const FIRST_RETRY_SECONDS = 10

export type NewOrdersStore = ReturnType<typeof createNewOrdersStore>

/** Orders that are made here: the only writer of `order_requests`. */
export function createNewOrdersStore(db: Database, hooks: OrderHooks = noHooks) {
  return {
    /**
     * Makes an order, once for each request. With it there is the job that brings it to the order store.
     *
     * @param hasStore false: it is in our database alone, and has a number of ours if it has none
     * @throws what `isLockedOut` knows, when another request does not come to its end
     */
    make(
      pharmacyId: string,
      order: NewOrder,
      { request, maker, hasStore }: { request: RequestHashes; maker: Maker; hasStore: boolean },
    ): Promise<Made | NotMade> {
      return db.transaction().execute(async (tx) => {
        await waitForTurn(tx, pharmacyId)
        const before = await earlierRequest(tx, pharmacyId, request)
        if (before) return before
        if (order.orderNumber !== null && (await isTaken(tx, pharmacyId, order.orderNumber))) {
          return 'number_taken'
        }
        const orderNumber =
          order.orderNumber ?? (hasStore ? null : await nextNumber(tx, pharmacyId))
        const isNews = maker.origin === 'api' && !hasStore
        const { id, airtable_order_id } = await tx
          .insertInto('pharmacy_orders')
          .values({
            pharmacy_id: pharmacyId,
            airtable_order_id: newRecordId(),
            order_number: orderNumber,
            customer_name: order.customerName,
            customer_phone: order.customerPhone,
            address: order.address,
            order_details: order.details,
            status: order.status,
            airtable_created: sql<string>`now()`,
            airtable_last: sql<string>`now()`,
            // Whoever types an order in has seen it. One of a program is news when it is settled where it is.
            seen_at: isNews ? null : sql<string>`now()`,
            origin: maker.origin,
            made_by: maker.id,
            made_in: maker.sessionId,
          })
          .returning(['id', 'airtable_order_id'])
          .executeTakeFirstOrThrow()
        await tx
          .insertInto('order_creations')
          .values({
            order_id: id,
            pharmacy_id: pharmacyId,
            kept_here: !hasStore,
            answered: !hasStore,
          })
          .execute()
        await tx
          .insertInto('order_requests')
          .values({
            pharmacy_id: pharmacyId,
            key_hash: request.keyHash,
            body_hash: request.bodyHash,
            record_id: airtable_order_id,
          })
          .execute()
        if (hasStore) {
          const key = `${CREATE_TASK}:${id}`
          await enqueue(
            tx,
            CREATE_TASK,
            { orderId: id },
            { key, delaySeconds: FIRST_RETRY_SECONDS },
          )
        }
        if (isNews) await hooks.onArrived(tx, pharmacyId)
        return { orderId: id, isWaiting: hasStore }
      })
    },

    /** An order as it is now. */
    async find(pharmacyId: string, orderId: string): Promise<KeptRecord | undefined> {
      const row = await db
        .selectFrom('pharmacy_orders')
        .select(recordColumns)
        .where('pharmacy_id', '=', pharmacyId)
        .where('id', '=', orderId)
        .executeTakeFirst()
      return row && orderRecord(row)
    },

    /** Requests that nobody repeats any more, after a day. */
    async forgetRequests(): Promise<number> {
      const forgotten = await db
        .deleteFrom('order_requests')
        .where('created_at', '<', sql<string>`now() - interval '1 day'`)
        .executeTakeFirst()
      return Number(forgotten.numDeletedRows)
    },
  }
}

async function earlierRequest(
  tx: Database,
  pharmacyId: string,
  { keyHash, bodyHash }: RequestHashes,
): Promise<Made | NotMade | undefined> {
  const row = await tx
    .selectFrom('order_requests as request')
    .leftJoin('pharmacy_orders as record', (join) =>
      join
        .onRef('record.pharmacy_id', '=', 'request.pharmacy_id')
        .onRef('record.airtable_order_id', '=', 'request.record_id'),
    )
    .leftJoin('order_creations as creation', 'creation.order_id', 'record.id')
    .select(['request.body_hash', 'record.id', 'creation.kept_here'])
    .where('request.pharmacy_id', '=', pharmacyId)
    .where('request.key_hash', '=', keyHash)
    .executeTakeFirst()
  if (!row) return undefined
  if (!row.body_hash.equals(bodyHash)) return 'key_reused'
  return row.id === null ? 'gone' : { orderId: row.id, isWaiting: row.kept_here === false }
}
