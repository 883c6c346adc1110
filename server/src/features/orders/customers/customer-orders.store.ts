import type { CustomerDataCopy, CustomerDataCounts } from '@bancone/contract/customer-data'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { hasNumber, type OrdersOfCustomer } from '../../../platform/customers.ts'
import { lockOrder } from '../copy/order-upsert.store.ts'
import {
  type AnonymizedOrder,
  anonymizeOrders,
  type CustomerTraces,
  isInDatabaseOnly,
} from './order-anonymization.store.ts'

type Counts = Pick<
  CustomerDataCounts,
  'orders' | 'waitingOrders' | 'airtableOrders' | 'airtableNumbers'
>

export type CustomerOrdersStore = ReturnType<typeof createCustomerOrdersStore>

/** The orders of a customer. */
export function createCustomerOrdersStore(
  db: Database,
  { traces }: { traces: Pick<CustomerTraces, 'remove'> },
) {
  const ofPharmacy = (tx: Database, pharmacyId: string, of: OrdersOfCustomer) =>
    tx
      .selectFrom('pharmacy_orders as record')
      .innerJoin('pharmacies', 'pharmacies.id', 'record.pharmacy_id')
      .innerJoin('order_search as search', (join) =>
        join
          .onRef('search.pharmacy_id', '=', 'record.pharmacy_id')
          .onRef('search.order_id', '=', 'record.id'),
      )
      .where('record.pharmacy_id', '=', pharmacyId)
      .where(isOfCustomer(of))

  return {
    /** @param maxNumbers the most numbers of orders in Airtable */
    async count(pharmacyId: string, of: OrdersOfCustomer, maxNumbers: number): Promise<Counts> {
      const rows = await ofPharmacy(db, pharmacyId, of)
        .select(['record.order_number', 'record.status', isInDatabaseOnly.as('isHere')])
        .orderBy('record.airtable_created', 'desc')
        .execute()
      const here = rows.filter(({ isHere }) => isHere)
      const inAirtable = rows.filter(({ isHere }) => !isHere)
      return {
        orders: here.length,
        waitingOrders: here.filter(({ status }) => status === 'In attesa').length,
        airtableOrders: inAirtable.length,
        airtableNumbers: inAirtable
          .flatMap(({ order_number: number }) => number ?? [])
          .slice(0, maxNumbers),
      }
    },

    /** Newest first. */
    async copy(pharmacyId: string, of: OrdersOfCustomer): Promise<CustomerDataCopy['orders']> {
      const rows = await ofPharmacy(db, pharmacyId, of)
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
          sql<boolean>`not ${isInDatabaseOnly}`.as('isInAirtable'),
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
      return rows
    },

    /**
     * Anonymizes the orders that are in the database only.
     *
     * @param tx a transaction that has locked the pharmacy
     * @param before only those that are older (ISO 8601); undefined: all
     */
    async erase(
      tx: Database,
      pharmacyId: string,
      of: OrdersOfCustomer,
      before: string | undefined,
    ): Promise<AnonymizedOrder[]> {
      const orders = await ofPharmacy(tx, pharmacyId, of)
        .select(['record.id', 'record.airtable_order_id as recordId'])
        .where(isInDatabaseOnly)
        .$if(before !== undefined, (query) =>
          query.where(sql<boolean>`record.airtable_created < ${before}::timestamptz`),
        )
        .orderBy(lockOrder)
        .forUpdate('record')
        .execute()
      if (orders.length > 0) await anonymizeOrders(tx, pharmacyId, orders, traces)
      return orders
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

/** `record` and `search` are the aliases of `pharmacy_orders` and `order_search`. */
function isOfCustomer({ customer, orderIds }: OrdersOfCustomer): RawBuilder<boolean> {
  return sql<boolean>`(record.id = any(${orderIds}::bigint[])
    or record.wa_id = ${customer.phone.slice(1)}
    or ${hasNumber(sql.ref('record.customer_phone'), sql.ref('search.phone_key'), customer)})`
}
