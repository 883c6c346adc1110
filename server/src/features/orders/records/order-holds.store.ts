import { MAX_HELD_ORDERS } from '@bancone/contract/order-retention'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import { lockPharmacy } from '../../../database/row-limit.ts'
import { createAudit } from '../../../platform/audit.ts'
import { actorName, currentRecordId } from './order-actors.store.ts'
import { hasCustomer } from './order-anonymization.store.ts'
import type { StoredHold } from './order-details.rules.ts'
import type { Author } from './orders-owner.ts'

/**
 * Whether an order is held. `record` is the alias of `pharmacy_orders`. A hold changes only while its pharmacy is locked.
 *
 * @param since only by a hold of this time (ISO 8601) or later
 */
export function isHeld(since?: string): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from order_holds as hold
    where hold.pharmacy_id = record.pharmacy_id and hold.order_id = record.id
      and hold.held_at >= coalesce(${since ?? null}::timestamptz, '-infinity')
  )`
}

/** Deletes the holds of these orders. */
export async function deleteHoldsOf(tx: Database, pharmacyId: string, orderIds: readonly string[]) {
  await tx
    .deleteFrom('order_holds')
    .where('pharmacy_id', '=', pharmacyId)
    .where(sql<boolean>`order_id = any(${orderIds}::bigint[])`)
    .execute()
}

/** Two rows are one order: the hold of the one that goes is that of the other, unless that has its own. */
export async function moveHold(tx: Database, pharmacyId: string, goneId: string, keptId: string) {
  await sql`
    insert into order_holds (pharmacy_id, order_id, reason, user_id, session_id, held_at)
    select pharmacy_id, ${keptId}::bigint, reason, user_id, session_id, held_at from order_holds
    where pharmacy_id = ${pharmacyId} and order_id = ${goneId}
    on conflict do nothing`.execute(tx)
}

type ListedHold = StoredHold & { recordId: string; number: string | null }

export type OrderHoldsStore = ReturnType<typeof createOrderHoldsStore>

/** Orders whose customer's data are neither deleted when their time is over nor on request. */
export function createOrderHoldsStore(db: Database) {
  const audit = createAudit(db)

  function holds(tx: Database, pharmacyId: string) {
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
  }

  function find(tx: Database, pharmacyId: string, recordId: string) {
    return holds(tx, pharmacyId)
      .where('record.airtable_order_id', '=', currentRecordId(pharmacyId, recordId))
      .executeTakeFirst()
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
      // The order may be removed, or merged with another row, at this moment.
      .forKeyShare('record')
      .executeTakeFirstOrThrow(() => new AppError('orders.not_found'))
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
    await sql`select pg_notify('orders_changed', ${pharmacyId}::text)`.execute(tx)
  }

  return {
    find: (pharmacyId: string, recordId: string) => find(db, pharmacyId, recordId),

    /** Oldest first, at most `MAX_HELD_ORDERS`. */
    list(pharmacyId: string): Promise<ListedHold[]> {
      return holds(db, pharmacyId)
        .select(['record.airtable_order_id as recordId', 'record.order_number as number'])
        .orderBy('hold.held_at')
        .orderBy('hold.order_id')
        .limit(MAX_HELD_ORDERS)
        .execute()
    },

    /** @throws AppError `orders.not_found`, `orders.customer_erased`, `orders.already_held` */
    hold(pharmacyId: string, recordId: string, reason: string, { userId, sessionId }: Author) {
      return db.transaction().execute(async (tx) => {
        const order = await lock(tx, pharmacyId, recordId)
        if (!order.hasCustomer) throw new AppError('orders.customer_erased')
        const before = await find(tx, pharmacyId, order.recordId)
        // A request that is repeated after its response was lost.
        if (before?.reason === reason) return before
        if (before) throw new AppError('orders.already_held')
        await tx
          .insertInto('order_holds')
          .values({
            pharmacy_id: pharmacyId,
            order_id: order.id,
            reason,
            user_id: userId,
            session_id: sessionId,
          })
          .execute()
        await record(tx, 'order_held', pharmacyId, order.recordId)
        const held = await find(tx, pharmacyId, order.recordId)
        if (!held) throw new Error('an order is not held')
        return held
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
