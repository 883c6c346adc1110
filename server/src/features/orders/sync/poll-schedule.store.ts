import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { isReported } from '../../../database/reported-tables.ts'
import type { Audit } from '../../../platform/audit.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { noHooks } from '../records/order-hooks.ts'
import { createOrderCopyStore, inMs, soonAfter } from './order-copy.store.ts'

/** Poll intervals in milliseconds. */
export type PollIntervals = {
  /** While a screen shows the orders. */
  watchedMs: number
  /** While no screen shows them, but a device has a push subscription. */
  unwatchedMs: number
  /** While the base reports its changes itself. */
  reportedMs: number
  /** Maximum interval while the source fails. */
  maxMs: number
}

/** For how long a screen that shows the orders has them polled often, and when first. */
export type PollsOfScreen = { forMs: number; firstPollMs: number }

export type DuePoll = { pharmacyId: string; location: SourceLocation; sweepIsDue: boolean }

/** Until a reported change is read that had to wait for other readings of the base. */
const RETRY_MS = 2_000

export type PollScheduleStore = ReturnType<typeof createPollScheduleStore>

/** When each source is polled next. */
export function createPollScheduleStore(db: Database) {
  return {
    /**
     * Marks the orders as shown on a screen for some time. The first page request reads the source itself, so the
     * first poll is one interval later.
     */
    async markWatched(
      pharmacyId: string,
      { baseId, tableId }: SourceLocation,
      { forMs, firstPollMs }: PollsOfScreen,
    ): Promise<void> {
      await db
        .insertInto('order_copies')
        .values({
          pharmacy_id: pharmacyId,
          base_id: baseId,
          table_id: tableId,
          watched_until: inMs(forMs),
          poll_at: inMs(firstPollMs),
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
     * Claims the polls that are due, most overdue first. No other process gets the same ones, and they are due again
     * after their interval, whatever the outcome.
     */
    async claim(limit: number, intervals: PollIntervals): Promise<DuePoll[]> {
      const { rows } = await sql<{
        pharmacy_id: string
        base_id: string
        table_id: string
        sweep_is_due: boolean
      }>`
        update order_copies as copy set poll_at = clock_timestamp()
          + make_interval(secs => case
            when due.is_reported then ${seconds(intervals.reportedMs)}::float8
            when due.is_often then ${seconds(intervals.watchedMs)}::float8
            else ${seconds(intervals.unwatchedMs)}::float8 end)
        from (
          select c.pharmacy_id, p.airtable_base_id as base_id, p.airtable_table_id as table_id,
            -- Without that column a table is read whole each time.
            coalesce(c.watched_until > now(), false)
              and not 'Last' = any(coalesce(c.missing_columns, '{}')) as is_often,
            ${isReported('p.airtable_base_id', 'p.airtable_table_id')} as is_reported,
            c.sweep_at <= now() as sweep_is_due
          from order_copies c join pharmacies p on p.id = c.pharmacy_id
          where c.poll_at <= now()
            and p.is_active and p.deleted_at is null and p.orders_phase <> 'retired'
            and p.airtable_base_id <> '' and p.airtable_table_id <> ''
            and (
              c.watched_until > now()
              -- No page waits for what is written into Airtable then: it has to be fetched.
              or p.orders_phase in ('shadow', 'database')
              or exists (select from push_subscriptions s where s.pharmacy_id = c.pharmacy_id)
            )
          order by c.poll_at
          limit ${limit}
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

    /**
     * The base has reported a change: its copies are read as soon as a process can. A copy whose source fails keeps its
     * interval.
     */
    async signal(baseId: string): Promise<void> {
      await db
        .updateTable('order_copies')
        .set({
          signalled_at: sql<string>`clock_timestamp()`,
          poll_at: sql<string>`case when failures > 0 then poll_at
            else least(poll_at, ${soonAfter(sql`read_at`)}) end`,
        })
        .where('base_id', '=', baseId)
        .execute()
    },

    /** The base may be reachable again: its copies are read as soon as a process can. */
    async retry(baseId: string): Promise<void> {
      await db
        .updateTable('order_copies')
        .set({ failures: 0, poll_at: sql<string>`now()` })
        .where('base_id', '=', baseId)
        .execute()
    },

    /**
     * The copy was not read, because another one of its base was. If the base has reported a change it is read in some
     * seconds; otherwise it keeps its interval.
     */
    async retrySignalled(pharmacyId: string): Promise<void> {
      const soon = soonAfter(sql`read_at`)
      await db
        .updateTable('order_copies')
        .set({ poll_at: sql<string>`least(poll_at, greatest(${soon}, ${inMs(RETRY_MS)}))` })
        .where('pharmacy_id', '=', pharmacyId)
        .where(sql<boolean>`coalesce(signalled_at >= read_at, signalled_at is not null)`)
        .execute()
    },

    /** Doubles the interval after each failure of the source. Where the base reports its changes, from a short one on. */
    async postpone(pharmacyId: string, { watchedMs, maxMs }: PollIntervals): Promise<void> {
      const pause = sql`least(
        ${seconds(maxMs)}::float8, ${seconds(watchedMs)}::float8 * 2 ^ least(failures + 1, 20)
      )`
      const pauseEnd = sql`clock_timestamp() + make_interval(secs => ${pause})`
      const reported = isReported('order_copies.base_id', 'order_copies.table_id')
      await db
        .updateTable('order_copies')
        .set({
          failures: sql<number>`failures + 1`,
          poll_at: sql<string>`case when ${reported} then ${pauseEnd}
            else greatest(poll_at, ${pauseEnd}) end`,
        })
        .where('pharmacy_id', '=', pharmacyId)
        .execute()
    },
  }
}

const seconds = (milliseconds: number) => milliseconds / 1_000

/** How long the poller reads the pharmacy's orders as if a screen showed them: enough for a retry after a failure. */
const POLLED_MS = 5 * 60_000

/** Makes the poller read all orders of a pharmacy again, in whichever process polls next. */
export function rereadOrders(
  db: Database,
  audit: Pick<Audit, 'recordChange'>,
  pharmacyId: string,
  location: SourceLocation,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await createOrderCopyStore(tx, noHooks).readAgain(pharmacyId, location)
    const watched = { forMs: POLLED_MS, firstPollMs: 0 }
    await createPollScheduleStore(tx).markWatched(pharmacyId, location, watched)
    const target = { type: 'pharmacy', id: pharmacyId }
    await audit.recordChange(tx, { action: 'orders_read_again', pharmacyId, target })
  })
}
