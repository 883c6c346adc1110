import type { OrderRecord, OrderSort, OrderStatus } from '@bancone/contract/orders'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { orderRecord, recordColumns } from '../order-rows.ts'
import { filteredOrders, sorting } from '../search/filtered-orders.store.ts'
import type { ResolvedFilter } from '../search/order-filter.rules.ts'

/** Number of orders that are read, written and sent together. */
export const BATCH_SIZE = 500

/** Ids of a batch of orders, as a PostgreSQL array literal. */
export type IdBatch = string

export type OrderExportRowsStore = ReturnType<typeof createOrderExportRowsStore>

export function createOrderExportRowsStore(db: Database) {
  return {
    /**
     * Selects all orders in batches; the last one may be smaller. They are selected once and then read by id: an
     * order that moves in the list meanwhile is in the file once, and the search is not repeated for every batch. A
     * million ids take 8 MB.
     */
    async selectBatches(
      pharmacyId: string,
      filter: ResolvedFilter,
      sort: OrderSort,
    ): Promise<IdBatch[]> {
      const chosen = filteredOrders(db, pharmacyId, filter).select('id').orderBy(sorting[sort])
      const { rows } = await sql<{ ids: IdBatch }>`
        select array_agg(id order by place)::text as ids
        from unnest(array(${chosen})) with ordinality as chosen(id, place)
        group by (place - 1) / ${BATCH_SIZE}::bigint
        order by min(place)`.execute(db)
      return rows.map(({ ids }) => ids)
    },

    async count(pharmacyId: string, filter: ResolvedFilter): Promise<number> {
      const row = await db
        .selectFrom(filteredOrders(db, pharmacyId, filter).select('id').as('chosen'))
        .select((chosen) => chosen.fn.countAll<string>().as('orders'))
        .executeTakeFirstOrThrow()
      return Number(row.orders)
    },

    /** The orders of the batch that still exist, and still have one of the statuses. */
    async read(
      pharmacyId: string,
      batch: IdBatch,
      statuses: readonly OrderStatus[] | undefined,
    ): Promise<OrderRecord[]> {
      let select = db
        .selectFrom('pharmacy_orders')
        .innerJoin(
          sql<{
            order_id: string
            place: string
          }>`unnest(${batch}::bigint[]) with ordinality`.as<'chosen'>(sql`chosen(order_id, place)`),
          'chosen.order_id',
          'pharmacy_orders.id',
        )
        .select(recordColumns)
        .where('pharmacy_id', '=', pharmacyId)
        .orderBy('chosen.place')
      if (statuses) select = select.where('status', 'in', statuses)
      return (await select.execute()).map(orderRecord)
    },
  }
}
