import type { DryRunResult } from '@bancone/contract/migration-results'
import { MAX_EXAMPLES, MigrationItem, MigrationItemKind } from '@bancone/contract/migration-runs'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { comparedColumns } from './canonical-order.ts'
import { type ComparedCopy, type ItemReason, itemText } from './migration-findings.rules.ts'

/** A record that needs attention. */
export type Item = {
  recordId: string
  orderNumber: string | null
  kind: MigrationItemKind
  columns: string[]
  reason: ItemReason
}

/** The key of a run. */
export type RunKey = { id: string; pharmacyId: string }

/** Items that are read at a time for a file. */
const ITEMS_AT_ONCE = 500

/** A record that a run has read. `hash` and `columns` are null where it could not be read. */
type ReadRecord = {
  record_id: string
  order_number: string | null
  hash: Buffer | null
  columns: Buffer | null
}

/** The orders of a month: how many, and the sum of their hashes modulo 2^64. */
export type MonthSum = { orders: number; sum: bigint }

export type MigrationRecordsStore = ReturnType<typeof createMigrationRecordsStore>

/**
 * What a run has read, for the comparison with the copy, and the records that need attention: the only writer of
 * `migration_items`, with `putItems`.
 */
export function createMigrationRecordsStore(db: Database) {
  /** The items of a run, of these kinds or of all. */
  const ofRun = (
    { id, pharmacyId }: RunKey,
    kinds: readonly MigrationItemKind[] = MigrationItemKind.options,
  ) =>
    db
      .selectFrom('migration_items')
      .where('pharmacy_id', '=', pharmacyId)
      .where('run_id', '=', id)
      .where('kind', 'in', kinds)

  return {
    async monthSums({ id, pharmacyId }: RunKey): Promise<Map<string, MonthSum>> {
      const { rows } = await sql<{ month: string; orders: number; sum: string }>`
        select month, count(*)::int as orders,
          sum(('x' || encode(substr(hash, 1, 8), 'hex'))::bit(64)::bigint::numeric)::text as sum
        from migration_records
        where pharmacy_id = ${pharmacyId} and run_id = ${id} and hash is not null group by month
      `.execute(db)
      return new Map(
        rows.map(({ month, orders, sum }) => [
          month,
          // PostgreSQL reads the bytes as signed numbers, which are the same modulo 2^64.
          { orders, sum: BigInt.asUintN(64, BigInt(sum)) },
        ]),
      )
    },

    async read({ id, pharmacyId }: RunKey, recordIds: readonly string[]) {
      const { rows } = await sql<ReadRecord>`
        select record_id, order_number, hash, columns from migration_records
        where pharmacy_id = ${pharmacyId} and run_id = ${id} and record_id = any(${recordIds}::text[])
      `.execute(db)
      return new Map(rows.map((row) => [row.record_id, row]))
    },

    /** Records of these months that the copy does not have, in portions. */
    missing: ({ id, pharmacyId }: RunKey, months: readonly string[]) =>
      inPortions(
        async (last) => {
          const { rows } = await sql<{ recordId: string; orderNumber: string | null }>`
            select read.record_id as "recordId", read.order_number as "orderNumber"
            from migration_records read
            where read.pharmacy_id = ${pharmacyId} and read.run_id = ${id} and read.record_id > ${last}
              and read.month = any(${months}::text[]) and not exists (
                select from pharmacy_orders
                where pharmacy_id = ${pharmacyId} and airtable_order_id = read.record_id
              )
            order by read.record_id limit ${PORTION}`.execute(db)
          return rows
        },
        ({ recordId }) => recordId,
      ),

    /** The orders of the copy that were not read, without those that were made here: how many, and the first twenty. */
    async onlyHere({ id, pharmacyId }: RunKey) {
      const { rows } = await sql<{
        total: number
        recordId: string
        orderNumber: string | null
        customerName: string | null
      }>`
        select count(*) over ()::int as total, kept.airtable_order_id as "recordId",
          kept.order_number as "orderNumber", kept.customer_name as "customerName"
        from pharmacy_orders kept
        where kept.pharmacy_id = ${pharmacyId}
          and not exists (
            select from migration_records
            where pharmacy_id = ${pharmacyId} and run_id = ${id} and record_id = kept.airtable_order_id
          )
          and not exists (
            select from order_creations where pharmacy_id = kept.pharmacy_id and order_id = kept.id
          )
        order by kept.airtable_order_id
        limit ${MAX_EXAMPLES}
      `.execute(db)
      return { total: rows[0]?.total ?? 0, examples: rows }
    },

    /** Order numbers that several of the records have: how many, and the first twenty. */
    async duplicates({ id, pharmacyId }: RunKey) {
      const { rows } = await sql<{ total: number; orderNumber: string; records: number }>`
        select count(*) over ()::int as total, order_number as "orderNumber", count(*)::int as records
        from migration_records
        where pharmacy_id = ${pharmacyId} and run_id = ${id} and order_number is not null
        group by order_number having count(*) > 1
        order by count(*) desc, order_number limit ${MAX_EXAMPLES}
      `.execute(db)
      const numbers = rows.map(({ orderNumber, records }) => ({ orderNumber, records }))
      return { total: rows[0]?.total ?? 0, numbers }
    },

    /**
     * The orders that were read and have one of the statuses in the copy, in the order of their record ids.
     * @param after the record id after which they begin
     */
    async withStatus(
      { id, pharmacyId }: RunKey,
      statuses: readonly string[],
      after: string,
      limit: number,
    ): Promise<{ recordId: string; status: string }[]> {
      const { rows } = await sql<{ recordId: string; status: string }>`
        select kept.airtable_order_id as "recordId", kept.status
        from pharmacy_orders kept
        join migration_records read
          on read.pharmacy_id = ${pharmacyId} and read.run_id = ${id} and read.record_id = kept.airtable_order_id
        where kept.pharmacy_id = ${pharmacyId} and kept.airtable_order_id > ${after}
          and kept.status = any(${statuses}::text[])
        order by kept.airtable_order_id limit ${limit}
      `.execute(db)
      return rows
    },

    /** The copies of the attachments of the orders, in portions. */
    pictures: (pharmacyId: string) =>
      inPortions(
        async (last) => {
          const { rows } = await sql<{
            record_id: string
            order_number: string | null
            state: string
            files: { key: string; bytes: number }[]
          }>`
            select kept.airtable_order_id as record_id, kept.order_number, image.state, (
                select coalesce(json_agg(file), '[]') from (
                  select image.key, image.bytes where image.key is not null
                  union all select key, bytes from order_attachments
                  where pharmacy_id = image.pharmacy_id and order_id = image.order_id
                ) as file
              ) as files
            from pharmacy_orders kept
              join order_images image on image.pharmacy_id = kept.pharmacy_id and image.order_id = kept.id
            where kept.pharmacy_id = ${pharmacyId} and kept.image_url is not null
              and kept.airtable_order_id > ${last}
            order by kept.airtable_order_id limit ${PORTION}`.execute(db)
          return rows
        },
        (picture) => picture.record_id,
      ),

    putItems: (run: RunKey, items: readonly Item[]) => putItems(db, run, items),

    async items(
      run: RunKey,
      kind: MigrationItemKind | undefined,
      { offset, limit }: { offset: number; limit: number },
    ): Promise<{ items: MigrationItem[]; total: number }> {
      const { total } = await ofRun(run, kind && [kind])
        .select(({ fn }) => fn.countAll<string>().as('total'))
        .executeTakeFirstOrThrow()
      const rows = await ofRun(run, kind && [kind])
        .select(['record_id as recordId', 'order_number as orderNumber', 'kind', 'columns'])
        .select(['reason', 'resolved_at as resolvedAt'])
        .orderBy('kind')
        .orderBy('record_id')
        .offset(offset)
        .limit(limit)
        .execute()
      return {
        items: rows.map((row) =>
          MigrationItem.parse({ ...row, ...itemText(row.reason, row.columns) }),
        ),
        total: Number(total),
      }
    },

    /** In portions, by kind and record id. */
    async *allItems(
      run: RunKey,
      kind: MigrationItemKind | undefined,
    ): AsyncGenerator<MigrationItem[]> {
      for (let offset = 0; ; offset += ITEMS_AT_ONCE) {
        const { items } = await this.items(run, kind, { offset, limit: ITEMS_AT_ONCE })
        if (items.length > 0) yield items
        if (items.length < ITEMS_AT_ONCE) return
      }
    },

    /** The unresolved records of one kind. */
    async itemIds(run: RunKey, kinds: readonly MigrationItemKind[]): Promise<string[]> {
      const rows = await ofRun(run, kinds)
        .select('record_id')
        .distinct()
        .where('resolved_at', 'is', null)
        .orderBy('record_id')
        .execute()
      return rows.map((row) => row.record_id)
    },

    /** Refused records by reason, most first. */
    async refusals(run: RunKey): Promise<DryRunResult['refused']> {
      const rows = await ofRun(run, ['refused'])
        .select(['reason', 'columns', ({ fn }) => fn.countAll<string>().as('records')])
        .groupBy(['reason', 'columns'])
        .orderBy('records', 'desc')
        .orderBy('reason')
        .execute()
      return rows.map(({ reason, columns, records }) => ({
        reason,
        text: itemText(reason, columns).reason,
        records: Number(records),
      }))
    },

    /** Removes items that are found anew, or that turned out to be none. */
    async removeItems({ id, pharmacyId }: RunKey, kinds: readonly MigrationItemKind[]) {
      await db
        .deleteFrom('migration_items')
        .where('pharmacy_id', '=', pharmacyId)
        .where('run_id', '=', id)
        .where('kind', 'in', kinds)
        .execute()
    },

    /**
     * A migration has imported the records that earlier runs of the pharmacy refused, except for those that it refused
     * again. A retry has done that for the run that it retries, and has its pictures copied again.
     */
    async resolveItems(by: {
      id: string
      pharmacyId: string
      retryOf: string | null
    }): Promise<void> {
      const earlier = by.retryOf
        ? sql`run_id = ${by.retryOf} and kind in ('refused', 'picture')`
        : sql`kind = 'refused' and run_id in (
            select id from migration_runs where pharmacy_id = ${by.pharmacyId} and id <> ${by.id}
          )`
      await sql`
        update migration_items item set resolved_at = now()
        where pharmacy_id = ${by.pharmacyId} and ${earlier} and resolved_at is null and not exists (
          select from migration_items later
          where later.pharmacy_id = ${by.pharmacyId} and later.run_id = ${by.id} and later.kind = 'refused' and later.record_id = item.record_id
        )
      `.execute(db)
    },
  }
}

