import type { OrderRecord, OrderSort, OrderStatus } from '@bancone/contract/orders'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { orderRecord, recordColumns } from '../order-rows.ts'
import type { Sought } from '../search/orders-sought.rules.ts'
import { sorting, soughtOrders } from '../search/sought-orders.store.ts'

/** Orders that are read, written and sent at once. */
export const PORTION = 500

/** Some orders by their ids, as PostgreSQL writes a list of them. */
export type Portion = string

export type OrderExportRowsStore = ReturnType<typeof createOrderExportRowsStore>

export function createOrderExportRowsStore(db: Database) {
  return {
    /**
     * All of them, in portions of which the last may be smaller. They are chosen once and read by their ids:
     * one that moves in the list meanwhile is in the file and there once, and no search is made again for
     * every portion. A million are 8 MB.
     */
    async choose(pharmacyId: string, sought: Sought, sort: OrderSort): Promise<Portion[]> {
      const chosen = soughtOrders(db, pharmacyId, sought).select('id').orderBy(sorting[sort])
      const { rows } = await sql<{ ids: Portion }>`
        select array_agg(id order by place)::text as ids
        from unnest(array(${chosen})) with ordinality as chosen(id, place)
        group by (place - 1) / ${PORTION}::bigint
        order by min(place)`.execute(db)
      return rows.map(({ ids }) => ids)
    },

    async count(pharmacyId: string, sought: Sought): Promise<number> {
      const row = await db
        .selectFrom(soughtOrders(db, pharmacyId, sought).select('id').as('chosen'))
        .select((chosen) => chosen.fn.countAll<string>().as('orders'))
        .executeTakeFirstOrThrow()
      return Number(row.orders)
    },

    /** Those of them that are still there, and still in one of the states. */
    async read(
      pharmacyId: string,
      portion: Portion,
      statuses: readonly OrderStatus[] | undefined,
    ): Promise<OrderRecord[]> {
      let select = db
        .selectFrom('pharmacy_orders')
        .innerJoin(
          sql<{
            order_id: string
            place: string
          }>`unnest(${portion}::bigint[]) with ordinality`.as<'chosen'>(
            sql`chosen(order_id, place)`,
          ),
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
