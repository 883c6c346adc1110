import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import { enqueue } from '../../../platform/jobs.ts'
import type { OrderHooks } from '../records/order-hooks.ts'
import { orderRecord, recordColumns, type StoredRecord } from '../records/order-rows.ts'
import type { NewOrder } from './new-orders.rules.ts'
import { CREATE_TASK } from './order-creations.store.ts'
import { isNumberTaken, lockNewOrders, nextNumber } from './order-numbers.store.ts'

export const REQUEST_CLEANUP_TASK = 'orders.requests.cleanup'

/** The creator of an order: a user in a session, or an API key. */
export type Creator = { origin: 'person' | 'api'; id: string; sessionId: string | null }

/** `isPending`: the order must still be created in the source. */
export type CreateResult = { orderId: string; isPending: boolean }

/** Delay of the job that checks whether the order has been pushed. */
const FIRST_RETRY_SECONDS = 10

export type NewOrdersStore = ReturnType<typeof createNewOrdersStore>

/** Orders created here: the only writer of `order_requests`. */
export function createNewOrdersStore(db: Database, hooks: OrderHooks) {
  return {
    /**
     * Creates an order, once per request, with the job that pushes it to the source.
     *
     * @param isOnAirtable false: the order is in the database only, and gets a number if it has none
     * @throws AppError `orders.key_reused`, `orders.not_found`, `orders.number_taken`
     * @throws an error recognized by `isLockTimeout` when another request holds the lock for too long
     */
    create(
      pharmacyId: string,
      order: NewOrder,
      {
        request,
        creator,
        isOnAirtable,
      }: { request: RequestHashes; creator: Creator; isOnAirtable: boolean },
    ): Promise<CreateResult> {
      return db.transaction().execute(async (tx) => {
        await lockNewOrders(tx, pharmacyId)
        const before = await earlierRequest(tx, pharmacyId, request)
        if (before) return before
        if (
          order.orderNumber !== null &&
          (await isNumberTaken(tx, pharmacyId, order.orderNumber))
        ) {
          throw new AppError('orders.number_taken')
        }
        const orderNumber =
          order.orderNumber ?? (isOnAirtable ? null : await nextNumber(tx, pharmacyId))
        const isNew = creator.origin === 'api' && !isOnAirtable
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
            // An order typed by a user counts as seen. One created by an API key is new once it is final.
            seen_at: isNew ? null : sql<string>`now()`,
            origin: creator.origin,
            made_by: creator.id,
            made_in: creator.sessionId,
          })
          .returning(['id', 'airtable_order_id'])
          .executeTakeFirstOrThrow()
        await tx
          .insertInto('order_creations')
          .values({
            order_id: id,
            pharmacy_id: pharmacyId,
            kept_here: !isOnAirtable,
            answered: !isOnAirtable,
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
        if (isOnAirtable) {
          const key = `${CREATE_TASK}:${id}`
          await enqueue(
            tx,
            CREATE_TASK,
            { pharmacyId, orderId: id },
            { key, delaySeconds: FIRST_RETRY_SECONDS },
          )
        }
        if (isNew) {
          await hooks.onArrived(tx, pharmacyId)
          await hooks.onStatus(tx, pharmacyId, [
            { orderId: id, recordId: airtable_order_id, from: null, to: order.status },
          ])
        }
        return { orderId: id, isPending: isOnAirtable }
      })
    },

    /** The current state of an order. */
    async find(pharmacyId: string, orderId: string): Promise<StoredRecord | undefined> {
      const row = await db
        .selectFrom('pharmacy_orders')
        .select(recordColumns)
        .where('pharmacy_id', '=', pharmacyId)
        .where('id', '=', orderId)
        .executeTakeFirst()
      return row && orderRecord(row)
    },

    /** Deletes idempotency keys older than a day. */
    async deleteOldRequests(): Promise<number> {
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
): Promise<CreateResult | undefined> {
  const row = await tx
    .selectFrom('order_requests as request')
    .leftJoin('pharmacy_orders as record', (join) =>
      join
        .onRef('record.pharmacy_id', '=', 'request.pharmacy_id')
        .onRef('record.airtable_order_id', '=', 'request.record_id'),
    )
    .leftJoin('order_creations as creation', (join) =>
      join
        .onRef('creation.pharmacy_id', '=', 'record.pharmacy_id')
        .onRef('creation.order_id', '=', 'record.id'),
    )
    .select(['request.body_hash', 'record.id', 'creation.kept_here'])
    .where('request.pharmacy_id', '=', pharmacyId)
    .where('request.key_hash', '=', keyHash)
    .executeTakeFirst()
  if (!row) return undefined
  if (!row.body_hash.equals(bodyHash)) throw new AppError('orders.key_reused')
  // The order of that request is gone.
  if (row.id === null) throw new AppError('orders.not_found')
  return { orderId: row.id, isPending: row.kept_here === false }
}

/** Hashes of the idempotency key and of the body of a request. */
type RequestHashes = { keyHash: Buffer; bodyHash: Buffer }

/** Equal for bodies with the same meaning, however they are formatted. */
export function requestHashes(idempotencyKey: string, order: NewOrder): RequestHashes {
  const { orderNumber, customerName, customerPhone, address, details, status } = order
  const body = [orderNumber, customerName, customerPhone, address, details, status]
  return { keyHash: hash(idempotencyKey), bodyHash: hash(JSON.stringify(body)) }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Longer than the ids of the source, so that the two cannot collide. */
const ID_LENGTH = 17

/** A record id for an order that has none from the source, or not yet. */
function newRecordId(): string {
  // Bytes beyond a multiple of the alphabet's length are dropped, so that all letters are equally likely.
  const bytes = [...randomBytes(4 * ID_LENGTH)].filter((byte) => byte < 4 * LETTERS.length)
  const letters = bytes.slice(0, ID_LENGTH).map((byte) => LETTERS.charAt(byte % LETTERS.length))
  return `rec${letters.join('')}`
}
