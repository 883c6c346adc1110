import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { isOnAirtable } from '../../../database/on-airtable.ts'
import {
  type Customer,
  mayHaveNumber,
  type OrdersOfCustomer,
  withNumber,
} from '../../../platform/customers.ts'
import { deleteKeptHere } from '../creation/order-creations.store.ts'
import { anonymizeOrders, type CustomerTraces } from '../records/order-anonymization.store.ts'
import { deleteHoldsOf, isHeld } from '../records/order-holds.store.ts'
import { lockOrder } from '../records/order-locks.store.ts'
import { deleteNotesOf } from '../records/order-notes.store.ts'

type Dependencies = { traces: Omit<CustomerTraces, 'inContact'> }

/** The orders of a customer. */
export function createCustomerOrdersStore(db: Database, { traces }: Dependencies) {
  const select = (tx: Database, pharmacyId: string, ids: readonly string[]) =>
    tx
      .selectFrom('pharmacy_orders as record')
      .innerJoin('pharmacies', 'pharmacies.id', 'record.pharmacy_id')
      .where('record.pharmacy_id', '=', pharmacyId)
      .where(sql<boolean>`record.id = any(${ids}::bigint[])`)

  return {
    /**
     * Finds the orders with the customer's number or its id of WhatsApp.
     *
     * @param linked the ids of orders that are the customer's for another reason
     * @param before only those that are older (ISO 8601), held since then or not; undefined: all
     */
    async find(
      tx: Database,
      pharmacyId: string,
      customer: Customer,
      linked: readonly string[],
      before: string | undefined,
    ): Promise<OrdersOfCustomer> {
      const isLinked = sql<boolean>`coalesce(record.id = any(${linked}::bigint[])
        or record.wa_id = ${customer.phone.slice(1)}, false)`
      const rows = await tx
        .selectFrom('pharmacy_orders as record')
        .innerJoin('pharmacies', 'pharmacies.id', 'record.pharmacy_id')
        .select(['record.id', 'record.airtable_order_id as recordId', 'record.customer_phone'])
        .select(['record.order_number as number', 'record.status'])
        .select([isLinked.as('isLinked'), isHere.as('isHere'), isHeld(before).as('isHeld')])
        .where('record.pharmacy_id', '=', pharmacyId)
        .where(({ or }) =>
          or([isLinked, mayHaveNumber(sql.ref('record.customer_phone'), customer)]),
        )
        .$if(before !== undefined, (query) =>
          query.where(sql<boolean>`record.airtable_created < ${before}::timestamptz`),
        )
        .orderBy('record.airtable_created', 'desc')
        .execute()
      const numbered = new Set(await withNumber(rows, (row) => row.customer_phone, customer))
      const found = rows.filter((row) => row.isLinked || numbered.has(row))
      return {
        here: found.filter((row) => row.isHere),
        inAirtable: found.filter((row) => !row.isHere),
      }
    },

    /** Newest first. */
    copy(pharmacyId: string, { here, inAirtable }: OrdersOfCustomer) {
      const ids = [...here, ...inAirtable].map(({ id }) => id)
      return select(db, pharmacyId, ids)
        .leftJoin('order_holds as hold', (join) =>
          join
            .onRef('hold.pharmacy_id', '=', 'record.pharmacy_id')
            .onRef('hold.order_id', '=', 'record.id'),
        )
        .select([
          'record.order_number as number',
          'record.airtable_created as createdAt',
          'record.airtable_last as changedAt',
          'record.status',
          'record.customer_name as name',
          'record.customer_phone as phone',
          'record.address',
          'record.order_details as details',
          sql<boolean>`record.image_url is not null`.as('hasPicture'),
          sql<boolean>`not ${isHere}`.as('isInAirtable'),
          'hold.reason as held',
        ])
        .select(
          sql<{ at: string; text: string }[]>`coalesce((
            select json_agg(json_build_object('at', note.created_at, 'text', note.text) order by note.created_at)
            from order_notes as note
            where note.pharmacy_id = record.pharmacy_id and note.record_id = record.airtable_order_id
          ), '[]')`.as('notes'),
        )
        .orderBy('record.airtable_created', 'desc')
        .execute()
    },

    /**
     * Anonymizes the orders that are in the database only. Of those in Airtable it removes what is not in Airtable: notes,
     * messages, links with a contact. A hold from before the erasure ends.
     *
     * @param tx a transaction that has locked the pharmacy
     */
    async erase(tx: Database, pharmacyId: string, orders: OrdersOfCustomer): Promise<void> {
      const ids = orders.here.map(({ id }) => id)
      // No key is changed, so that rows which refer to the orders can be added meanwhile.
      await select(tx, pharmacyId, ids)
        .select('record.id')
        .orderBy(lockOrder)
        .forNoKeyUpdate('record')
        .execute()
      await anonymizeOrders(tx, pharmacyId, orders.here, traces)
      await deleteKeptHere(tx, pharmacyId, ids)
      const recordIds = orders.inAirtable.map(({ recordId }) => recordId)
      await deleteNotesOf(tx, pharmacyId, recordIds)
      await traces.remove(tx, pharmacyId, orders.inAirtable)
      const found = [...orders.here, ...orders.inAirtable]
      await deleteHoldsOf(
        tx,
        pharmacyId,
        found.map(({ id }) => id),
      )
    },

    /** The telephone numbers of a pharmacy's orders, as they are written. */
    async numbers(pharmacyId: string): Promise<string[]> {
      const { rows } = await sql<{ number: string }>`
        select customer_phone as number from pharmacy_orders
        where pharmacy_id = ${pharmacyId} and customer_phone is not null
        union
        select '+' || wa_id from pharmacy_orders
        where pharmacy_id = ${pharmacyId} and wa_id is not null`.execute(db)
      return rows.map(({ number }) => number)
    },
  }
}

/** Whether an order is in the database only. That is also so for one that Airtable has refused. */
const isHere: RawBuilder<boolean> = sql<boolean>`(not ${isOnAirtable('pharmacies')} or exists (
  select from order_creations as creation
  where creation.pharmacy_id = record.pharmacy_id and creation.order_id = record.id and creation.kept_here
))`
