import { MigrationItem, type MigrationItemKind } from '@bancone/contract/migration-runs'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { type ItemReason, itemText } from './migration-findings.rules.ts'

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
const PORTION = 500

/** @param tx the transaction of what was found */
export async function putItems(
  tx: Database,
  { id, pharmacyId }: RunKey,
  items: readonly Item[],
): Promise<void> {
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

export type MigrationItemsStore = ReturnType<typeof createMigrationItemsStore>

/** The only writer of `migration_items`, with `putItems`. */
export function createMigrationItemsStore(db: Database) {
  const ofRun = ({ id, pharmacyId }: RunKey, kind: MigrationItemKind | undefined) =>
    db
      .selectFrom('migration_items')
      .where('pharmacy_id', '=', pharmacyId)
      .where('run_id', '=', id)
      .$if(kind !== undefined, (of) => of.where('kind', '=', kind ?? ''))

  return {
    put: (run: RunKey, items: readonly Item[]) => putItems(db, run, items),

    async page(
      run: RunKey,
      kind: MigrationItemKind | undefined,
      { offset, limit }: { offset: number; limit: number },
    ): Promise<{ items: MigrationItem[]; total: number }> {
      const { total } = await ofRun(run, kind)
        .select(({ fn }) => fn.countAll<string>().as('total'))
        .executeTakeFirstOrThrow()
      const rows = await ofRun(run, kind)
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
    async *all(run: RunKey, kind: MigrationItemKind | undefined): AsyncGenerator<MigrationItem[]> {
      for (let offset = 0; ; offset += PORTION) {
        const { items } = await this.page(run, kind, { offset, limit: PORTION })
        if (items.length > 0) yield items
        if (items.length < PORTION) return
      }
    },

    /** The unresolved records of one kind. */
    async recordIds(
      { id, pharmacyId }: RunKey,
      kinds: readonly MigrationItemKind[],
    ): Promise<string[]> {
      const rows = await db
        .selectFrom('migration_items')
        .select('record_id')
        .distinct()
        .where('pharmacy_id', '=', pharmacyId)
        .where('run_id', '=', id)
        .where('kind', 'in', kinds)
        .where('resolved_at', 'is', null)
        .orderBy('record_id')
        .execute()
      return rows.map((row) => row.record_id)
    },

    /** Refused records by reason, most first. */
    async refusals({
      id,
      pharmacyId,
    }: RunKey): Promise<{ reason: string; text: string; records: number }[]> {
      const rows = await db
        .selectFrom('migration_items')
        .select(['reason', 'columns', ({ fn }) => fn.countAll<string>().as('records')])
        .where('pharmacy_id', '=', pharmacyId)
        .where('run_id', '=', id)
        .where('kind', '=', 'refused')
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
    async remove({ id, pharmacyId }: RunKey, kinds: readonly MigrationItemKind[]): Promise<void> {
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
    async resolve(by: { id: string; pharmacyId: string; retryOf: string | null }): Promise<void> {
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
