import type { BackupOrder } from '@bancone/contract/backup-orders'
import { BACKUP_KEPT_DAYS } from '@bancone/contract/orders-migration'
import { isWebAddress } from '@bancone/contract/web-address'
import { sql } from 'kysely'
import { AppError } from '../../../app-error.ts'
import type { Database } from '../../../database/database.ts'
import { lockPharmacy } from '../../../database/row-limit.ts'
import type { Audit } from '../../../platform/audit.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { createOrderQuarantineStore } from '../copy/order-quarantine.store.ts'
import { type OrderHooks, upsertOrders } from '../copy/order-upsert.store.ts'
import { copiedByIds } from './migration-comparison.store.ts'
import { backupCount } from './migration-state.rules.ts'
import type { MigrationStatesStore } from './migration-states.store.ts'

type Dependencies = {
  db: Database
  hooks: OrderHooks
  states: MigrationStatesStore
  audit: Pick<Audit, 'recordChange'>
}

export type BackupOrdersStore = ReturnType<typeof createBackupOrdersStore>

/** The backup of a pharmacy's orders: imported by other programs, counted, deleted and restored. */
export function createBackupOrdersStore({ db, hooks, states, audit }: Dependencies) {
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

  async function stateOf(tx: Database, pharmacyId: string) {
    const state = await states.find(pharmacyId, tx)
    if (!state) throw new AppError('pharmacies.not_found')
    return state
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
        await stateOf(tx, pharmacyId)
        const { rows } = await sql<{ now: string }>`select clock_timestamp() as now`.execute(tx)
        const now = rows[0]?.now ?? new Date().toISOString()
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
        await states.noteImport(tx, pharmacyId)
        const inserted = new Set(wanted.map((order) => order.airtable_order_id)).size
        return { result: inserted, orders: inserted }
      })
    },

    async stats(pharmacyId: string): Promise<{ count: number; lastMigration: string | null }> {
      const state = await stateOf(db, pharmacyId)
      return { count: backupCount(state), lastMigration: state.lastMigration }
    },

    /** Refused while pages are answered from it. @param code the pharmacy's code, if it was typed */
    remove(pharmacyId: string, code?: string): Promise<void> {
      return changed(pharmacyId, 'backup_orders_deleted', async (tx) => {
        const state = await stateOf(tx, pharmacyId)
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
        if (state.lastMigration !== null) await states.forget(tx, pharmacyId, orders)
        return { result: undefined, orders }
      })
    },

    restore(pharmacyId: string): Promise<void> {
      return changed(pharmacyId, 'backup_orders_restored', async (tx) => {
        const { deletedOrders } = await stateOf(tx, pharmacyId)
        if (!(await states.restore(tx, pharmacyId, BACKUP_KEPT_DAYS))) {
          throw new AppError('migrations.nothing_to_restore')
        }
        return { result: undefined, orders: deletedOrders }
      })
    },
  }
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
