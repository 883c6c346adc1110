import { type MigrationPharmacy, OrdersPhase } from '@bancone/contract/orders-migration'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'

/** A comparison in the phase `shadow` that is due. `since`: when the last one began; null for the first. */
export type DueShadow = {
  pharmacyId: string
  location: SourceLocation
  since: string | null
  at: string
}

/** How far the orders of a pharmacy are out of Airtable. Times are ISO 8601. */
export type MigrationStateRow = Pick<
  MigrationPharmacy,
  | 'id'
  | 'pharmacy_id'
  | 'name'
  | 'use_supabase_orders'
  | 'phase'
  | 'hasAirtable'
  | 'airtableCountAt'
  | 'lastMigration'
  | 'verifiedAt'
> & {
  phaseSince: string
  /** Of the table in Airtable; null before they were counted. */
  records: number | null
  orders: number
  waiting: number
  /** At the last comparison. */
  differed: boolean | null
  checkedAt: string | null
  cleanSince: string | null
  checks: number
  compared: number
  mismatches: number
  deletedAt: string | null
  deletedOrders: number
}

export type MigrationStatesStore = ReturnType<typeof createMigrationStatesStore>

/** With `migration-work.store.ts` the only writer of `order_migrations`. */
export function createMigrationStatesStore(db: Database) {
  return {
    /** Active pharmacies by name. */
    async list(): Promise<MigrationStateRow[]> {
      const { rows } = await states(
        sql`where pharmacy.is_active and pharmacy.deleted_at is null
          order by lower(pharmacy.name), pharmacy.id`,
      ).execute(db)
      return rows.map(parsed)
    },

    async find(pharmacyId: string, tx = db): Promise<MigrationStateRow | undefined> {
      const { rows } = await states(
        sql`where pharmacy.id = ${pharmacyId} and pharmacy.deleted_at is null`,
      ).execute(tx)
      return rows[0] && parsed(rows[0])
    },

    /** The pictures of the pharmacy's orders that have no stored copy. */
    async pictures(pharmacyId: string, tx = db): Promise<{ waiting: number; refused: number }> {
      const { rows } = await sql<{ waiting: number; refused: number }>`
        select count(*) filter (where image.state = 'waiting')::int as waiting,
          count(*) filter (where image.state = 'refused')::int as refused
        from order_images image
        join pharmacy_orders record on record.pharmacy_id = image.pharmacy_id and record.id = image.order_id
        where image.pharmacy_id = ${pharmacyId} and image.state <> 'stored' and record.image_url is not null
      `.execute(tx)
      return rows[0] ?? { waiting: 0, refused: 0 }
    },

    /** Changes and new orders that waited for Airtable at that time and still do. */
    async waitingSince(pharmacyId: string, time: string): Promise<number> {
      const { rows } = await sql<{ waiting: number }>`
        select (select count(*) from order_changes
            where pharmacy_id = ${pharmacyId} and changed_at <= ${time}::timestamptz)::int
          + (select count(*) from order_creations
            where pharmacy_id = ${pharmacyId} and not kept_here and created_at <= ${time}::timestamptz)::int
          as waiting
      `.execute(db)
      return rows[0]?.waiting ?? 0
    },

    async now(): Promise<string> {
      const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(db)
      if (!rows[0]) throw new Error('the time is one row')
      return rows[0].now
    },

    /** Begins the comparison in `shadow`. @param tx the transaction that enters the phase */
    async beginShadow(tx: Database, pharmacyId: string): Promise<void> {
      await sql`
        insert into order_migrations (pharmacy_id, check_at, clean_since) values (${pharmacyId}, now(), now())
        on conflict (pharmacy_id) do update set check_at = now(), clean_since = now(), checked_at = null,
          checked_until = null, checks = 0, compared = 0, mismatches = 0
      `.execute(tx)
    },

    /** Claims the most overdue comparison. It is due again after that time, whatever comes of it. */
    async claimShadow(everyMs: number): Promise<DueShadow | undefined> {
      const { rows } = await sql<Omit<DueShadow, 'location'> & SourceLocation>`
        update order_migrations state
        set check_at = clock_timestamp() + make_interval(secs => ${everyMs / 1_000}::float8)
        from (
          select due.pharmacy_id, p.airtable_base_id as base_id, p.airtable_table_id as table_id
          from order_migrations due join pharmacies p on p.id = due.pharmacy_id
          where due.check_at <= now() and p.orders_phase = 'shadow' and p.is_active
            and p.deleted_at is null and p.airtable_base_id <> '' and p.airtable_table_id <> ''
          order by due.check_at limit 1 for update of due skip locked
        ) due
        where state.pharmacy_id = due.pharmacy_id
        returning state.pharmacy_id as "pharmacyId", due.base_id as "baseId",
          due.table_id as "tableId", state.checked_until as since, clock_timestamp() as at
      `.execute(db)
      if (!rows[0]) return undefined
      const { baseId, tableId, ...due } = rows[0]
      return { ...due, location: { baseId, tableId } }
    },

    /** @param found `at`: when the comparison began */
    async noteShadow(
      pharmacyId: string,
      { at, compared, mismatches }: { at: string; compared: number; mismatches: number },
    ): Promise<void> {
      await sql`
        update order_migrations set checked_at = now(), checked_until = ${at}, checks = checks + 1,
          compared = compared + ${compared}, mismatches = mismatches + ${mismatches},
          clean_since = case when ${mismatches}::integer > 0 then now() else clean_since end
        where pharmacy_id = ${pharmacyId}
      `.execute(db)
    },

    /** Orders were written by another program. */
    async noteImport(tx: Database, pharmacyId: string): Promise<void> {
      const found = { last_migration_at: sql<string>`now()`, has_differences: true }
      await tx
        .insertInto('order_migrations')
        .values({ pharmacy_id: pharmacyId, ...found, verified_at: null })
        .onConflict((conflict) =>
          conflict.column('pharmacy_id').doUpdateSet({ ...found, verified_at: null }),
        )
        .execute()
    },

    /** The backup counts as deleted, and the pharmacy as never migrated. @param tx under the pharmacy's lock */
    async forget(tx: Database, pharmacyId: string, orders: number): Promise<void> {
      await sql`
        update order_migrations set deleted_migration_at = last_migration_at, last_migration_at = null,
          verified_at = null, has_differences = true, deleted_at = now(), deleted_orders = ${orders}
        where pharmacy_id = ${pharmacyId}
      `.execute(tx)
    },

    /** @returns false when there is nothing to restore */
    async restore(tx: Database, pharmacyId: string, days: number): Promise<boolean> {
      const { rows } = await sql`
        update order_migrations set last_migration_at = deleted_migration_at, deleted_at = null,
          deleted_orders = null, deleted_migration_at = null
        where pharmacy_id = ${pharmacyId} and deleted_at > now() - make_interval(days => ${days})
        returning pharmacy_id
      `.execute(tx)
      return rows.length > 0
    },
  }
}

