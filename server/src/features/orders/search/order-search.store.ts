import type { OrderSort, OrderStatus } from '@bancone/contract/orders'
import { MAX_WITH_CODE } from '@bancone/contract/scanned-codes'
import { type RawBuilder, sql } from 'kysely'
import { hasOrderNumber, isOverdue } from '../../../database/conditions.ts'
import type { Database } from '../../../database/database.ts'
import { orderRecord, recordColumns, type StoredRecord } from '../records/order-rows.ts'
import {
  createdBefore,
  dayStart,
  filteredOrders,
  listQuery,
  numberedIds,
  searchSorting,
  sorting,
} from './filtered-orders.store.ts'
import { createNewestPages } from './newest-pages.store.ts'
import type { FilterCounts, ResolvedFilter } from './order-filter.rules.ts'
import type { Word } from './order-suggestions.rules.ts'
import { isLongEnough, type ScannedCode } from './scanned-codes.rules.ts'

/** A request for a page of a list. */
export type ListRequest = {
  filter: ResolvedFilter
  sort: OrderSort
  page: number
  pageSize: number
  /** Only a few orders have the wanted statuses. */
  few: boolean
}

/** `known`: the number of matching orders found so far; all of them if `counted`. */
export type ListResult = { records: StoredRecord[]; known: number; counted: boolean }

/** The part of a filter that the counts by status depend on. */
type Words = Pick<ResolvedFilter, 'words' | 'days'>

/** Number of newest orders whose words are suggested. */
const VOCABULARY_ORDERS = 2_000

/** Timeout of a search that has to read all matching orders. */
const STATEMENT_TIMEOUT_MS = 10_000

/** Number of newest orders in whose texts a code is looked for: what is searched takes time. */
const NEWEST_WITH_CODES = 20_000
const CANCELLED: OrderStatus = 'Annullato'
/** More than are wanted: some may turn out to have another code. */
const MOST_CANDIDATES = 3 * MAX_WITH_CODE

export type OrderSearchStore = ReturnType<typeof createOrderSearchStore>

