import type { CustomerDataCopy } from '@bancone/contract/customer-data'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { type Customer, hasNumber } from '../../platform/customers.ts'

export type CustomerVisitsStore = ReturnType<typeof createCustomerVisitsStore>

/** The visits with priority access of a customer, as long as they have the customer's data. */
export function createCustomerVisitsStore(db: Database) {
  return {
    async count(pharmacyId: string, customer: Customer): Promise<number> {
      const { visits } = await db
        .selectFrom('priority_access_sessions')
        .select(sql<number>`count(*)::int`.as('visits'))
        .where('pharmacy_id', '=', pharmacyId)
        .where(isOfCustomer(customer))
        .executeTakeFirstOrThrow()
      return visits
    },

    /** Newest first. */
    copy(pharmacyId: string, customer: Customer): Promise<CustomerDataCopy['visits']> {
      return db
        .selectFrom('priority_access_sessions')
        .select([
          'order_number as orderNumber',
          'user_name as name',
          'user_phone as phone',
          'place',
          'issued_at as issuedAt',
          'arrived_at as arrivedAt',
          'ended_at as endedAt',
        ])
        .where('pharmacy_id', '=', pharmacyId)
        .where(isOfCustomer(customer))
        .orderBy('issued_at', 'desc')
        .execute()
    },

    /**
     * Empties the name, the number and what the customer wrote. A visit that is open ends.
     *
     * @param before only visits that are older (ISO 8601); undefined: all
     * @returns the number of visits
     */
    async erase(
      tx: Database,
      pharmacyId: string,
      customer: Customer,
      before: string | undefined,
    ): Promise<number> {
      const { numUpdatedRows } = await tx
        .updateTable('priority_access_sessions')
        .set({
          user_name: null,
          user_phone: null,
          place: null,
          previous: null,
          ended_at: sql<string>`coalesce(ended_at, now())`,
          status: sql<string>`case
            when ended_at is not null then status
            when status = 'user_arrived' then 'no_show'
            when status = 'called' then 'served'
            else 'expired' end`,
          version: sql<number>`version + 1`,
          changed_from: 'system',
          changed_by: null,
        })
        .where('pharmacy_id', '=', pharmacyId)
        .where(isOfCustomer(customer))
        .$if(before !== undefined, (query) =>
          query.where(sql<boolean>`issued_at < ${before}::timestamptz`),
        )
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },

    /** The telephone numbers of a pharmacy's visits, as they are written. */
    async numbers(pharmacyId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('priority_access_sessions')
        .select('user_phone')
        .distinct()
        .where('pharmacy_id', '=', pharmacyId)
        .where('user_phone', 'is not', null)
        .execute()
      return rows.flatMap((row) => row.user_phone ?? [])
    },
  }
}

const isOfCustomer = (customer: Customer): RawBuilder<boolean> =>
  hasNumber(sql.ref('user_phone'), sql`order_phone_key(user_phone)`, customer)
