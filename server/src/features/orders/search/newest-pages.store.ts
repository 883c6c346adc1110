import { sql } from 'kysely'
import { compiledQuery } from '../../../database/compiled-query.ts'
import { type Database, isoTime } from '../../../database/database.ts'
import { createBatchedLoad } from '../../../platform/batches.ts'
import {
  orderRecord,
  type RecordRow,
  recordColumns,
  type StoredRecord,
} from '../records/order-rows.ts'
import { sorting } from './filtered-orders.store.ts'

/** The values of some columns, in their order. */
type ValuesOf<Columns extends readonly (keyof RecordRow)[]> = {
  [Place in keyof Columns]: RecordRow[Columns[Place]]
}

type RecordValues = ValuesOf<typeof recordColumns>

/** Columns that JSON would have as numbers, or with another form of time. */
const TEXTS: readonly string[] = [
  'id',
  'airtable_created',
  'airtable_last',
  'seen_at',
  'ready_at',
  'collected_at',
  'put_back_at',
  'kept_until',
  'expected_on',
]

/** Pages in one statement. With one for all that are read at once, this process and PostgreSQL work by turns. */
const MOST_TOGETHER = 4

/**
 * Pages of several pharmacies, each as one JSON value: reading it takes less than half the time that the 270 fields of
 * a page take one by one. The places are found in an index alone, and only their orders are read. In one step PostgreSQL,
 * which does not know the size of the page when it plans, would read all orders of the pharmacy and sort them.
 */
const selectNewest = compiledQuery((db: Database, requests: string) => {
  const wanted = sql<{ pharmacy_id: string; size: number; skipped: number; place: string }>`
    rows from (json_to_recordset(${requests}::json) as (pharmacy_id uuid, size int, skipped int))
      with ordinality`.as<'wanted'>(sql`wanted(pharmacy_id, size, skipped, place)`)
  const values = recordColumns.map((column) => {
    const value = sql.ref(`record.${column}`)
    return TEXTS.includes(column) ? sql`${value}::text` : value
  })
  return db
    .selectFrom(wanted)
    .select((of) => {
      const places = of
        .selectFrom('pharmacy_orders')
        .select(['pharmacy_id', 'id', 'airtable_created'])
        .whereRef('pharmacy_id', '=', 'wanted.pharmacy_id')
        .orderBy(sorting.recenti)
        .limit(sql<number>`wanted.size`)
        .offset(sql<number>`wanted.skipped`)
        .as('place')
      return of
        .selectFrom(places)
        .select((ofPlace) => {
          const record = ofPlace
            .selectFrom('pharmacy_orders as record')
            .select(sql`json_build_array(${sql.join(values)})`.as('values'))
            .whereRef('record.pharmacy_id', '=', 'place.pharmacy_id')
            .whereRef('record.id', '=', 'place.id')
          return sql<RecordValues[] | null>`json_agg((${record})
            order by place.airtable_created desc, place.id desc)`.as('records')
        })
        .as('records')
    })
    .orderBy('wanted.place')
})

/**
 * Reads pages of all orders of a pharmacy, newest first: the pages that dashboards show. Those that are read within one
 * turn of the event loop share statements.
 */
export function createNewestPages(db: Database) {
  const pages = createBatchedLoad<StoredRecord[]>(async (requests) => {
    const rows = await selectNewest(db, `[${requests.join(',')}]`)
    const found = rows.map(({ records }) =>
      (records ?? []).map((values) => orderRecord(rowOf(values))),
    )
    return new Map(requests.map((request, n) => [request, found[n] ?? []]))
  }, MOST_TOGETHER)
  return async (pharmacyId: string, size: number, offset: number): Promise<StoredRecord[]> =>
    (await pages(JSON.stringify({ pharmacy_id: pharmacyId, size, skipped: offset }))) ?? []
}

function rowOf(values: RecordValues): RecordRow {
  const [
    id,
    recordId,
    number,
    name,
    phone,
    details,
    address,
    status,
    url,
    ref,
    kept,
    attachments,
    created,
    last,
    seenAt,
    readyAt,
    collectedAt,
    putBackAt,
    keptUntil,
    linesThere,
    expectedOn,
  ] = values
  return {
    id,
    airtable_order_id: recordId,
    order_number: number,
    customer_name: name,
    customer_phone: phone,
    order_details: details,
    address,
    status,
    image_url: url,
    image_ref: ref,
    image_kept: kept,
    attachments,
    airtable_created: isoTime(created),
    airtable_last: isoTime(last),
    seen_at: seenAt,
    ready_at: readyAt && isoTime(readyAt),
    collected_at: collectedAt && isoTime(collectedAt),
    put_back_at: putBackAt && isoTime(putBackAt),
    kept_until: keptUntil,
    lines_there: linesThere,
    expected_on: expectedOn,
  }
}
