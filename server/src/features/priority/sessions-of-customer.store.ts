import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { type CustomerWithOrders, mayHaveNumber, withNumber } from '../../platform/customers.ts'

export type SessionsOfCustomerStore = ReturnType<typeof createSessionsOfCustomerStore>

/** The priority sessions of a customer, as long as they have the customer's data. */
export function createSessionsOfCustomerStore(db: Database) {
  /** @param before only sessions that are older (ISO 8601); undefined: all */
  async function find(
    tx: Database,
    pharmacyId: string,
    customer: CustomerWithOrders,
    before?: string,
  ): Promise<string[]> {
    const isOfOrder = sql<boolean>`airtable_order_id = any(${customer.recordIds}::text[])`
    const rows = await tx
      .selectFrom('priority_access_sessions')
      .select(['id', 'user_phone', isOfOrder.as('isOfOrder')])
      .where('pharmacy_id', '=', pharmacyId)
      .where(sql<boolean>`num_nonnulls(user_name, user_phone, place, previous) > 0`)
      .where(({ or }) => or([isOfOrder, mayHaveNumber(sql.ref('user_phone'), customer)]))
      .$if(before !== undefined, (query) =>
        query.where(sql<boolean>`issued_at < ${before}::timestamptz`),
      )
      .execute()
    const numbered = new Set(await withNumber(rows, (row) => row.user_phone, customer))
    return rows.filter((row) => row.isOfOrder || numbered.has(row)).map(({ id }) => id)
  }

  return {
    async count(tx: Database, pharmacyId: string, customer: CustomerWithOrders): Promise<number> {
      return (await find(tx, pharmacyId, customer)).length
    },

    /** Newest first. */
    async copy(pharmacyId: string, customer: CustomerWithOrders) {
      const ids = await find(db, pharmacyId, customer)
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
        .where(sql<boolean>`id = any(${ids}::uuid[])`)
        .orderBy('issued_at', 'desc')
        .execute()
    },

    /**
     * Empties the name, the number and what the customer wrote. A session that is open ends.
     *
     * @param before only sessions that are older (ISO 8601); undefined: all
     * @returns the number of sessions
     */
    async erase(
      tx: Database,
      pharmacyId: string,
      customer: CustomerWithOrders,
      before: string | undefined,
    ): Promise<number> {
      const ids = await find(tx, pharmacyId, customer, before)
      const update = tx
        .updateTable('priority_access_sessions')
        .where('pharmacy_id', '=', pharmacyId)
        .where(sql<boolean>`id = any(${ids}::uuid[])`)
      await update
        .set({
          ended_at: sql<string>`now()`,
          status: sql<string>`case status
            when 'user_arrived' then 'no_show' when 'called' then 'served' else 'expired' end`,
          version: sql<number>`version + 1`,
          changed_from: 'system',
          changed_by: null,
        })
        .where('ended_at', 'is', null)
        .execute()
      // Later: a change of the status notes the state before it in `previous`.
      await update.set({ user_name: null, user_phone: null, place: null, previous: null }).execute()
      return ids.length
    },

    /** The telephone numbers of a pharmacy's sessions, as they are written. */
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
