import type { StatusChange } from '@bancone/contract/bulk-changes'
import { OrderStatus } from '@bancone/contract/orders'
import { sql } from 'kysely'
import { z } from 'zod'
import { compiledQuery } from '../../../database/compiled-query.ts'
import type { Database } from '../../../database/database.ts'
import type { OrderHooks } from '../records/order-hooks.ts'
import { lockOrder } from '../records/order-locks.store.ts'
import { orderRecord, recordColumns, type StoredRecord } from '../records/order-rows.ts'
import type { Author } from '../records/orders-owner.ts'

/**
 * `same`: the order had the status already. `changed_meanwhile`: the order did not have the expected status. Without an expected
 * status the change is always made, even to the same status: the source may have another one.
 */
const Verdict = z.enum(['changed', 'same', 'changed_meanwhile'])

/** The result of changing one order; `record` is its current state. */
export type ChangedOrder = {
  /** Record ids of the request, which may be aliases. */
  requestedIds: string[]
  orderId: string
  verdict: z.infer<typeof Verdict>
  from: string
  to: OrderStatus
  record: StoredRecord
  /** Time of the previous change of the order. */
  lastBefore: string
}

/** A change, and who makes it. */
export type AuthoredChange = StatusChange & { author: Author }

/** One statement, because it locks the pharmacy's counts until the transaction ends. */
const updateStatuses = compiledQuery((db: Database, pharmacyId: string, changes: string) =>
  db
    .with('wanted', (of) =>
      of
        .selectFrom(requested(changes))
        .leftJoin('order_aliases as alias', (join) =>
          join.onRef('alias.alias', '=', 'requested.id').on('alias.pharmacy_id', '=', pharmacyId),
        )
        .select([
          sql<string>`coalesce(alias.record_id, requested.id)`.as('current_id'),
          sql<string[]>`array_agg(requested.id)`.as('requested_ids'),
          sql<string>`(array_agg(requested.status order by place desc))[1]`.as('to'),
          sql<string | null>`(array_agg(requested.was order by place desc))[1]`.as('was'),
          sql<string>`(array_agg(requested.author order by place desc))[1]`.as('author'),
          sql<string | null>`(array_agg(requested.user_id order by place desc))[1]`.as('user_id'),
          sql<string | null>`(array_agg(requested.session_id order by place desc))[1]`.as(
            'session_id',
          ),
        ])
        .groupBy('current_id'),
    )
    .with('locked', (of) =>
      of
        .selectFrom('wanted')
        .innerJoin('pharmacy_orders as record', (join) =>
          join
            .on('record.pharmacy_id', '=', pharmacyId)
            .onRef('record.airtable_order_id', '=', 'wanted.current_id'),
        )
        .select(recordColumns.map((column) => `record.${column}` as const))
        .select([
          'wanted.requested_ids',
          'wanted.to',
          'wanted.author',
          'wanted.user_id',
          'wanted.session_id',
        ])
        .select(
          sql`case
              when wanted.was is null then 'changed'
              when record.status = wanted.to then 'same'
              when record.status = wanted.was then 'changed'
              else 'changed_meanwhile' end`.as('verdict'),
        )
        .orderBy(lockOrder)
        .forNoKeyUpdate('record'),
    )
    .with('changed', (of) =>
      of
        .updateTable('pharmacy_orders as record')
        .from('locked')
        .set((row) => ({
          status: row.ref('locked.to'),
          changed_from: row.ref('locked.author'),
          changed_by: row.ref('locked.user_id'),
          changed_in: row.ref('locked.session_id'),
          status_changed_at: sql<string>`clock_timestamp()`,
          airtable_last: sql<string>`clock_timestamp()`,
          seen_at: sql<string>`coalesce(record.seen_at, clock_timestamp())`,
          // The next reading of the source must not consider the record unchanged.
          content_hash: null,
        }))
        .where('record.pharmacy_id', '=', pharmacyId)
        .whereRef('record.id', '=', 'locked.id')
        .where('locked.verdict', '=', 'changed')
        .returning(['record.id', 'record.status', 'record.airtable_last', 'record.seen_at']),
    )
    .selectFrom('locked')
    .leftJoin('changed', 'changed.id', 'locked.id')
    .selectAll('locked')
    .select([
      'changed.status as new_status',
      'changed.airtable_last as new_last',
      'changed.seen_at as new_seen',
    ]),
)

/**
 * Changes the statuses of several orders independently. The orders are locked before their current status is compared
 * with the expected one. Of two changes of the same order the last one counts.
 *
 * @param tx a transaction
 * @returns one result for each existing order
 */
export async function changeStatuses(
  tx: Database,
  hooks: OrderHooks,
  pharmacyId: string,
  changes: readonly AuthoredChange[],
): Promise<ChangedOrder[]> {
  const changed = await changeInOneStatement(tx, hooks, pharmacyId, changes)
  const found = new Set(changed.flatMap((order) => order.requestedIds))
  const missing = changes.filter((change) => !found.has(change.recordId))
  if (missing.length === 0) return changed
  // An order that got its record id from the source while this waited for its lock is now found by its alias.
  return [...changed, ...(await changeInOneStatement(tx, hooks, pharmacyId, missing))]
}

/**
 * @param tx a transaction
 * @returns nothing for an order that got its record id from the source while this waited for its lock
 */
export async function changeInOneStatement(
  tx: Database,
  hooks: OrderHooks,
  pharmacyId: string,
  changes: readonly AuthoredChange[],
): Promise<ChangedOrder[]> {
  const values = changes.map(
    ({ recordId: id, Stato: status, was, author }): Omit<Requested, 'place'> => ({
      id,
      status,
      was: was ?? null,
      author: author.from,
      user_id: author.userId,
      session_id: author.sessionId,
    }),
  )
  const rows = await updateStatuses(tx, pharmacyId, JSON.stringify(values))
  const orders = rows.map((row) => ({
    requestedIds: row.requested_ids,
    orderId: row.id,
    verdict: Verdict.parse(row.verdict),
    from: row.status,
    to: OrderStatus.parse(row.to),
    record: orderRecord({
      ...row,
      status: row.new_status ?? row.status,
      airtable_last: row.new_last ?? row.airtable_last,
      seen_at: row.new_seen ?? row.seen_at,
    }),
    lastBefore: row.airtable_last,
  }))
  const statuses = orders
    .filter(({ verdict, from, to }) => verdict === 'changed' && from !== to)
    .map(({ orderId, record, from, to }) => ({ orderId, recordId: record.id, from, to }))
  if (statuses.length > 0) await hooks.onStatus(tx, pharmacyId, statuses)
  return orders
}

type Requested = {
  id: string
  status: string
  was: string | null
  author: string
  user_id: string | null
  session_id: string | null
  place: string
}

function requested(changes: string) {
  return sql<Requested>`rows from (jsonb_to_recordset(${changes}::jsonb)
    as (id text, status text, was text, author text, user_id uuid, session_id uuid)
  ) with ordinality`.as<'requested'>(
    sql`requested (id, status, was, author, user_id, session_id, place)`,
  )
}
