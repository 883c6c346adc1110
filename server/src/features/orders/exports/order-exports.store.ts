import { ExportFormat, OrderExport } from '@bancone/contract/order-exports'
import { OrdersSought } from '@bancone/contract/order-search'
import { OrderSort } from '@bancone/contract/orders'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Database } from '../../../database/database.ts'
import { lockPharmacy } from '../../../database/pharmacy-lock.ts'

/** Files of a pharmacy that are asked for or under way at once. */
const MOST_AT_ONCE = 3

/** Seconds after which one that nobody takes, or that does not move, is in nobody's way. */
export const IDLE_SECONDS = 120

/** Which orders are in a file, and in which order, as it is kept. */
const ExportSought = OrdersSought.extend({ ordina: OrderSort.optional() })
export type ExportSought = z.infer<typeof ExportSought>

export type OrderExportsStore = ReturnType<typeof createOrderExportsStore>

/** The only writer of `order_exports`. */
export function createOrderExportsStore(db: Database) {
  const own = (pharmacyId: string, id: string) => sql<boolean>`pharmacy_id = ${pharmacyId}
    and id = ${id} and (state <> 'ready' or created_at > now() - interval '1 hour')`

  return {
    /** @returns undefined when there are as many as there may be */
    async add(
      pharmacyId: string,
      asked: { format: ExportFormat; sought: ExportSought; total: number },
    ): Promise<OrderExport | undefined> {
      return db.transaction().execute(async (tx) => {
        // One after the other, or together they would be more than there may be.
        await lockPharmacy(tx, pharmacyId)
        const { others } = await tx
          .selectFrom('order_exports')
          .select((is) => is.fn.countAll<string>().as('others'))
          .where('pharmacy_id', '=', pharmacyId)
          .where('state', 'in', ['ready', 'running'])
          .where(sql<boolean>`moved_at > now() - make_interval(secs => ${IDLE_SECONDS})`)
          .executeTakeFirstOrThrow()
        if (Number(others) >= MOST_AT_ONCE) return undefined
        const row = await tx
          .insertInto('order_exports')
          .values({
            pharmacy_id: pharmacyId,
            format: asked.format,
            sought: JSON.stringify(asked.sought),
            total: asked.total,
          })
          .returning(exportColumns)
          .executeTakeFirstOrThrow()
        return orderExport(row)
      })
    },

    async find(pharmacyId: string, id: string): Promise<OrderExport | undefined> {
      const row = await db
        .selectFrom('order_exports')
        .select(exportColumns)
        .where(own(pharmacyId, id))
        .executeTakeFirst()
      return row && orderExport(row)
    },

    /** Only one of those who want it gets it. @returns which orders it is to hold */
    async begin(pharmacyId: string, id: string): Promise<ExportSought | undefined> {
      const row = await db
        .updateTable('order_exports')
        .set({ state: 'running', moved_at: clockTime })
        .where(own(pharmacyId, id))
        .where('state', '=', 'ready')
        .returning('sought')
        .executeTakeFirst()
      return row && ExportSought.parse(row.sought)
    },

    /** It is under way, and so far. @returns false when it is not any more: somebody gave it up */
    async move(pharmacyId: string, id: string, done: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('order_exports')
        .set({ done, total: sql<number>`greatest(total, ${done}::integer)`, moved_at: clockTime })
        .where(own(pharmacyId, id))
        .where('state', '=', 'running')
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** What was looked for is of no more use. @returns as `move` */
    async end(
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

    /** One that has ended stays as it is. @returns whether there is such a one */
    async cancel(pharmacyId: string, id: string): Promise<boolean> {
      const row = await db
        .updateTable('order_exports')
        .set({
          state: sql<string>`case when state in ('ready', 'running') then 'cancelled' else state end`,
          sought: '{}',
        })
        .where(own(pharmacyId, id))
        .returning('id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** @returns how many were forgotten */
    async forgetOld(): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('order_exports')
        .where(sql<boolean>`created_at < now() - interval '1 day'`)
        .where(sql<boolean>`moved_at < now() - interval '1 hour'`)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

const clockTime = sql<string>`clock_timestamp()`

/** A process that is at work says so every second: without a word for so long, it has died. */
const shownState: RawBuilder<string> = sql`case
  when state = 'running' and moved_at < now() - interval '30 seconds' then 'failed' else state end`

const exportColumns = [
  'id' as const,
  'format' as const,
  'total' as const,
  'done' as const,
  shownState.as('state'),
  sql<string>`to_char(created_at at time zone 'Europe/Rome', 'YYYY-MM-DD')`.as('day'),
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
