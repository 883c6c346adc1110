import type { BackupOrder } from '@bancone/contract/backup-orders'
import { BACKUP_KEPT_DAYS, OrdersPhase } from '@bancone/contract/orders-migration'
import { isWebAddress } from '@bancone/contract/web-address'
import { type RawBuilder, sql } from 'kysely'
import { AppError } from '../../../base/app-error.ts'
import type { Database } from '../../../database/database.ts'
import { lockPharmacy } from '../../../database/row-limit.ts'
import type { Audit } from '../../../platform/audit.ts'
import type { SourceLocation, SourceOrder } from '../../../ports/order-source.ts'
import type { OrderHooks } from '../records/order-hooks.ts'
import { upsertOrders } from '../records/order-upsert.store.ts'
import { createOrderQuarantineStore } from '../sync/order-quarantine.store.ts'
import { copiedByIds } from './migration-records.store.ts'
import { backupCount, type MigrationStateRow } from './migration-state.rules.ts'

/** A comparison in the phase `shadow` that is due. `since`: when the last one began; null for the first. */
export type DueShadow = {
  pharmacyId: string
  location: SourceLocation
  since: string | null
  at: string
}

export type MigrationStatesStore = ReturnType<typeof createMigrationStatesStore>

/** With `migration-work.store.ts` the only writer of `order_migrations`. */
export function createMigrationStatesStore(db: Database) {
  return {
    /** Active pharmacies by name. */
    async list(): Promise<MigrationStateRow[]> {
      const { rows } = await selectStates(
        sql`where pharmacy.is_active and pharmacy.deleted_at is null
          order by lower(pharmacy.name), pharmacy.id`,
      ).execute(db)
      return rows.map(parsed)
    },

    /** @throws AppError `pharmacies.not_found` */
    async find(pharmacyId: string, tx = db): Promise<MigrationStateRow> {
      const { rows } = await selectStates(
        sql`where pharmacy.id = ${pharmacyId} and pharmacy.deleted_at is null`,
      ).execute(tx)
      if (!rows[0]) throw new AppError('pharmacies.not_found')
      return parsed(rows[0])
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

    async now(tx = db): Promise<string> {
      const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(tx)
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
  }
}

function parsed(row: MigrationStateRow): MigrationStateRow {
  return { ...row, phase: OrdersPhase.parse(row.phase) }
}

function selectStates(narrowed: RawBuilder<unknown>) {
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

type BackupDependencies = {
  db: Database
  hooks: OrderHooks
  states: MigrationStatesStore
  audit: Pick<Audit, 'recordChange'>
}

export type BackupOrdersStore = ReturnType<typeof createBackupOrdersStore>

/** The backup of a pharmacy's orders: imported by other programs, counted, deleted and restored. */
export function createBackupOrdersStore({ db, hooks, states, audit }: BackupDependencies) {
  /** Runs a change under the pharmacy's lock and records it. */
  function changed<T>(
    pharmacyId: string,
    action: 'backup_orders_imported' | 'backup_orders_deleted' | 'backup_orders_restored',
    change: (tx: Database) => Promise<{ result: T; orders: number }>,
  ): Promise<T> {
    return db.transaction().execute(async (tx) => {
      await lockPharmacy(tx, pharmacyId)
      const { result, orders } = await change(tx)
      const target = { type: 'pharmacy', id: pharmacyId }
      await audit.recordChange(tx, { action, pharmacyId, target, details: { orders } })
      return result
    })
  }

  return {
    /**
     * Writes orders that another program has mapped. @returns how many of them the database has as they were sent
     */
    import(
      pharmacyId: string,
      orders: readonly BackupOrder[],
      { overwrite }: { overwrite: boolean },
    ): Promise<number> {
      return changed(pharmacyId, 'backup_orders_imported', async (tx) => {
        await states.find(pharmacyId, tx)
        const now = await states.now(tx)
        const ids = orders.map((order) => order.airtable_order_id)
        const copied = await copiedByIds(tx, pharmacyId, ids)
        const wanted = orders.filter(({ airtable_order_id: id }) => {
          const copy = copied.get(id)
          return !copy || (overwrite && !copy.has_change && !copy.is_made_here)
        })
        const sources = wanted.map((order) => sourceOrder(order, now))
        const writing = { readStartedAt: now, countsAsNew: false, rewrites: true }
        await upsertOrders(tx, hooks, pharmacyId, sources, writing)
        const refused = sources.filter(({ unknown }) => unknown).map(({ recordId }) => recordId)
        if (refused.length > 0) {
          const reason = 'kept; cannot be read: Image'
          const findings = [...new Set(refused)].map((recordId) => ({ recordId, reason }))
          await createOrderQuarantineStore(tx).add(pharmacyId, findings)
        }
        await tx
          .insertInto('order_migrations')
          .values({ pharmacy_id: pharmacyId, ...imported })
          .onConflict((conflict) => conflict.column('pharmacy_id').doUpdateSet(imported))
          .execute()
        const inserted = new Set(wanted.map((order) => order.airtable_order_id)).size
        return { result: inserted, orders: inserted }
      })
    },

    async stats(pharmacyId: string): Promise<{ count: number; lastMigration: string | null }> {
      const state = await states.find(pharmacyId)
      return { count: backupCount(state), lastMigration: state.lastMigration }
    },

    /** Refused while pages are answered from it. @param code the pharmacy's code, if it was typed */
    remove(pharmacyId: string, code?: string): Promise<void> {
      return changed(pharmacyId, 'backup_orders_deleted', async (tx) => {
        const state = await states.find(pharmacyId, tx)
        if (code !== undefined && code.toUpperCase() !== state.pharmacy_id.toUpperCase()) {
          throw new AppError('migrations.wrong_code')
        }
        if (state.use_supabase_orders || !state.hasAirtable)
          throw new AppError('migrations.backup_in_use')
        const running = await tx
          .selectFrom('migration_runs')
          .select('id')
          .where('pharmacy_id', '=', pharmacyId)
          .where('ended_at', 'is', null)
          .executeTakeFirst()
        if (running) throw new AppError('migrations.other_running')
        const orders = backupCount(state)
        // The pharmacy then counts as never migrated.
        if (state.lastMigration !== null) {
          await sql`
            update order_migrations set deleted_migration_at = last_migration_at, last_migration_at = null,
              verified_at = null, has_differences = true, deleted_at = now(), deleted_orders = ${orders}
            where pharmacy_id = ${pharmacyId}
          `.execute(tx)
        }
        return { result: undefined, orders }
      })
    },

    restore(pharmacyId: string): Promise<void> {
      return changed(pharmacyId, 'backup_orders_restored', async (tx) => {
        const { deletedOrders } = await states.find(pharmacyId, tx)
        const { rows } = await sql`
          update order_migrations set last_migration_at = deleted_migration_at, deleted_at = null,
            deleted_orders = null, deleted_migration_at = null
          where pharmacy_id = ${pharmacyId}
            and deleted_at > now() - make_interval(days => ${BACKUP_KEPT_DAYS})
          returning pharmacy_id
        `.execute(tx)
        if (!rows[0]) throw new AppError('migrations.nothing_to_restore')
        return { result: undefined, orders: deletedOrders }
      })
    },
  }
}

const imported = {
  last_migration_at: sql<string>`now()`,
  has_differences: true,
  verified_at: null,
}

/** @param now for orders without times (ISO 8601) */
function sourceOrder(order: BackupOrder, now: string): SourceOrder {
  const created = order.airtable_created ?? now
  const url = order.image_url !== null && isWebAddress(order.image_url) ? order.image_url : null
  return {
    recordId: order.airtable_order_id,
    orderNumber: order.order_number,
    waId: order.wa_id,
    customerName: order.customer_name,
    customerPhone: order.customer_phone,
    details: order.order_details,
    address: order.address,
    status: order.status?.trim() || null,
    // The id of an attachment is not sent: the next reading of Airtable replaces this one.
    image: url === null ? null : { url, ref: url },
    ...(url !== order.image_url && { unknown: ['image'] as const }),
    pharmaWa: order.pharma_wa,
    createdAt: new Date(created).toISOString(),
    updatedAt: new Date(order.airtable_last ?? created).toISOString(),
  }
}
