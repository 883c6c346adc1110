import { SourceFailure } from '@bancone/contract/order-health'
import { MAX_RECORD_IDS, type UnseenOrders } from '@bancone/contract/orders'
import { sql } from 'kysely'
import { z } from 'zod'
import { compiledQuery } from '../../../database/compiled-query.ts'
import type { Database } from '../../../database/database.ts'
import { createBatchedLoad } from '../../../platform/batches.ts'
import { lockOrder } from '../records/order-locks.store.ts'
import { orderRecord, recordColumns } from '../records/order-rows.ts'
import { type CopyStatus, nothingCopied, type OrderCounts } from '../records/orders.rules.ts'

/** Totals of a pharmacy's orders, the number of unseen ones, and a version that increases with every change. */
export type OrdersState = {
  counts: OrderCounts
  unseen: number
  version: string
  /** Null where nothing is to be collected, or the pharmacy has chosen none. */
  overdueDays: number | null
}

/** The position in the list of all orders, newest first, after which the next batch begins. */
export type ListCursor = { created: string; id: string }

const Trouble = z.nullable(SourceFailure).catch(null)

export type OrdersStore = ReturnType<typeof createOrdersStore>

const overdueDays = sql<number | null>`case when counts.to_collect > 0 then (
  select overdue_days from order_pickup_settings as settings where settings.pharmacy_id = counts.pharmacy_id
) end`.as('overdue_days')

const selectStates = compiledQuery((db: Database, pharmacyIds: readonly string[]) =>
  db
    .selectFrom('pharmacy_order_counts as counts')
    .select('counts.pharmacy_id')
    .select(countColumns)
    .select(overdueDays)
    .where(sql<boolean>`counts.pharmacy_id = any(${pharmacyIds}::uuid[])`),
)

const selectStatesOfCopies = compiledQuery((db: Database, pharmacyIds: readonly string[]) =>
  db
    .selectFrom('pharmacies as pharmacy')
    .leftJoin('pharmacy_order_counts as counts', 'counts.pharmacy_id', 'pharmacy.id')
    .leftJoin('order_copies as copy', 'copy.pharmacy_id', 'pharmacy.id')
    .select('pharmacy.id as pharmacy_id')
    .select(countColumns)
    .select(overdueDays)
    .select(['copy.read_at', 'copy.last_error', 'copy.missing_columns'])
    .select((of) => [
      of
        .selectFrom('order_changes')
        .select((change) => change.fn.countAll<string>().as('changes'))
        .whereRef('pharmacy_id', '=', 'pharmacy.id')
        .as('changes'),
      of
        .selectFrom('order_creations')
        .select((creation) => creation.fn.countAll<string>().as('creations'))
        .whereRef('pharmacy_id', '=', 'pharmacy.id')
        .where('kept_here', '=', false)
        .as('creations'),
      of
        .selectFrom('order_set_aside')
        .select((record) => record.fn.countAll<string>().as('records'))
        .whereRef('pharmacy_id', '=', 'pharmacy.id')
        .as('set_aside'),
      of
        .selectFrom('order_notices')
        .select((notice) => notice.fn.countAll<string>().as('notices'))
        .whereRef('pharmacy_id', '=', 'pharmacy.id')
        .as('notices'),
    ])
    .where(sql<boolean>`pharmacy.id = any(${pharmacyIds}::uuid[])`),
)

const selectUnseen = compiledQuery((db: Database, pharmacyId: string) =>
  db
    .selectFrom('pharmacy_orders as record')
    .leftJoin('order_aliases as former', (join) =>
      join
        .onRef('former.pharmacy_id', '=', 'record.pharmacy_id')
        .onRef('former.record_id', '=', 'record.airtable_order_id'),
    )
    .select(['record.airtable_order_id', 'former.alias'])
    .where('record.pharmacy_id', '=', pharmacyId)
    .where('record.seen_at', 'is', null)
    .orderBy('record.id', 'desc')
    .limit(MAX_RECORD_IDS),
)

/** Reads `pharmacy_orders` for the screens, and marks orders as seen. */
export function createOrdersStore(db: Database) {
  const states = createBatchedLoad<OrdersState>(async (pharmacyIds) => {
    const rows = await selectStates(db, pharmacyIds)
    return new Map(rows.map((row) => [row.pharmacy_id, ordersState(row)]))
  })

  const statesOfCopies = createBatchedLoad(async (pharmacyIds) => {
    const rows = await selectStatesOfCopies(db, pharmacyIds)
    return new Map(
      rows.map((row) => [row.pharmacy_id, { state: ordersState(row), copied: copyStatus(row) }]),
    )
  })

  return {
    async state(pharmacyId: string): Promise<OrdersState> {
      return (await states(pharmacyId)) ?? ordersState()
    },

    /** The same, and the state of the copy: in one statement with a few index lookups, because every page needs it. */
    async stateOfCopy(pharmacyId: string): Promise<{ state: OrdersState; copied: CopyStatus }> {
      const found = await statesOfCopies(pharmacyId)
      return found ?? { state: ordersState(), copied: nothingCopied }
    },

    /** Record ids of the newest unseen orders, and the ids that they had before they got one from the source. */
    async unseen(pharmacyId: string): Promise<Omit<UnseenOrders, 'count'>> {
      const rows = await selectUnseen(db, pharmacyId)
      const formerly = rows.flatMap((row) =>
        row.alias === null ? [] : [[row.airtable_order_id, row.alias] as const],
      )
      return {
        recordIds: rows.map((row) => row.airtable_order_id),
        ...(formerly.length > 0 && { formerly: Object.fromEntries(formerly) }),
      }
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
    async listAfter(pharmacyId: string, place: ListCursor | null, most: number) {
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
  'counts.to_collect',
  'counts.last_order_seq',
  'counts.version',
] as const

type CountsRow = Awaited<ReturnType<typeof selectStatesOfCopies>>[number]

function copyStatus(row: CountsRow): CopyStatus {
  return {
    readAt: row.read_at,
    trouble: Trouble.parse(row.last_error),
    missingColumns: row.missing_columns ?? [],
    pendingChanges: Number(row.changes) + Number(row.creations),
    setAside: Number(row.set_aside),
    notices: Number(row.notices),
  }
}

/** Without a row, or with nulls, the pharmacy has never had an order. */
function ordersState(
  row?: Awaited<ReturnType<typeof selectStates>>[number] | CountsRow,
): OrdersState {
  return {
    counts: {
      total: row?.total ?? 0,
      byStatus: {
        'In attesa': row?.pending ?? 0,
        Confermato: row?.confirmed ?? 0,
        'Prenotato in Giornata': row?.booked_today ?? 0,
        'Prenotato Domani': row?.booked_tomorrow ?? 0,
        Annullato: row?.cancelled ?? 0,
      },
      toCollect: row?.to_collect ?? 0,
      lastOrderId: row?.last_order_seq ? Number(row.last_order_seq) : null,
    },
    unseen: row?.unseen ?? 0,
    version: row?.version ?? '0',
    overdueDays: row?.overdue_days ?? null,
  }
}
