import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { SourceLocation, SourceOrder } from '../../ports/order-source.ts'
import { copiedColumns, type OrderRow, orderRow } from './order-rows.ts'

/** Where the reading of a table stands, and when the store last answered and last did not. */
export type CopyState = {
  changedUntil: string | null
  readAt: string | null
  failedAt: string | null
}

const LEASE_SECONDS = 30

export type OrderCopyStore = ReturnType<typeof createOrderCopyStore>

/** What the reading of the order store writes: `pharmacy_orders`, `order_copies` and the leases. */
export function createOrderCopyStore(db: Database) {
  return {
    /**
     * Takes or renews the right to read a base, for 30 seconds.
     * @param holder one reading, not one process: each ends its own lease only
     * @returns the database's time, or undefined while another reading has it
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

    /** Of another table than last time, nothing is known. */
    async copyState(pharmacyId: string, location: SourceLocation): Promise<CopyState> {
      const row = await db
        .selectFrom('order_copies')
        .select(['changed_until', 'read_at', 'failed_at'])
        .where('pharmacy_id', '=', pharmacyId)
        .where('base_id', '=', location.baseId)
        .where('table_id', '=', location.tableId)
        .executeTakeFirst()
      return {
        changedUntil: row?.changed_until ?? null,
        readAt: row?.read_at ?? null,
        failedAt: row?.failed_at ?? null,
      }
    },

    /**
     * Writes what was read, and only what differs. A status that was changed here after the reading
     * began, or that has not reached the store yet, stays.
     * @returns how many orders were new or different
     */
    async saveOrders(pharmacyId: string, orders: SourceOrder[], readSince: string) {
      if (orders.length === 0) return 0
      const newest = new Map(orders.map((order) => [order.recordId, orderRow(order)]))
      const saved = await db
        .insertInto('pharmacy_orders')
        .columns(['pharmacy_id', ...incomingColumns])
        .expression((from) =>
          from
            .selectFrom(incomingRows([...newest.values()]))
            .select(sql<string>`${pharmacyId}::uuid`.as('pharmacy_id'))
            .select(incomingColumns),
        )
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

    /**
     * The table has been read to its end.
     * @param state `began` is where the reading began: if the copy has been set back since, because a
     * change was undone, it stays there
     */
    async markRead(
      pharmacyId: string,
      location: SourceLocation,
      state: { began: string | null; changedUntil: string | null; readAt: string },
    ): Promise<void> {
      const values = {
        base_id: location.baseId,
        table_id: location.tableId,
        changed_until: state.changedUntil,
        read_at: state.readAt,
        failed_at: null,
      }
      const setBack = sql<string | null>`case
        when order_copies.changed_until < ${state.began}::timestamptz
        then order_copies.changed_until else excluded.changed_until end`
      await db
        .insertInto('order_copies')
        .values({ pharmacy_id: pharmacyId, ...values })
        .onConflict((conflict) =>
          conflict.column('pharmacy_id').doUpdateSet({ ...values, changed_until: setBack }),
        )
        .execute()
    },

    async markFailed(pharmacyId: string, { baseId, tableId }: SourceLocation): Promise<void> {
      const failed_at = sql<string>`clock_timestamp()`
      await db
        .insertInto('order_copies')
        .values({ pharmacy_id: pharmacyId, base_id: baseId, table_id: tableId, failed_at })
        .onConflict((conflict) => conflict.column('pharmacy_id').doUpdateSet({ failed_at }))
        .execute()
    },
  }
}

const leaseEnd = sql<string>`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`

const incomingColumns = ['airtable_order_id', 'status', ...copiedColumns] as const

/** The rows as one value, so that it is one statement to PostgreSQL however many there are. */
function incomingRows(rows: OrderRow[]) {
  const json = JSON.stringify(rows)
  return sql<OrderRow>`jsonb_to_recordset(${json}::jsonb)`.as<'incoming'>(sql`incoming (
    airtable_order_id text, status text, order_number text, wa_id text, customer_name text,
    customer_phone text, order_details text, address text, image_url text, pharma_wa text,
    airtable_created timestamptz, airtable_last timestamptz
  )`)
}

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