/** Those of the orders that the copy has, by record id. */
export async function copiedByIds(db: Database, pharmacyId: string, recordIds: readonly string[]) {
  const rows = await copies(db, pharmacyId)
    .where(sql<boolean>`airtable_order_id = any(${recordIds}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.airtable_order_id, row]))
}

/** All orders of the copy, or those of some months, in portions. */
export async function* allCopied(
  db: Database,
  pharmacyId: string,
  months?: readonly string[],
): AsyncGenerator<ComparedCopy[]> {
  const ofMonths = sql<boolean>`coalesce(
    to_char(airtable_created at time zone 'UTC', 'YYYY-MM') = any(${months ?? null}::text[]), true
  )`
  yield* inPortions(
    (last) =>
      copies(db, pharmacyId)
        .where(ofMonths)
        .where('airtable_order_id', '>', last)
        .orderBy('airtable_order_id')
        .limit(PORTION)
        .execute(),
    (copy) => copy.airtable_order_id,
  )
}

const PORTION = 1_000

/** Reads rows in the order of their record ids. @param read at most `PORTION` rows after a record id */
async function* inPortions<Row>(
  read: (last: string) => Promise<Row[]>,
  recordIdOf: (row: Row) => string,
): AsyncGenerator<Row[]> {
  for (let last = ''; ; ) {
    const rows = await read(last)
    const end = rows.at(-1)
    if (end) yield rows
    if (!end || rows.length < PORTION) return
    last = recordIdOf(end)
  }
}

function copies(db: Database, pharmacyId: string) {
  const isIn = (table: string) => sql<boolean>`exists (
    select from ${sql.table(table)} where pharmacy_id = record.pharmacy_id and order_id = record.id
  )`
  return db
    .selectFrom('pharmacy_orders as record')
    .select(['id', 'airtable_order_id', ...comparedColumns])
    .select([isIn('order_changes').as('has_change'), isIn('order_creations').as('is_made_here')])
    .where('pharmacy_id', '=', pharmacyId)
}

/** @param tx the transaction of what was found */
export async function putItems(tx: Database, { id, pharmacyId }: RunKey, items: readonly Item[]) {
  if (items.length === 0) return
  await sql`
    insert into migration_items (pharmacy_id, run_id, kind, record_id, order_number, columns, reason)
    select ${pharmacyId}::uuid, ${id}::uuid, kind, "recordId", "orderNumber", columns, reason
    from jsonb_to_recordset(${JSON.stringify(items)}::jsonb)
      as (kind text, "recordId" text, "orderNumber" text, columns text[], reason text)
    on conflict (pharmacy_id, run_id, kind, record_id) do update
      set columns = excluded.columns, reason = excluded.reason, resolved_at = null
  `.execute(tx)
}
