import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import type { OrderHooks } from './order-hooks.ts'
import { lockOrder } from './order-locks.store.ts'
import { columnsOf, type OrderRow, orderRow } from './order-rows.ts'

/** The source has answered to the last change of the order here: its status counts, whatever was changed before. */
export const AFTER_ALL_CHANGES = { readStartedAt: 'infinity', countsAsNew: true }

export type UpsertOptions = {
  /** When the reading began (ISO 8601): a status changed here after that is kept. */
  readStartedAt: string
  /** False for the first copy of a table, whose orders are not new to the pharmacy. */
  countsAsNew: boolean
  /** Orders created before this (ISO 8601) are not new either, when they were missed by earlier readings. */
  newAfter?: string | undefined
  /** Also writes those whose hash says that they are unchanged: the copy was found to differ. */
  rewrites?: boolean
}

/**
 * Writes the records that differ from the stored ones. A status that was changed here after the reading began, or
 * that has not been pushed yet, is kept, and so is what Airtable does not tell.
 *
 * @param tx a transaction
 * @returns the number of orders that were new or changed
 */
export async function upsertOrders(
  tx: Database,
  hooks: OrderHooks,
  pharmacyId: string,
  orders: readonly SourceOrder[],
  options: UpsertOptions,
): Promise<number> {
  const written: WrittenOrder[] = []
  const newest = new Map(
    (await withoutBlank(tx, pharmacyId, orders)).map((order) => [order.recordId, order]),
  )
  // In the common lock order, so that concurrent writers do not deadlock.
  const ordered = [...newest.values()].sort((a, b) => (a.recordId < b.recordId ? -1 : 1))
  for (const portion of sameUnknown(ordered)) {
    written.push(...(await upsertRows(tx, pharmacyId, portion, options)))
  }
  const images = written.flatMap(({ id, airtable_order_id }) => {
    const image = newest.get(airtable_order_id)?.image
    return image ? [{ orderId: id, ref: image.ref }] : []
  })
  if (images.length > 0) await hooks.onImages(tx, pharmacyId, images)
  if (written.some((row) => row.is_new)) await hooks.onArrived(tx, pharmacyId)
  const statuses = written
    .filter((row) => (row.from === null ? row.is_new : row.from !== row.to))
    .map(({ id, airtable_order_id, from, to }) => ({
      orderId: id,
      recordId: airtable_order_id,
      from,
      to,
    }))
  if (statuses.length > 0) await hooks.onStatus(tx, pharmacyId, statuses)
  return written.length
}

/** Blank rows are no orders, but an order stays one when its row is emptied. */
async function withoutBlank(tx: Database, pharmacyId: string, orders: readonly SourceOrder[]) {
  const blank = orders.filter(({ isBlank }) => isBlank).map(({ recordId }) => recordId)
  if (blank.length === 0) return orders
  const copied = await copiedAmong(tx, pharmacyId, blank)
  return orders.filter(({ isBlank, recordId }) => !isBlank || copied.has(recordId))
}

/** Which of the records are in the copy. */
export async function copiedAmong(db: Database, pharmacyId: string, recordIds: readonly string[]) {
  const rows = await db
    .selectFrom('pharmacy_orders')
    .select('airtable_order_id')
    .where('pharmacy_id', '=', pharmacyId)
    .where(isOneOf(recordIds))
    .execute()
  return new Set(rows.map((row) => row.airtable_order_id))
}

/** Portions of successive orders of which Airtable does not tell the same fields, usually one. */
function sameUnknown(orders: readonly SourceOrder[]): SourceOrder[][] {
  const portions: SourceOrder[][] = []
  for (const order of orders) {
    const last = portions.at(-1)
    if (last?.[0]?.unknown?.join() === order.unknown?.join() && last) last.push(order)
    else portions.push([order])
  }
  return portions
}

/** What a statement returns of the status before it: a subquery has the rows as they were. */
export const statusBefore = sql<string | null>`(
  select before.status from pharmacy_orders before
  where before.pharmacy_id = pharmacy_orders.pharmacy_id and before.id = pharmacy_orders.id
)`.as('from')

type WrittenOrder = {
  id: string
  airtable_order_id: string
  is_new: boolean
  /** The status before; null for an order that was added. */
  from: string | null
  to: string
}

