import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { copiedColumns, type OrderRow, orderRow } from '../order-rows.ts'

/** A picture that is not the one we know of that order. */
export type NewImage = { orderId: string; url: string; ref: string }

/** What belongs to the writing of orders, in the same transaction, and is not theirs to know. */
export type OrderHooks = {
  /** Orders are new to the pharmacy. */
  onArrived(tx: Database, pharmacyId: string): Promise<void>
  onImages(tx: Database, pharmacyId: string, images: NewImage[]): Promise<void>
}

export const noHooks: OrderHooks = { onArrived: async () => {}, onImages: async () => {} }

export type Writing = {
  /** When what is written was read, or earlier: a status that was changed here since stays. */
  readSince: string
  /** False for the first copy of a table: what is in it is not new to the pharmacy. */
  arriving: boolean
  /** Nor is what was made before (ISO 8601), where orders are found that readings have missed. */
  madeSince?: string | undefined
}

/**
 * Writes what was read of the store, and only what differs from what was read before. A status that was
 * changed here after the reading began, or that has not reached the store yet, stays.
 *
 * @param tx a transaction
 * @returns how many orders were new or different
 */
export async function writeOrders(
  tx: Database,
  hooks: OrderHooks,
  pharmacyId: string,
  orders: readonly SourceOrder[],
  { readSince, arriving, madeSince = '-infinity' }: Writing,
): Promise<number> {
  const newest = new Map(orders.map((order) => [order.recordId, order]))
  // In the order in which everybody locks them: two that write at once do not block each other.
  const rows = [...newest.values()].sort((a, b) => (a.recordId < b.recordId ? -1 : 1)).map(orderRow)
  const written = await tx
    .insertInto('pharmacy_orders')
    .columns(['pharmacy_id', 'seen_at', ...incomingColumns])
    .expression((from) =>
      from
        .selectFrom(incomingRows(rows))
        .select([
          sql<string>`${pharmacyId}::uuid`.as('pharmacy_id'),
          sql<string | null>`case
            when not ${arriving}::boolean or incoming.airtable_created < ${madeSince}::timestamptz
            then now() end`.as('seen_at'),
        ])
        .select(incomingColumns),
    )
    .onConflict((conflict) =>
      conflict
        .constraint('pharmacy_orders__record_taken')
        .doUpdateSet((row) => ({
          order_number: row.ref('excluded.order_number'),
          wa_id: row.ref('excluded.wa_id'),
          customer_name: row.ref('excluded.customer_name'),
          customer_phone: row.ref('excluded.customer_phone'),
          order_details: row.ref('excluded.order_details'),
          address: row.ref('excluded.address'),
          status: incomingStatus(readSince),
          image_url: row.ref('excluded.image_url'),
          image_ref: row.ref('excluded.image_ref'),
          image_kept: sql<boolean>`pharmacy_orders.image_kept and excluded.image_url is not null`,
          pharma_wa: row.ref('excluded.pharma_wa'),
          airtable_created: row.ref('excluded.airtable_created'),
          airtable_last: row.ref('excluded.airtable_last'),
          content_hash: row.ref('excluded.content_hash'),
          // Who changes a status in the store has seen the order.
          seen_at: ifChangedThere(
            readSince,
            sql`coalesce(pharmacy_orders.seen_at, now())`,
            sql`pharmacy_orders.seen_at`,
          ),
          changed_from: ifChangedThere(
            readSince,
            sql`'airtable'`,
            sql`pharmacy_orders.changed_from`,
          ),
          changed_by: ifChangedThere(readSince, sql`null`, sql`pharmacy_orders.changed_by`),
          changed_in: ifChangedThere(readSince, sql`null`, sql`pharmacy_orders.changed_in`),
        }))
        .where(
          sql<boolean>`(pharmacy_orders.content_hash, pharmacy_orders.status)
            is distinct from (excluded.content_hash, ${incomingStatus(readSince)})`,
        ),
    )
    .returning(['id', 'airtable_order_id', sql<boolean>`xmax = 0 and seen_at is null`.as('is_new')])
    .execute()
  const images = written.flatMap(({ id, airtable_order_id }) => {
    const image = newest.get(airtable_order_id)?.image
    return image ? [{ orderId: id, ...image }] : []
  })
  const newImages = await notKept(tx, images)
  if (newImages.length > 0) await hooks.onImages(tx, pharmacyId, newImages)
  if (written.some((row) => row.is_new)) await hooks.onArrived(tx, pharmacyId)
  return written.length
}

