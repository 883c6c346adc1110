import { ExportFormat, OrderExport } from '@bancone/contract/order-exports'
import { OrdersSearchFilter } from '@bancone/contract/order-search'
import { OrderSort, type OrderStatus } from '@bancone/contract/orders'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import { lockPharmacy, requireRoom } from '../../../database/row-limit.ts'
import { orderRecord, recordColumns } from '../records/order-rows.ts'
import { filteredOrders, sorting } from '../search/filtered-orders.store.ts'
import type { ResolvedFilter } from '../search/order-filter.rules.ts'

export const EXPORT_CLEANUP_TASK = 'orders.exports.cleanup'

/** Maximum number of concurrent exports of a pharmacy, requested or running. */
const MAX_AT_ONCE = 3

/** Seconds after which an export that is not downloaded, or makes no progress, no longer counts. */
const IDLE_SECONDS = 120

/** Number of orders that are read, written and sent together. */
export const BATCH_SIZE = 500

/** Ids of a batch of orders, as a PostgreSQL array literal. */
export type IdBatch = string

/** The stored filter and sort order of an export. */
const ExportFilter = z.object({
  ...OrdersSearchFilter.shape,
  ordina: z.optional(OrderSort),
})
export type ExportFilter = z.infer<typeof ExportFilter>

export type OrderExportsStore = ReturnType<typeof createOrderExportsStore>

/** Exports, and the orders that are in them: the only writer of `order_exports`. */
export function createOrderExportsStore(db: Database) {
  const own = (pharmacyId: string, id: string) => sql<boolean>`pharmacy_id = ${pharmacyId}
    and id = ${id} and (state <> 'ready' or created_at > now() - interval '1 hour')`

  return {
    /** @throws AppError `exports.too_many` */
    async add(
      pharmacyId: string,
      exportRequest: { format: ExportFormat; filter: ExportFilter; total: number },
    ): Promise<OrderExport> {
      return db.transaction().execute(async (tx) => {
        // Serialized, so that concurrent requests respect the limit.
        await lockPharmacy(tx, pharmacyId)
        await requireRoom({
          rows: tx
            .selectFrom('order_exports')
            .where('pharmacy_id', '=', pharmacyId)
            .where('state', 'in', ['ready', 'running'])
            .where(sql<boolean>`moved_at > now() - make_interval(secs => ${IDLE_SECONDS})`),
          max: MAX_AT_ONCE,
          code: 'exports.too_many',
          retryAfter: IDLE_SECONDS,
        })
        const row = await tx
          .insertInto('order_exports')
          .values({
            pharmacy_id: pharmacyId,
            format: exportRequest.format,
            sought: JSON.stringify(exportRequest.filter),
            total: exportRequest.total,
          })
          .returning(exportColumns)
          .executeTakeFirstOrThrow()
        return orderExport(row)
      })
    },

    /** @throws AppError `exports.not_found` */
    async find(pharmacyId: string, id: string): Promise<OrderExport> {
      const row = await db
        .selectFrom('order_exports')
        .select(exportColumns)
        .where(own(pharmacyId, id))
        .executeTakeFirstOrThrow(() => new AppError('exports.not_found'))
      return orderExport(row)
    },

    /** Starts the export for one of possibly several callers. @returns its filter */
    async start(pharmacyId: string, id: string): Promise<ExportFilter | undefined> {
      const row = await db
        .updateTable('order_exports')
        .set({ state: 'running', moved_at: clockTime })
        .where(own(pharmacyId, id))
        .where('state', '=', 'ready')
        .returning('sought')
        .executeTakeFirst()
      return row && ExportFilter.parse(row.sought)
    },

    /** Updates the progress. @returns false when the export is not running any more, because it was cancelled */
    async updateProgress(pharmacyId: string, id: string, done: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('order_exports')
        .set({ done, total: sql<number>`greatest(total, ${done}::integer)`, moved_at: clockTime })
        .where(own(pharmacyId, id))
        .where('state', '=', 'running')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** Ends the export and deletes its filter. @returns false when it was not running any more */
    async finish(
      pharmacyId: string,
      id: string,
      { state, done }: { state: 'done' | 'cancelled' | 'failed'; done: number },
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('order_exports')
        .set({ state, done, sought: '{}', moved_at: clockTime })
        .$if(state === 'done', (update) => update.set({ total: done }))
        .where(own(pharmacyId, id))
        .where('state', '=', 'running')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** A finished export stays as it is. @throws AppError `exports.not_found` */
    async cancel(pharmacyId: string, id: string): Promise<void> {
      await db
        .updateTable('order_exports')
        .set({
          state: sql<string>`case when state in ('ready', 'running') then 'cancelled' else state end`,
          sought: '{}',
        })
        .where(own(pharmacyId, id))
        .returning('id')
        .executeTakeFirstOrThrow(() => new AppError('exports.not_found'))
    },

    /** @returns the number of deleted exports */
    async deleteOld(): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('order_exports')
        .where(sql<boolean>`created_at < now() - interval '1 day'`)
        .where(sql<boolean>`moved_at < now() - interval '1 hour'`)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },

    /**
     * Selects all orders in batches; the last one may be smaller. They are selected once and then read by id: an
     * order that moves in the list meanwhile is in the file once, and the search is not repeated for every batch. A
     * million ids take 8 MB.
     */
    async selectBatches(pharmacyId: string, filter: ResolvedFilter, sort: OrderSort) {
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
    async read(pharmacyId: string, batch: IdBatch, statuses: readonly OrderStatus[] | undefined) {
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

const clockTime = sql<string>`clock_timestamp()`

/** A running process updates the row every second. Without an update for this time it has died. */
const shownState: RawBuilder<string> = sql`case
  when state = 'running' and moved_at < now() - interval '30 seconds' then 'failed' else state end`

const exportColumns = [
  'id' as const,
  'format' as const,
  'total' as const,
  'done' as const,
  shownState.as('state'),
  sql<string>`rome_day(created_at)::text`.as('day'),
] as const

type ExportRow = {
  id: string
  format: string
  total: number
  done: number
  state: string
  day: string
}

function orderExport({ day, ...row }: ExportRow): OrderExport {
  const format = ExportFormat.parse(row.format)
  return OrderExport.parse({ ...row, fileName: `ordini-${day}.${format}` })
}
