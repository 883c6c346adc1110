import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'

/** Milliseconds between two readings of a store that nobody asked for. */
export type PollIntervals = {
  /** While a screen shows the orders. */
  watched: number
  /** While nobody looks, and somebody wants to be told of new ones. */
  unwatched: number
  /** The longest while the store fails. */
  longest: number
}

export type DuePoll = { pharmacyId: string; location: SourceLocation; sweepIsDue: boolean }

export type OrderPollsStore = ReturnType<typeof createOrderPollsStore>

/** When each store is next read by itself. */
export function createOrderPollsStore(db: Database) {
  return {
    /**
     * A screen shows these orders, and will for a while. Whoever has just begun to look reads the store
     * themselves, so that the next reading is an interval away.
     */
    async watch(
      pharmacyId: string,
      { baseId, tableId }: SourceLocation,
      { forMs, firstMs }: { forMs: number; firstMs: number },
    ): Promise<void> {
      await db
        .insertInto('order_copies')
        .values({
          pharmacy_id: pharmacyId,
          base_id: baseId,
          table_id: tableId,
          watched_until: inMs(forMs),
          poll_at: inMs(firstMs),
        })
        .onConflict((conflict) =>
          conflict.column('pharmacy_id').doUpdateSet({
            watched_until: sql<string>`excluded.watched_until`,
            poll_at: sql<string>`case
              when order_copies.watched_until > now()
                or (order_copies.failures > 0 and order_copies.poll_at > now())
              then order_copies.poll_at else excluded.poll_at end`,
          }),
        )
        .execute()
    },

    /**
     * The stores that are due, most overdue first; no other process gets the same, and they are due again
     * after their interval, whatever becomes of this one.
     */
    async claim(most: number, intervals: PollIntervals): Promise<DuePoll[]> {
      const { rows } = await sql<{
        pharmacy_id: string
        base_id: string
        table_id: string
        sweep_is_due: boolean
      }>`
        update order_copies as copy set poll_at = clock_timestamp()
          + make_interval(secs => case when due.is_often then ${seconds(intervals.watched)}::float8
            else ${seconds(intervals.unwatched)}::float8 end)
        from (
          select c.pharmacy_id, p.airtable_base_id as base_id, p.airtable_table_id as table_id,
            -- Without that column a table is read whole each time.
            coalesce(c.watched_until > now(), false)
              and not 'Last' = any(coalesce(c.missing_columns, '{}')) as is_often,
            c.sweep_at <= now() as sweep_is_due
          from order_copies c join pharmacies p on p.id = c.pharmacy_id
          where c.poll_at <= now()
            and p.is_active and not p.use_supabase_orders
            and p.airtable_base_id <> '' and p.airtable_table_id <> ''
            and (
              c.watched_until > now()
              or exists (select from push_subscriptions s where s.pharmacy_id = c.pharmacy_id)
            )
          order by c.poll_at
          limit ${most}
          for update of c skip locked
        ) due
        where copy.pharmacy_id = due.pharmacy_id
        returning copy.pharmacy_id, due.base_id, due.table_id, due.sweep_is_due
      `.execute(db)
      return rows.map((row) => ({
        pharmacyId: row.pharmacy_id,
        location: { baseId: row.base_id, tableId: row.table_id },
        sweepIsDue: row.sweep_is_due,
      }))
    },

    /** The store failed: each time it is left alone for twice as long as before. */
    async postpone(pharmacyId: string, { watched, longest }: PollIntervals): Promise<void> {
      const pause = sql`least(
        ${seconds(longest)}::float8, ${seconds(watched)}::float8 * 2 ^ least(failures + 1, 20)
      )`
      await db
        .updateTable('order_copies')
        .set({
          failures: sql<number>`failures + 1`,
          poll_at: sql<string>`greatest(poll_at, clock_timestamp() + make_interval(secs => ${pause}))`,
        })
        .where('pharmacy_id', '=', pharmacyId)
        .execute()
    },
  }
}

function inMs(milliseconds: number) {
  return sql<string>`clock_timestamp() + make_interval(secs => ${seconds(milliseconds)}::float8)`
}

const seconds = (milliseconds: number) => milliseconds / 1_000
