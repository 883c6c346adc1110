import type { ShownFields } from '@bancone/contract/order-corrections'
import { sql } from 'kysely'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import { lockPharmacy } from '../../../database/row-limit.ts'
import { createAudit } from '../../../platform/audit.ts'
import type { SourceCorrection, SourceLocation, SourceOrder } from '../../../ports/order-source.ts'
import { isAsShown } from '../creation/new-orders.rules.ts'
import { isNumberTaken, lockNewOrders } from '../creation/order-numbers.store.ts'
import { currentRecordId } from '../records/order-actors.store.ts'
import { hasCustomer } from '../records/order-anonymization.store.ts'
import { attributeContent } from '../records/order-history.store.ts'
import { isHeld } from '../records/order-holds.store.ts'
import type { OrderHooks } from '../records/order-hooks.ts'
import { lockOrderRow, updateOrder } from '../records/order-locks.store.ts'
import { orderRecord, recordColumns, type StoredRecord } from '../records/order-rows.ts'
import { upsertOrders } from '../records/order-upsert.store.ts'
import type { Author } from '../records/orders-owner.ts'
import { tablePharmaciesOf } from '../records/table-pharmacies.store.ts'

/**
 * Where an order is: `here` in the database only, `new` on its way to Airtable and never sent, `sent` on its way without
 * an answer, `airtable` in Airtable.
 */
type Place = 'here' | 'new' | 'sent' | 'airtable'

/** An order that may be corrected or removed. */
type FoundOrder = { id: string; recordId: string; isTyped: boolean; isHeld: boolean; place: Place }

export type OrderCorrectionsStore = ReturnType<typeof createOrderCorrectionsStore>

