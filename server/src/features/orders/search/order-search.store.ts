import type { OrderSort } from '@bancone/contract/orders'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { type KeptRecord, orderRecord, recordColumns } from '../order-rows.ts'
import type { ByStatus, Sought } from './orders-sought.rules.ts'
import { beginOf, endOf, listed, sorting, soughtOrders } from './sought-orders.store.ts'

/** A page of a list. */
export type Asked = {
  sought: Sought
  sort: OrderSort
  page: number
  pageSize: number
  /** There are not many orders of these states, wherever in the list they are. */
  few: boolean
}

/** `known` is how many orders of the list are known to be there: all of them if it was `counted`. */
export type Part = { records: KeptRecord[]; known: number; counted: boolean }

/** Milliseconds after which a search is given up that has to read whatever holds its words. */
const PATIENCE = 10_000

export type OrderSearchStore = ReturnType<typeof createOrderSearchStore>

/** Finds orders. How words are found, and why that is quick, is in the migration of `order_search`. */
export function createOrderSearchStore(db: Database) {
  /** A search without a bound must not keep a connection for as long as it likes. */
  function patiently<T>(search: (tx: Database) => Promise<T>): Promise<T> {
    return db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(PATIENCE)}, true)`.execute(tx)
      return search(tx)
    })
  }

  /** The newest that hold some words: the one search that reads no more than it must. */
  async function newest(pharmacyId: string, words: string, asked: Asked): Promise<Part> {
    const { sought, pageSize, few } = asked
    const skip = skipped(asked)
    const statuses = sought.statuses ? [...sought.statuses] : null
    const found = sql<{ ids: string[]; seen: number; complete: boolean }>`
      newest_orders_with_words(${pharmacyId}::uuid, ${words}::text, ${statuses}::text[],
        ${few}::boolean, ${beginOf(sought.days.from)}, ${endOf(sought.days.to)}, ${skip}::int,
        ${pageSize + 1}::int)`.as<'found'>(sql`found`)
    const chosen = sql<{ order_id: string; place: string }>`
      lateral unnest(found.ids) with ordinality`.as<'chosen'>(sql`chosen(order_id, place)`)
    const rows = await db
      .selectFrom(found)
      .crossJoin(chosen)
      .innerJoin('pharmacy_orders', 'id', 'chosen.order_id')
      .select(recordColumns)
      .select(['seen', 'complete'])
      .orderBy('place')
      .execute()
    // Of a page behind the last one nothing is known but that.
    const seen =
      rows[0]?.seen ??
      (skip > 0 ? await db.selectFrom(found).select('seen').executeTakeFirst() : undefined)?.seen ??
      0
    const records = rows.slice(0, pageSize).map(orderRecord)
    return { records, known: seen, counted: rows[0]?.complete ?? true }
  }

  /** Any other list of those that hold some words: all of them are read. */
  function sortedWithWords(pharmacyId: string, asked: Asked): Promise<Part> {
    const { sought, sort, pageSize } = asked
    const skip = skipped(asked)
    return patiently(async (tx) => {
      const found = soughtOrders(tx, pharmacyId, sought)
      const chosen = found
        .select(['id as order_id', sql<string>`count(*) over ()`.as('known')])
        .orderBy(sorting[sort])
        .limit(pageSize)
        .offset(skip)
      const rows = await tx
        .selectFrom(chosen.as('chosen'))
        .innerJoin('pharmacy_orders', 'id', 'chosen.order_id')
        .select(recordColumns)
        .select('known')
        .orderBy(sorting[sort])
        .execute()
      const all =
        rows[0] ?? (await found.select(sql<string>`count(*)`.as('known')).executeTakeFirst())
      return { records: rows.map(orderRecord), known: Number(all?.known), counted: true }
    })
  }

  /** A list of any orders. */
  async function plain(pharmacyId: string, asked: Asked): Promise<Part> {
    const { pageSize } = asked
    const skip = skipped(asked)
    const { orders, sorted } = listed(db, pharmacyId, asked)
    const rows = await db
      .selectFrom(orders)
      .select(recordColumns)
      .orderBy(sorted)
      .limit(pageSize + 1)
      .offset(skip)
      .execute()
    const records = rows.slice(0, pageSize).map(orderRecord)
    return { records, known: skip + rows.length, counted: false }
  }

  return {
    part(pharmacyId: string, asked: Asked): Promise<Part> {
      const { words } = asked.sought
      if (words === null) return plain(pharmacyId, asked)
      if (asked.sort === 'recenti') return newest(pharmacyId, words, asked)
      return sortedWithWords(pharmacyId, asked)
    },

    /** How many there are of each status, whichever is asked for. */
    countByStatus(pharmacyId: string, sought: Omit<Sought, 'statuses'>): Promise<ByStatus> {
      return patiently(async (tx) => {
        const rows = await soughtOrders(tx, pharmacyId, { ...sought, statuses: undefined })
          .select((order) => ['status', order.fn.countAll<string>().as('orders')])
          .groupBy('status')
          .execute()
        return new Map(rows.map(({ status, orders }) => [status, Number(orders)]))
      })
    },

    /**
     * The other orders of the telephone number of an order: how many there are, and so many of the newest.
     */
    async ofSameNumber(
      pharmacyId: string,
      recordId: string,
      most: number,
    ): Promise<{ count: number; records: KeptRecord[] }> {
      const others = db
        .selectFrom('pharmacy_orders as asked')
        .innerJoin('order_search as its', 'its.order_id', 'asked.id')
        .innerJoin('order_search as other', (join) =>
          join
            .onRef('other.pharmacy_id', '=', 'its.pharmacy_id')
            .onRef('other.phone_key', '=', 'its.phone_key')
            .onRef('other.order_id', '<>', 'its.order_id'),
        )
        .where('asked.pharmacy_id', '=', pharmacyId)
        .where('asked.airtable_order_id', '=', recordId)
      const chosen = others
        .select('other.order_id')
        .orderBy('other.created', 'desc')
        .orderBy('other.order_id', 'desc')
        .limit(most)
      const [counted, rows] = await Promise.all([
        others.select((other) => other.fn.countAll<string>().as('orders')).executeTakeFirst(),
        db
          .selectFrom('pharmacy_orders')
          .innerJoin(chosen.as('chosen'), 'chosen.order_id', 'id')
          .select(recordColumns)
          .orderBy(sorting.recenti)
          .execute(),
      ])
      return { count: Number(counted?.orders ?? 0), records: rows.map(orderRecord) }
    },
  }
}

function skipped({ page, pageSize }: Asked): number {
  return (page - 1) * pageSize
}