/** Searches orders. The migration of `order_search` explains how, and why that is fast. */
export function createOrderSearchStore(db: Database) {
  const newestPage = createNewestPages(db)

  /** An unbounded search must not occupy a connection indefinitely. */
  function withStatementTimeout<T>(search: (tx: Database) => Promise<T>): Promise<T> {
    return db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(STATEMENT_TIMEOUT_MS)}, true)`.execute(
        tx,
      )
      return search(tx)
    })
  }

  /** The newest matching orders: the only kind of search that stops early. */
  async function newest(pharmacyId: string, words: string, request: ListRequest) {
    const { filter, pageSize, few } = request
    const skip = skipped(request)
    const statuses = filter.statuses ? [...filter.statuses] : null
    const needed = skip + pageSize + 1
    const found = sql<{ ids: string[]; seen: number; complete: boolean }>`(
      select places.ids[${skip + 1}::int : ${needed}::int] as ids, cardinality(places.ids) as seen, complete
      from newest_orders_with_words(${pharmacyId}::uuid, ${words}::text, ${statuses}::text[],
          ${few}::boolean, ${dayStart(filter.days.from)}, ${createdBefore(filter)}, 0, ${needed}::int) newest,
        (select ${numberedIds(db, pharmacyId, filter)} as ids offset 0) numbered,
        lateral (select numbered.ids || array(
          select id from unnest(newest.ids) with ordinality as newest_id (id, place)
          where id <> all (numbered.ids) order by place
        ) as ids) places
      )`.as<'found'>(sql`found`)
    const chosen = sql<{ order_id: string; place: string }>`
      lateral unnest(found.ids) with ordinality`.as<'chosen'>(sql`chosen(order_id, place)`)
    const rows = await db
      .selectFrom(found)
      .crossJoin(chosen)
      .innerJoin('pharmacy_orders', 'id', 'chosen.order_id')
      .where('pharmacy_id', '=', pharmacyId)
      .select(recordColumns)
      .select(['seen', 'complete'])
      .orderBy('place')
      .execute()
    // A page beyond the last one has no row with the count.
    const seen =
      rows[0]?.seen ??
      (skip > 0 ? await db.selectFrom(found).select('seen').executeTakeFirst() : undefined)?.seen ??
      0
    const records = rows.slice(0, pageSize).map(orderRecord)
    return { records, known: seen, counted: rows[0]?.complete ?? true }
  }

  /** Any other sort order: reads all matching orders. */
  function sortedWithWords(pharmacyId: string, request: ListRequest): Promise<ListResult> {
    const { filter, sort, pageSize } = request
    const skip = skipped(request)
    return withStatementTimeout(async (tx) => {
      const found = filteredOrders(tx, pharmacyId, filter)
      const chosen = found
        .select(['id as order_id', sql<string>`count(*) over ()`.as('known')])
        .orderBy(searchSorting(filter, sort))
        .limit(pageSize)
        .offset(skip)
      const rows = await tx
        .selectFrom(chosen.as('chosen'))
        .innerJoin('pharmacy_orders', 'id', 'chosen.order_id')
        .where('pharmacy_id', '=', pharmacyId)
        .select(recordColumns)
        .select('known')
        .orderBy(searchSorting(filter, sort))
        .execute()
      const all =
        rows[0] ?? (await found.select(sql<string>`count(*)`.as('known')).executeTakeFirst())
      return { records: rows.map(orderRecord), known: Number(all?.known), counted: true }
    })
  }

  async function plainRecords(pharmacyId: string, request: ListRequest, limit: number) {
    const skip = skipped(request)
    if (isWhole(request)) return newestPage(pharmacyId, limit, skip)
    const { orders, sorted } = listQuery(db, pharmacyId, request)
    const places = db.selectFrom(orders).select('id').orderBy(sorted).limit(limit).offset(skip)
    const rows = await db
      .selectFrom('pharmacy_orders')
      .select(recordColumns)
      .where('pharmacy_id', '=', pharmacyId)
      .where(sql<boolean>`id = any(array(${places}))`)
      .orderBy(sorting[request.sort])
      .execute()
    return rows.map(orderRecord)
  }

  /** A list without search words. */
  async function plain(pharmacyId: string, request: ListRequest): Promise<ListResult> {
    const { pageSize } = request
    const found = await plainRecords(pharmacyId, request, pageSize + 1)
    const known = skipped(request) + found.length
    return { records: found.slice(0, pageSize), known, counted: false }
  }

  return {
    list(pharmacyId: string, request: ListRequest): Promise<ListResult> {
      const { words } = request.filter
      if (words === null) return plain(pharmacyId, request)
      // The search that stops early knows nothing of what is to be collected: those orders are few.
      if (request.sort === 'recenti' && !request.filter.isToCollect)
        return newest(pharmacyId, words, request)
      return sortedWithWords(pharmacyId, request)
    },

    /** The number of orders by status, of those that are late (created before `late`), and of those to be collected. */
    countByStatus(
      pharmacyId: string,
      { words, days }: Words,
      late: string,
      today: string,
    ): Promise<FilterCounts> {
      const filter = {
        words,
        number: null,
        days,
        statuses: undefined,
        lateBefore: null,
        isToCollect: false,
        overdueOn: null,
      }
      return withStatementTimeout(async (tx) => {
        const rows = await filteredOrders(tx, pharmacyId, filter)
          .select((order) => [
            'status',
            order.fn.countAll<string>().as('orders'),
            sql<string>`count(*) filter (where ${isLate(late)})`.as('late'),
            sql<string>`count(*) filter (where is_to_collect)`.as('to_collect'),
            sql<string>`count(*) filter (where ${isOverdue(pharmacyId, today)})`.as('overdue'),
          ])
          .groupBy('status')
          .execute()
        return {
          byStatus: new Map(rows.map(({ status, orders }) => [status, Number(orders)])),
          late: rows.reduce((sum, row) => sum + Number(row.late), 0),
          toCollect: rows.reduce((sum, row) => sum + Number(row.to_collect), 0),
          overdue: rows.reduce((sum, row) => sum + Number(row.overdue), 0),
        }
      })
    },

    /**
     * The number of orders 'In attesa' that are not late, and of orders to be collected that are not overdue. They are
     * found by indexes and are few, also where no order is ever marked as collected.
     *
     * @param collecting undefined: no order is to be collected. `overdueDays` is a value, not a subquery, so that PostgreSQL
     * knows how few they are; null: the default
     */
    async countInTime(
      pharmacyId: string,
      late: string,
      collecting: { today: string; overdueDays: number | null } | undefined,
    ): Promise<{ pending: number; toCollect: number }> {
      const toCollect = collecting
        ? sql`(
            select count(*) from pharmacy_orders
            where pharmacy_id = ${pharmacyId} and is_to_collect and kept_until is null
              and ready_at >= in_time_since(${collecting.today}::date, ${collecting.overdueDays}::integer)
          ) + (
            select count(*) from pharmacy_orders
            where pharmacy_id = ${pharmacyId} and is_to_collect and kept_until >= ${collecting.today}::date
          )`
        : sql`0`
      const { rows } = await sql<{ pending: string; to_collect: string }>`
        select (
          select count(*) from pharmacy_orders
          where pharmacy_id = ${pharmacyId} and status = 'In attesa' and airtable_created >= ${late}::timestamptz
        ) as pending, ${toCollect} as to_collect`.execute(db)
      return { pending: Number(rows[0]?.pending), toCollect: Number(rows[0]?.to_collect) }
    },

    /**
     * The words of a search text, and those of the newest orders with their frequency. All normalized as in the search
     * index.
     */
    vocabulary(pharmacyId: string, q: string): Promise<{ typed: string[]; vocabulary: Word[] }> {
      return withStatementTimeout(async (tx) => {
        const texts = tx
          .selectFrom('order_search')
          .select('text')
          .where('pharmacy_id', '=', pharmacyId)
          .orderBy('created', 'desc')
          .orderBy('order_id', 'desc')
          .limit(VOCABULARY_ORDERS)
        const words = sql<{ word: string }>`lateral unnest(string_to_array(btrim(text), ' '))`
        const typed = await sql<{ text: string }>`
          select btrim(order_search_text(${q}::text)) as text`.execute(tx)
        const rows = await tx
          .selectFrom(texts.as('texts'))
          .crossJoin(words.as<'words'>(sql`words(word)`))
          .select((of) => ['word', of.fn.countAll<string>().as('count')])
          .groupBy('word')
          .execute()
        return {
          typed: typed.rows[0]?.text.split(' ') ?? [],
          vocabulary: rows.map(({ word, count }) => ({ word, count: Number(count) })),
        }
      })
    },

    /**
     * The orders with this number, and newest ones whose text seems to have this code: those to be collected first, then
     * others that are neither collected nor cancelled, each newest first.
     */
    withCode(pharmacyId: string, code: ScannedCode) {
      return withStatementTimeout(async (tx) => {
        const numbered = tx
          .selectFrom('pharmacy_orders')
          .select('id')
          .where('pharmacy_id', '=', pharmacyId)
          .where(hasScannedNumber(code))
        const newestTexts = tx
          .selectFrom('order_search')
          .select(['order_id', 'text'])
          .where('pharmacy_id', '=', pharmacyId)
          .orderBy('created', 'desc')
          .orderBy('order_id', 'desc')
          .limit(isLongEnough(code.text) ? NEWEST_WITH_CODES : 0)
        // Whatever divided a code is a space here; an O may have been typed for a 0.
        const worded = tx
          .selectFrom(newestTexts.as('newest_texts'))
          .select('order_id')
          .where(
            sql<boolean>`strpos(replace(replace(text, ' ', ''), 'o', '0'), replace(lower(${code.text}), 'o', '0')) > 0`,
          )
        const rows = await tx
          .selectFrom('pharmacy_orders')
          .select(recordColumns)
          .select(sql<boolean>`id = any(array(${numbered}))`.as('has_number'))
          .where('pharmacy_id', '=', pharmacyId)
          .where(sql<boolean>`id = any(array(${numbered}) || array(${worded}))`)
          .orderBy(
            sql`not is_to_collect, collected_at is not null or status = ${CANCELLED}, ${sorting.recenti}`,
          )
          .limit(MOST_CANDIDATES)
          .execute()
        return rows.map((row) => ({ record: orderRecord(row), hasNumber: row.has_number }))
      })
    },

    /** The other orders with the same phone number: their count, and the newest of them. */
    async ofSameNumber(pharmacyId: string, recordId: string, limit: number) {
      const asked = db
        .selectFrom('pharmacy_orders as asked')
        .select('asked.id')
        .where('asked.pharmacy_id', '=', pharmacyId)
        .where('asked.airtable_order_id', '=', recordId)
      // Not a join, whose plan without statistics compared all orders with all.
      const others = db
        .selectFrom('order_search as other')
        .where('other.pharmacy_id', '=', pharmacyId)
        .where('other.phone_key', '=', ({ selectFrom }) =>
          selectFrom('order_search as its')
            .select('its.phone_key')
            .where('its.pharmacy_id', '=', pharmacyId)
            .where('its.order_id', '=', asked),
        )
        .where('other.order_id', '<>', asked)
      const chosen = others
        .select('other.order_id')
        .orderBy('other.created', 'desc')
        .orderBy('other.order_id', 'desc')
        .limit(limit)
      const [counted, rows] = await Promise.all([
        others.select((other) => other.fn.countAll<string>().as('orders')).executeTakeFirst(),
        db
          .selectFrom('pharmacy_orders')
          .innerJoin(chosen.as('chosen'), 'chosen.order_id', 'id')
          .where('pharmacy_id', '=', pharmacyId)
          .select(recordColumns)
          .orderBy(sorting.recenti)
          .execute(),
      ])
      return { count: Number(counted?.orders ?? 0), records: rows.map(orderRecord) }
    },
  }
}

function isLate(before: string): RawBuilder<boolean> {
  const pending: OrderStatus = 'In attesa'
  return sql`status = ${pending} and airtable_created < ${before}::timestamptz`
}

/** As scanned; a number with other signs without them: scanners with another keyboard layout type others. */
function hasScannedNumber({ scanned, text }: ScannedCode): RawBuilder<boolean> {
  if (/^\d+$/.test(scanned)) return hasOrderNumber(scanned)
  if (scanned.startsWith('rec')) return sql`airtable_order_id = ${scanned}`
  return sql`order_seq is null and ${text}::text <> ''
    and upper(regexp_replace(order_number, '[^0-9A-Za-z]', '', 'g')) = ${text}`
}

/** Whether all orders are listed, newest first: the page that dashboards show. */
function isWhole({
  filter: { statuses, days, lateBefore, isToCollect },
  sort,
}: ListRequest): boolean {
  const isAnyDay = days.from === null && days.to === null && lateBefore === null
  return statuses === undefined && !isToCollect && isAnyDay && sort === 'recenti'
}

function skipped({ page, pageSize }: ListRequest): number {
  return (page - 1) * pageSize
}