async function upsertRows(
  tx: Database,
  pharmacyId: string,
  orders: readonly SourceOrder[],
  { readStartedAt, countsAsNew, newAfter = '-infinity', rewrites = false }: UpsertOptions,
): Promise<WrittenOrder[]> {
  const unknown = new Set<string>(orders[0]?.unknown)
  const status = unknown.has('status')
    ? sql<string>`pharmacy_orders.status`
    : incomingStatus(readStartedAt)
  return tx
    .insertInto('pharmacy_orders')
    .columns(['pharmacy_id', 'seen_at', ...incomingColumns])
    .expression((from) =>
      from
        .selectFrom(incomingRows(orders.map(orderRow)))
        .select([
          sql<string>`${pharmacyId}::uuid`.as('pharmacy_id'),
          sql<string | null>`case
            when not ${countsAsNew}::boolean or incoming.airtable_created < ${newAfter}::timestamptz
            then now() end`.as('seen_at'),
        ])
        .select(incomingColumns)
        .where(wasNotRemoved(pharmacyId, readStartedAt)),
    )
    .onConflict((conflict) =>
      conflict
        .constraint('pharmacy_orders__record_taken')
        .doUpdateSet((row) => ({
          ...excludedValues(unknown),
          ...(!unknown.has('image') && {
            image_kept: sql<boolean>`pharmacy_orders.image_kept and excluded.image_url is not null`,
          }),
          status,
          content_hash: row.ref('excluded.content_hash'),
          // A user who changes the status in the source has seen the order.
          seen_at: ifChangedInSource(
            status,
            sql`coalesce(pharmacy_orders.seen_at, now())`,
            sql`pharmacy_orders.seen_at`,
          ),
          changed_from: ifChangedInSource(
            status,
            sql`'airtable'`,
            sql`pharmacy_orders.changed_from`,
          ),
          changed_by: ifChangedInSource(status, sql`null`, sql`pharmacy_orders.changed_by`),
          changed_in: ifChangedInSource(status, sql`null`, sql`pharmacy_orders.changed_in`),
        }))
        .where(
          sql<boolean>`${rewrites}::boolean or (pharmacy_orders.content_hash, pharmacy_orders.status)
            is distinct from (excluded.content_hash, ${status})`,
        ),
    )
    .returning([
      'id',
      'airtable_order_id',
      'status as to',
      sql<boolean>`xmax = 0 and seen_at is null`.as('is_new'),
      statusBefore,
    ])
    .execute()
}

/**
 * Removes orders from the copy, except those with a pending change, whose push decides, and those created here that
 * are not in the source.
 *
 * @param tx a transaction
 * @param before orders that arrived later are kept (ISO 8601)
 * @returns the number of removed orders
 */
export async function removeOrders(
  tx: Database,
  pharmacyId: string,
  recordIds: readonly string[],
  before: string,
): Promise<number> {
  // Locked first, so that the next statement sees a change that is just being committed.
  await tx
    .selectFrom('pharmacy_orders')
    .select('id')
    .where('pharmacy_id', '=', pharmacyId)
    .where(isOneOf(recordIds))
    .orderBy(lockOrder)
    .forUpdate()
    .execute()
  const removed = await tx
    .deleteFrom('pharmacy_orders')
    .where('pharmacy_id', '=', pharmacyId)
    .where(isOneOf(recordIds))
    .where('created_at', '<', before)
    .where(hasNoChange)
    .where(hasNoCreation)
    .executeTakeFirst()
  return Number(removed.numDeletedRows)
}

const hasNoChange = sql<boolean>`not exists (
  select from order_changes change
  where change.pharmacy_id = pharmacy_orders.pharmacy_id and change.order_id = pharmacy_orders.id
)`

const hasNoCreation = sql<boolean>`not exists (
  select from order_creations creation
  where creation.pharmacy_id = pharmacy_orders.pharmacy_id and creation.order_id = pharmacy_orders.id
)`

/** One array parameter, so that the statement does not depend on the number of ids. */
function isOneOf(recordIds: readonly string[]) {
  return sql<boolean>`airtable_order_id = any(${recordIds}::text[])`
}

/** Sets the columns of all other fields to the incoming values. */
function excludedValues(unknown: ReadonlySet<string>) {
  const known = Object.entries(columnsOf).filter(([field]) => !unknown.has(field))
  return Object.fromEntries(
    known
      .flatMap(([, columns]) => columns)
      .map((column) => [column, sql<never>`${sql.ref(`excluded.${column}`)}`]),
  )
}

const incomingColumns = [
  'airtable_order_id',
  'content_hash',
  ...Object.values(columnsOf).flat(),
] as const

/** One parameter for all rows, so that the statement does not depend on their number. */
function incomingRows(rows: OrderRow[]) {
  const json = JSON.stringify(rows)
  return sql<OrderRow>`jsonb_to_recordset(${json}::jsonb)`.as<'incoming'>(sql`incoming (
    airtable_order_id text, status text, content_hash bytea, order_number text, wa_id text,
    customer_name text, customer_phone text, order_details text, address text, image_url text,
    image_ref text, attachments jsonb, pharma_wa text, airtable_created timestamptz, airtable_last timestamptz
  )`)
}

/** Airtable had an order when the reading began that was removed here since: it does not come back. */
function wasNotRemoved(pharmacyId: string, readStartedAt: string) {
  return sql<boolean>`(not exists (
    select from order_events removal
    where removal.pharmacy_id = ${pharmacyId} and removal.record_id = incoming.airtable_order_id
      and removal.kind = 'gone' and removal.at >= ${readStartedAt}::timestamptz
  ) or exists (
    select from pharmacy_orders kept
    where kept.pharmacy_id = ${pharmacyId} and kept.airtable_order_id = incoming.airtable_order_id
  ))`
}

/** The status of Airtable, unless it was changed here later or is still to be pushed. */
function incomingStatus(readStartedAt: string) {
  return sql<string>`case
    when pharmacy_orders.status_changed_at >= ${readStartedAt}::timestamptz
      or not ${hasNoChange}
    then pharmacy_orders.status else excluded.status end`
}

/** Selects one of two values, depending on whether the status is replaced by a different one from the source. */
function ifChangedInSource<Value>(
  status: ReturnType<typeof sql<string>>,
  changed: ReturnType<typeof sql<Value>>,
  unchanged: ReturnType<typeof sql<Value>>,
) {
  return sql<Value>`case
    when pharmacy_orders.status is distinct from ${status}
    then ${changed} else ${unchanged} end`
}