/**
 * Takes orders out of the copy, but for those with a change on its way to the store, of which its push
 * decides, and those that were made here and are not in the store.
 *
 * @param tx a transaction
 * @param before orders that came later stay (ISO 8601)
 * @returns how many there were
 */
export async function removeOrders(
  tx: Database,
  pharmacyId: string,
  recordIds: readonly string[],
  before: string,
): Promise<number> {
  // Locked first: a change that is just being made is then seen by the statement that follows.
  await tx
    .selectFrom('pharmacy_orders')
    .select('id')
    .where('pharmacy_id', '=', pharmacyId)
    .where(isOneOf(recordIds))
    .orderBy(lockingOrder)
    .forUpdate()
    .execute()
  const removed = await tx
    .deleteFrom('pharmacy_orders')
    .where('pharmacy_id', '=', pharmacyId)
    .where(isOneOf(recordIds))
    .where('created_at', '<', before)
    .where(sql<boolean>`not exists (select from order_changes where order_id = pharmacy_orders.id)`)
    .where(
      sql<boolean>`not exists (select from order_creations where order_id = pharmacy_orders.id)`,
    )
    .executeTakeFirst()
  return Number(removed.numDeletedRows)
}

/** Whoever locks several orders at once does so in this order: that of their letters. */
export const lockingOrder = sql`airtable_order_id collate "C"`

/** One value however many there are, so that it is one statement to PostgreSQL. */
function isOneOf(recordIds: readonly string[]) {
  return sql<boolean>`airtable_order_id = any(${recordIds}::text[])`
}

async function notKept(tx: Database, images: NewImage[]): Promise<NewImage[]> {
  if (images.length === 0) return []
  const ids = images.map((image) => image.orderId)
  const known = await tx
    .selectFrom('order_images')
    .select(['order_id', 'ref'])
    .where(sql<boolean>`order_id = any(${ids}::bigint[])`)
    .execute()
  const refs = new Map(known.map((row) => [row.order_id, row.ref]))
  return images.filter((image) => refs.get(image.orderId) !== image.ref)
}

const incomingColumns = ['airtable_order_id', 'status', 'content_hash', ...copiedColumns] as const

/** The rows as one value, so that it is one statement to PostgreSQL however many there are. */
function incomingRows(rows: OrderRow[]) {
  const json = JSON.stringify(rows)
  return sql<OrderRow>`jsonb_to_recordset(${json}::jsonb)`.as<'incoming'>(sql`incoming (
    airtable_order_id text, status text, content_hash bytea, order_number text, wa_id text,
    customer_name text, customer_phone text, order_details text, address text, image_url text,
    image_ref text, pharma_wa text, airtable_created timestamptz, airtable_last timestamptz
  )`)
}

function incomingStatus(readSince: string) {
  return sql<string>`case
    when pharmacy_orders.status_changed_at >= ${readSince}::timestamptz
      or exists (select from order_changes where order_id = pharmacy_orders.id)
    then pharmacy_orders.status else excluded.status end`
}

/** One value where the status becomes that of the store and was another, and one where it does not. */
function ifChangedThere<Value>(
  readSince: string,
  changed: ReturnType<typeof sql<Value>>,
  unchanged: ReturnType<typeof sql<Value>>,
) {
  return sql<Value>`case
    when pharmacy_orders.status is distinct from ${incomingStatus(readSince)}
    then ${changed} else ${unchanged} end`
}
