import { sql } from 'kysely'
import { AppError } from '../../../app-error.ts'
import type { Database } from '../../../database/database.ts'
import { lockPharmacy } from '../../../database/pharmacy-lock.ts'
import { createAudit } from '../../../platform/audit.ts'
import { hasCustomer } from '../customers/order-anonymization.store.ts'
import { actorName, currentRecordId } from '../details/order-actors.store.ts'
import type { StoredHold } from '../details/order-details.rules.ts'
import type { Author } from '../order-author.ts'

/** `record` is the alias of `pharmacy_orders`. A hold changes only while its pharmacy is locked. */
export const isHeld = sql<boolean>`exists (
  select from order_holds as hold where hold.pharmacy_id = record.pharmacy_id and hold.order_id = record.id
)`

export type OrderHoldsStore = ReturnType<typeof createOrderHoldsStore>

/** Orders whose customer's data are neither deleted when their time is over nor on request. */
export function createOrderHoldsStore(db: Database) {
  const audit = createAudit(db)

  function holds(tx: Database, pharmacyId: string, recordId: string) {
    return tx
      .selectFrom('order_holds as hold')
      .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'hold.pharmacy_id')
      .innerJoin('pharmacy_orders as record', (join) =>
        join
          .onRef('record.pharmacy_id', '=', 'hold.pharmacy_id')
          .onRef('record.id', '=', 'hold.order_id'),
      )
      .select(['hold.reason', 'hold.held_at as at', 'hold.user_id as userId'])
      .select(['hold.session_id as sessionId', actorName(sql`hold.user_id`).as('name')])
      .where('hold.pharmacy_id', '=', pharmacyId)
      .where('record.airtable_order_id', '=', currentRecordId(pharmacyId, recordId))
  }

  /** Locks the pharmacy, as whatever deletes customers' data does. */
  async function lock(tx: Database, pharmacyId: string, recordId: string) {
    await lockPharmacy(tx, pharmacyId)
    const order = await tx
      .selectFrom('pharmacy_orders as record')
      .select(['record.id', 'record.airtable_order_id as recordId'])
      .select(hasCustomer.as('hasCustomer'))
      .where('record.pharmacy_id', '=', pharmacyId)
      .where('record.airtable_order_id', '=', currentRecordId(pharmacyId, recordId))
      .executeTakeFirst()
    if (!order) throw new AppError('orders.not_found')
    return order
  }

  /** Records the change without the reason, which may be about a customer, and tells open screens. */
  async function record(
    tx: Database,
    action: 'order_held' | 'order_released',
    pharmacyId: string,
    recordId: string,
  ) {
    await audit.recordChange(tx, { action, pharmacyId, target: { type: 'order', id: recordId } })
    await sql`select tell_of_orders(${pharmacyId}, 'changed', array[${recordId}])`.execute(tx)
  }

  return {
    find(pharmacyId: string, recordId: string): Promise<StoredHold | undefined> {
      return holds(db, pharmacyId, recordId).executeTakeFirst()
    },

    /**
     * Holds an order, or changes the reason and the author.
     * @throws AppError `orders.not_found`, `orders.customer_erased`
     */
    hold(
      pharmacyId: string,
      recordId: string,
      reason: string,
      { userId, sessionId }: Author,
    ): Promise<StoredHold> {
      return db.transaction().execute(async (tx) => {
        const order = await lock(tx, pharmacyId, recordId)
        if (!order.hasCustomer) throw new AppError('orders.customer_erased')
        const author = { user_id: userId, session_id: sessionId }
        await tx
          .insertInto('order_holds')
          .values({ pharmacy_id: pharmacyId, order_id: order.id, reason, ...author })
          .onConflict((conflict) =>
            conflict
              .columns(['pharmacy_id', 'order_id'])
              .doUpdateSet({ reason, ...author, held_at: sql<string>`now()` }),
          )
          .execute()
        await record(tx, 'order_held', pharmacyId, order.recordId)
        return holds(tx, pharmacyId, order.recordId).executeTakeFirstOrThrow()
      })
    },

    /** @throws AppError `orders.not_found` */
    release(pharmacyId: string, recordId: string): Promise<void> {
      return db.transaction().execute(async (tx) => {
        const order = await lock(tx, pharmacyId, recordId)
        const released = await tx
          .deleteFrom('order_holds')
          .where('pharmacy_id', '=', pharmacyId)
          .where('order_id', '=', order.id)
          .executeTakeFirst()
        if (released.numDeletedRows > 0n) {
          await record(tx, 'order_released', pharmacyId, order.recordId)
        }
      })
    },
  }
}