/** Corrects and removes orders that were typed in. */
export function createOrderCorrectionsStore(db: Database, hooks: OrderHooks) {
  function found(pharmacyId: string, at: Database) {
    return at
      .selectFrom('pharmacy_orders as record')
      .leftJoin('order_creations as creation', (join) =>
        join
          .onRef('creation.pharmacy_id', '=', 'record.pharmacy_id')
          .onRef('creation.order_id', '=', 'record.id'),
      )
      .where('record.pharmacy_id', '=', pharmacyId)
      .select(['record.id', 'record.airtable_order_id as recordId'])
      .select(sql<boolean>`record.origin = 'person'`.as('isTyped'))
      .select(isHeld().as('isHeld'))
      .select(
        sql<Place>`case
          when creation.order_id is null then 'airtable'
          when creation.kept_here then 'here'
          when creation.unsure_at is null and creation.claimed_until is null then 'new'
          else 'sent' end`.as('place'),
      )
  }

  /** Locks an order that is not in Airtable, and stays as it is meanwhile. */
  async function lockHere(
    tx: Database,
    pharmacyId: string,
    orderId: string,
    isOnAirtable: boolean,
  ): Promise<void> {
    await lockOrderRow(tx, pharmacyId, orderId)
    // A process that sends it to Airtable claims its creation first.
    await tx
      .selectFrom('order_creations')
      .select('order_id')
      .where('pharmacy_id', '=', pharmacyId)
      .where('order_id', '=', orderId)
      .forUpdate()
      .execute()
    const order = await found(pharmacyId, tx)
      .where('record.id', '=', orderId)
      .executeTakeFirstOrThrow(() => new AppError('orders.not_found'))
    const isInAirtable = isOnAirtable && order.place === 'airtable'
    if (isInAirtable || order.place === 'sent') throw new AppError('orders.being_made')
  }

  return {
    /** @param recordId also the one that the order had before Airtable gave it another */
    find(pharmacyId: string, recordId: string): Promise<FoundOrder | undefined> {
      return found(pharmacyId, db)
        .where('record.airtable_order_id', '=', currentRecordId(pharmacyId, recordId))
        .executeTakeFirst()
    },

    tablePharmacies: (location: SourceLocation) => tablePharmaciesOf(db, location),

    /**
     * Corrects an order that is not in Airtable.
     *
     * @throws AppError
     * @throws an error recognized by `isLockTimeout`
     */
    correct(
      pharmacyId: string,
      orderId: string,
      change: { fields: SourceCorrection; was: ShownFields; author: Author; isOnAirtable: boolean },
    ): Promise<StoredRecord> {
      const { fields, was, author, isOnAirtable } = change
      return db.transaction().execute(async (tx) => {
        await lockNewOrders(tx, pharmacyId)
        await lockHere(tx, pharmacyId, orderId, isOnAirtable)
        const order = await tx
          .selectFrom('pharmacy_orders as record')
          .select(['order_number as orderNumber', 'customer_name as customerName'])
          .select(['customer_phone as customerPhone', 'address', 'order_details as details'])
          .select(['airtable_order_id as recordId', hasCustomer.as('hasCustomer')])
          .where('pharmacy_id', '=', pharmacyId)
          .where('id', '=', orderId)
          .executeTakeFirstOrThrow()
        if (!order.hasCustomer) throw new AppError('orders.customer_erased')
        if (!isAsShown(order, was)) throw new AppError('orders.changed_meanwhile')
        const number = fields.orderNumber ?? order.orderNumber
        if (
          number !== null &&
          number !== order.orderNumber &&
          (await isNumberTaken(tx, pharmacyId, number))
        ) {
          throw new AppError('orders.number_taken')
        }
        const row = await updateOrder(tx, pharmacyId, orderId)
          .set({
            order_number: number,
            customer_name: fields.customerName,
            customer_phone: fields.customerPhone,
            address: fields.address,
            order_details: fields.details,
            airtable_last: sql<string>`clock_timestamp()`,
            content_hash: null,
          })
          .returning(recordColumns)
          .executeTakeFirstOrThrow()
        await attributeContent(tx, pharmacyId, [order.recordId], author)
        return orderRecord(row)
      })
    },

    /** Takes over what Airtable has. @param author the user of the pharmacy who has changed it there, if one has */
    take(pharmacyId: string, stored: SourceOrder, readAt: string, author: Author | null) {
      return db.transaction().execute(async (tx) => {
        const writing = { readStartedAt: readAt, countsAsNew: false }
        await upsertOrders(tx, hooks, pharmacyId, [stored], writing)
        if (author) await attributeContent(tx, pharmacyId, [stored.recordId], author)
        const row = await tx
          .selectFrom('pharmacy_orders')
          .select(recordColumns)
          .where('pharmacy_id', '=', pharmacyId)
          .where('airtable_order_id', '=', stored.recordId)
          .executeTakeFirstOrThrow()
        return orderRecord(row)
      })
    },

    /**
     * Removes an order. @param isInAirtable false: one that is not in Airtable; true: one that Airtable has removed
     *
     * @throws AppError
     */
    remove(
      pharmacyId: string,
      order: Pick<FoundOrder, 'id' | 'recordId'>,
      { isInAirtable, isOnAirtable }: { isInAirtable: boolean; isOnAirtable: boolean },
    ): Promise<void> {
      return db.transaction().execute(async (tx) => {
        // A hold changes only while its pharmacy is locked.
        await lockPharmacy(tx, pharmacyId)
        if (!isInAirtable) await lockHere(tx, pharmacyId, order.id, isOnAirtable)
        const held = await found(pharmacyId, tx)
          .where('record.id', '=', order.id)
          .where(isHeld())
          .executeTakeFirst()
        if (held && !isInAirtable) throw new AppError('orders.held')
        const removed = await tx
          .deleteFrom('pharmacy_orders')
          .where('pharmacy_id', '=', pharmacyId)
          .where('id', '=', order.id)
          .executeTakeFirst()
        // A reading may have found that it is gone.
        if (removed.numDeletedRows === 0n && !isInAirtable) throw new AppError('orders.not_found')
        await createAudit(tx).recordChange(tx, {
          action: 'order_removed',
          pharmacyId,
          target: { type: 'order', id: order.recordId },
        })
      })
    },
  }
}
