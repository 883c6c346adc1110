import { SourceFailure } from '@bancone/contract/order-health'
import { MAX_RECORD_IDS, type OrderStatus } from '@bancone/contract/orders'
import type { PageQuery } from '@bancone/contract/paging'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { lockOrder } from './copy/order-upsert.store.ts'
import { orderRecord, recordColumns, type StoredRecord } from './order-rows.ts'
import { type CopyStatus, noOrders, nothingCopied, type OrderCounts } from './orders.rules.ts'

/** Totals of a pharmacy's orders, the number of unseen ones, and a version that increases with every change. */
export type OrdersState = { counts: OrderCounts; unseen: number; version: string }

/** The position in the list of all orders, newest first, after which the next batch begins. */
export type ListCursor = { created: string; id: string }

const Trouble = SourceFailure.nullable().catch(null)

export type OrdersStore = ReturnType<typeof createOrdersStore>

/** Reads `pharmacy_orders` for the screens, and marks orders as seen. */
export function createOrdersStore(db: Database) {
  return {
    /** A page of all orders, newest first. */
    async page(pharmacyId: string, { page, pageSize }: PageQuery): Promise<StoredRecord[]> {
      const rows = await db
        .selectFrom('pharmacy_orders')
        .select(recordColumns)
        .where('pharmacy_id', '=', pharmacyId)
        .orderBy('airtable_created', 'desc')
        .orderBy('id', 'desc')
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute()
      return rows.map(orderRecord)
    },

    async state(pharmacyId: string): Promise<OrdersState> {
      const row = await db
        .selectFrom('pharmacy_order_counts as counts')
        .select(countColumns)
        .where('counts.pharmacy_id', '=', pharmacyId)
        .executeTakeFirst()
      return ordersState(row)
    },

    /** The same, and the state of the copy: one statement with a few index lookups, because every page needs it. */
    async stateOfCopy(pharmacyId: string): Promise<{ state: OrdersState; copied: CopyStatus }> {
      const row = await db
        .selectFrom('pharmacies as pharmacy')
        .leftJoin('pharmacy_order_counts as counts', 'counts.pharmacy_id', 'pharmacy.id')
        .leftJoin('order_copies as copy', 'copy.pharmacy_id', 'pharmacy.id')
        .select(countColumns)
        .select(['copy.read_at', 'copy.last_error', 'copy.missing_columns'])
        .select((of) => [
          of
            .selectFrom('order_changes')
            .select((change) => change.fn.countAll<string>().as('changes'))
            .where('pharmacy_id', '=', pharmacyId)
            .as('changes'),
          of
            .selectFrom('order_creations')
            .select((creation) => creation.fn.countAll<string>().as('creations'))
            .where('pharmacy_id', '=', pharmacyId)
            .where('kept_here', '=', false)
            .as('creations'),
          of
            .selectFrom('order_set_aside')
            .select((record) => record.fn.countAll<string>().as('records'))
            .where('pharmacy_id', '=', pharmacyId)
            .as('set_aside'),
          of
            .selectFrom('order_notices')
            .select((notice) => notice.fn.countAll<string>().as('notices'))
            .where('pharmacy_id', '=', pharmacyId)
            .as('notices'),
        ])
        .where('pharmacy.id', '=', pharmacyId)
        .executeTakeFirst()
      if (!row) return { state: ordersState(undefined), copied: nothingCopied }
      return {
        state: ordersState(row),
        copied: {
          readAt: row.read_at,
          trouble: Trouble.parse(row.last_error),
          missingColumns: row.missing_columns ?? [],
          pendingChanges: Number(row.changes) + Number(row.creations),
          setAside: Number(row.set_aside),
          notices: Number(row.notices),
        },
      }
    },

    /** The number of orders 'In attesa' created at this time or later: a few, unlike the late ones. */
    async countPendingSince(pharmacyId: string, since: string): Promise<number> {
      const pending: OrderStatus = 'In attesa'
      const row = await db
        .selectFrom('pharmacy_orders')
        .select((order) => order.fn.countAll<string>().as('orders'))
        .where('pharmacy_id', '=', pharmacyId)
        .where('status', '=', pending)
        .where('airtable_created', '>=', sql<string>`${since}::timestamptz`)
        .executeTakeFirstOrThrow()
      return Number(row.orders)
    },

    /** Record ids of the newest unseen orders. */
    async unseen(pharmacyId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('pharmacy_orders')
        .select('airtable_order_id')
        .where('pharmacy_id', '=', pharmacyId)
        .where('seen_at', 'is', null)
        .orderBy('id', 'desc')
        .limit(MAX_RECORD_IDS)
        .execute()
      return rows.map((row) => row.airtable_order_id)
    },

    /** The record ids that orders had before they got one from the source. */
    async formerIds(
      pharmacyId: string,
      recordIds: readonly string[],
    ): Promise<Record<string, string>> {
      const rows = await db
        .selectFrom('order_aliases')
        .select(['record_id', 'alias'])
        .where('pharmacy_id', '=', pharmacyId)
        .where(sql<boolean>`record_id = any(${recordIds}::text[])`)
        .execute()
      return Object.fromEntries(rows.map((row) => [row.record_id, row.alias]))
    },

    /** Marks the new ones of them as seen. */
    async markSeen(pharmacyId: string, recordIds: readonly string[]): Promise<void> {
      const locked = db
        .selectFrom('pharmacy_orders')
        .select('id')
        .where('pharmacy_id', '=', pharmacyId)
        .where(
          sql<boolean>`airtable_order_id = any(${recordIds}::text[] || array(
            select record_id from order_aliases
            where pharmacy_id = ${pharmacyId} and alias = any(${recordIds}::text[])
          ))`,
        )
        .where('seen_at', 'is', null)
        .orderBy(lockOrder)
        .forUpdate()
      await db
        .updateTable('pharmacy_orders')
        .set({ seen_at: sql<string>`clock_timestamp()` })
        .where(sql<boolean>`id = any(array(${locked}))`)
        .execute()
    },

    /**
     * The orders after the cursor, newest first. The whole list is read in batches, without a database cursor that
     * would occupy a connection.
     */
    async listAfter(
      pharmacyId: string,
      place: ListCursor | null,
      most: number,
    ): Promise<{ records: StoredRecord[]; place: ListCursor | null }> {
      let select = db
        .selectFrom('pharmacy_orders')
        .select(recordColumns)
        // With microseconds; the time in a record has milliseconds only.
        .select(sql<string>`airtable_created::text`.as('exact_created'))
        .where('pharmacy_id', '=', pharmacyId)
        .orderBy('airtable_created', 'desc')
        .orderBy('id', 'desc')
        .limit(most)
      if (place) {
        select = select.where(
          sql<boolean>`(airtable_created, id) < (${place.created}::timestamptz, ${place.id}::bigint)`,
        )
      }
      const rows = await select.execute()
      const last = rows.length === most ? rows.at(-1) : undefined
      return {
        records: rows.map(orderRecord),
        place: last ? { created: last.exact_created, id: last.id } : null,
      }
    },
  }
}

const countColumns = [
  'counts.total',
  'counts.pending',
  'counts.confirmed',
  'counts.booked_today',
  'counts.booked_tomorrow',
  'counts.cancelled',
  'counts.unseen',
  'counts.last_order_seq',
  'counts.version',
] as const

type CountsRow = {
  total: number | null
  pending: number | null
  confirmed: number | null
  booked_today: number | null
  booked_tomorrow: number | null
  cancelled: number | null
  unseen: number | null
  last_order_seq: string | null
  version: string | null
}

/** Without a row, or with nulls, the pharmacy has never had an order. */
function ordersState(row: CountsRow | undefined): OrdersState {
  if (!row || row.version === null) return { counts: noOrders, unseen: 0, version: '0' }
  return {
    counts: {
      total: row.total ?? 0,
      pending: row.pending ?? 0,
      confirmed: row.confirmed ?? 0,
      bookedToday: row.booked_today ?? 0,
      bookedTomorrow: row.booked_tomorrow ?? 0,
      cancelled: row.cancelled ?? 0,
      lastOrderId: row.last_order_seq === null ? null : Number(row.last_order_seq),
    },
    unseen: row.unseen ?? 0,
    version: row.version,
  }
}
