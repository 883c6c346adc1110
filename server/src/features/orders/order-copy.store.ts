import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { SourceErrorKind, SourceLocation, SourceOrder } from '../../ports/order-source.ts'
import { copiedColumns, orderRow } from './order-rows.ts'

export type CopyState = { changedUntil: string | null; readAt: string | null }

const LEASE_SECONDS = 30

export type OrderCopyStore = ReturnType<typeof createOrderCopyStore>

/** What the reading of the order store writes: `pharmacy_orders`, `order_copies` and the leases. */
export function createOrderCopyStore(db: Database) {
  return {
    /**
     * Takes or renews the right to read a base, for 30 seconds.
     * @returns the database's time, or undefined while another process has it
     */
    async takeLease(baseId: string, holder: string): Promise<string | undefined> {
      const row = await db
        .insertInto('order_source_leases')
        .values({ base_id: baseId, holder, leased_until: leaseEnd })
        .onConflict((conflict) =>
          conflict
            .column('base_id')
            .doUpdateSet({ holder, leased_until: leaseEnd })
            .where((is) =>
              is.or([
                is('order_source_leases.holder', '=', holder),
                is('order_source_leases.leased_until', '<', sql<string>`clock_timestamp()`),
              ]),
            ),
        )
        .returning(sql<string>`clock_timestamp()`.as('now'))
        .executeTakeFirst()
      return row?.now
    },

    async endLease(baseId: string, holder: string): Promise<void> {
      await db
        .deleteFrom('order_source_leases')
        .where('base_id', '=', baseId)
        .where('holder', '=', holder)
        .execute()
    },

    /** Where the reading of that table stands; of another table than last time, nothing. */
    async copyState(pharmacyId: string, location: SourceLocation): Promise<CopyState> {
      const row = await db
        .selectFrom('order_copies')
        .select(['changed_until', 'read_at'])
        .where('pharmacy_id', '=', pharmacyId)
        .where('base_id', '=', location.baseId)
        .where('table_id', '=', location.tableId)
        .executeTakeFirst()
      return { changedUntil: row?.changed_until ?? null, readAt: row?.read_at ?? null }
    },

    /**
     * Writes what was read, and only what differs. A status that was changed here after the reading
     * began, or that has not reached the store yet, stays.
     * @returns how many orders were new or different
     */
    async saveOrders(pharmacyId: string, orders: SourceOrder[], readSince: string) {
      if (orders.length === 0) return 0
      const newest = new Map(orders.map((order) => [order.recordId, order]))
      const rows = [...newest.values()].map((order) => orderRow(pharmacyId, order))
      const saved = await db
        .insertInto('pharmacy_orders')
        .values(rows)
        .onConflict((conflict) =>
          conflict
            .constraint('pharmacy_orders__record_taken')
            .doUpdateSet((row) => ({
              order_number: row.ref('excluded.order_number'),
              wa_id: row.ref('excluded.wa_id'),
              customer_name: row.ref('excluded.customer_name'),
              customer_phone: row.ref('excluded.customer_phone'),
              order_details: row.ref('excluded.order_details'),
              address: row.ref('excluded.address'),
              status: incomingStatus(readSince),
              image_url: row.ref('excluded.image_url'),
              pharma_wa: row.ref('excluded.pharma_wa'),
              airtable_created: row.ref('excluded.airtable_created'),
              airtable_last: row.ref('excluded.airtable_last'),
            }))
            .where(differs(readSince)),
        )
        .returning('id')
        .execute()
      return saved.length
    },

    async markRead(
      pharmacyId: string,
      location: SourceLocation,
      state: { changedUntil: string | null; readAt: string },
    ): Promise<void> {
      const values = {
        base_id: location.baseId,
        table_id: location.tableId,
        changed_until: state.changedUntil,
        read_at: state.readAt,
        failed_at: null,
        failure: null,
      }
      await db
        .insertInto('order_copies')
        .values({ pharmacy_id: pharmacyId, ...values })
        .onConflict((conflict) => conflict.column('pharmacy_id').doUpdateSet(values))
        .execute()
    },

    async markFailed(pharmacyId: string, location: SourceLocation, failure: SourceErrorKind) {
      const values = { failed_at: sql<string>`clock_timestamp()`, failure }
      await db
        .insertInto('order_copies')
        .values({
          pharmacy_id: pharmacyId,
          base_id: location.baseId,
          table_id: location.tableId,
          ...values,
        })
        .onConflict((conflict) => conflict.column('pharmacy_id').doUpdateSet(values))
        .execute()
    },
  }
}

const leaseEnd = sql<string>`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`

function incomingStatus(readSince: string) {
  return sql<string>`case
    when pharmacy_orders.status_changed_at >= ${readSince}::timestamptz
      or exists (select from order_changes where order_id = pharmacy_orders.id)
    then pharmacy_orders.status else excluded.status end`
}

function differs(readSince: string) {
  const kept = sql.join(copiedColumns.map((column) => sql.ref(`pharmacy_orders.${column}`)))
  const incoming = sql.join(copiedColumns.map((column) => sql.ref(`excluded.${column}`)))
  return sql<boolean>`(${kept}, pharmacy_orders.status)
    is distinct from (${incoming}, ${incomingStatus(readSince)})`
}