function parsed(row: MigrationStateRow): MigrationStateRow {
  return { ...row, phase: OrdersPhase.parse(row.phase) }
}

function states(narrowed: RawBuilder<unknown>) {
  return sql<MigrationStateRow>`
    select pharmacy.id, pharmacy.pharmacy_id, pharmacy.name, pharmacy.use_supabase_orders,
      pharmacy.orders_phase as phase, pharmacy.orders_phase_since as "phaseSince",
      coalesce(pharmacy.airtable_base_id <> '' and pharmacy.airtable_table_id <> '', false)
        as "hasAirtable",
      copy.records, copy.counted_at as "airtableCountAt", coalesce(counted.total, 0) as orders,
      (select count(*) from order_changes where pharmacy_id = pharmacy.id)::int
        + (select count(*) from order_creations where pharmacy_id = pharmacy.id and not kept_here)::int
        as waiting,
      state.last_migration_at as "lastMigration", state.verified_at as "verifiedAt",
      state.has_differences as differed, state.checked_at as "checkedAt",
      state.clean_since as "cleanSince", coalesce(state.checks, 0) as checks,
      coalesce(state.compared, 0) as compared, coalesce(state.mismatches, 0) as mismatches,
      case when state.deleted_at > now() - interval '30 days' then state.deleted_at end
        as "deletedAt",
      coalesce(state.deleted_orders, 0) as "deletedOrders"
    from pharmacies pharmacy
    left join order_copies copy on copy.pharmacy_id = pharmacy.id
      and copy.base_id = pharmacy.airtable_base_id and copy.table_id = pharmacy.airtable_table_id
    left join pharmacy_order_counts counted on counted.pharmacy_id = pharmacy.id
    left join order_migrations state on state.pharmacy_id = pharmacy.id
    ${narrowed}
  `
}
