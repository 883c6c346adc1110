import type { PickupColumns } from '@bancone/contract/order-pickup'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { sourceLocation } from '../../../database/on-airtable.ts'
import { createAudit } from '../../../platform/audit.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import type { TablePharmacy } from '../records/order-owner.rules.ts'
import { tablePharmaciesOf } from '../records/table-pharmacies.store.ts'

/** Duration of a claim; after that another process may push. */
const CLAIM_SECONDS = 30

/** Time in which a request without a response may still take effect in the source. */
const UNSURE_SECONDS = 30

/** The moments of an order that are to be written, claimed for this process. */
export type ClaimedMoments = {
  pharmacyId: string
  recordId: string
  version: string
  /** The moments by the names of their columns. */
  times: ReadonlyMap<string, string | null>
  /** Null when the order is in the database only. */
  location: SourceLocation | null
  /** The pharmacies that share the table. */
  tablePharmacies: TablePharmacy[]
}

export type PickupColumnsStore = ReturnType<typeof createPickupColumnsStore>

/** The columns of the base for the moments of orders, and the moments that are not written there yet. */
export function createPickupColumnsStore(db: Database) {
  const audit = createAudit(db)

  async function get(tx: Database, pharmacyId: string) {
    const row = await tx
      .selectFrom('order_pickup_settings')
      .select(['ready_column as ready', 'collected_column as collected'])
      .select(['put_back_column as putBack', 'refused_columns as refused'])
      .where('pharmacy_id', '=', pharmacyId)
      .executeTakeFirst()
    const { refused = [], ready = null, collected = null, putBack = null } = row ?? {}
    return { columns: { ready, collected, putBack }, refused }
  }

  return {
    get: (pharmacyId: string) => get(db, pharmacyId),

    /** @param refused those of them that Airtable does not take */
    change(pharmacyId: string, chosen: PickupColumns, refused: readonly string[]) {
      return db.transaction().execute(async (tx) => {
        const { columns } = await get(tx, pharmacyId)
        const row = {
          ready_column: chosen.ready,
          collected_column: chosen.collected,
          put_back_column: chosen.putBack,
          refused_columns: [...refused],
        }
        await tx
          .insertInto('order_pickup_settings')
          .values({ pharmacy_id: pharmacyId, ...row })
          .onConflict((of) => of.column('pharmacy_id').doUpdateSet(row))
          .execute()
        await audit.recordChange(tx, {
          action: 'pickup_columns_changed',
          pharmacyId,
          target: { type: 'pharmacy', id: pharmacyId },
          before: recorded(columns),
          after: recorded(chosen),
        })
      })
    },

    /** The orders of a pharmacy with moments to be written, oldest first. */
    async pendingOrderIds(pharmacyId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('order_pickup_changes')
        .select('order_id')
        .where('pharmacy_id', '=', pharmacyId)
        .orderBy('changed_at')
        .orderBy('order_id')
        .execute()
      return rows.map((row) => row.order_id)
    },

    /** @returns `claimed`: claimed by a process that may be pushing them, or may have died, or not in the source yet */
    async claim(pharmacyId: string, orderId: string): Promise<ClaimedMoments | 'claimed' | 'none'> {
      const claimed = await db
        .updateTable('order_pickup_changes as change')
        .set({
          claimed_until: sql<string>`now() + make_interval(secs => ${CLAIM_SECONDS})`,
          // The previous claim has expired: its process died, and may have sent the request.
          unsure_at: sql<string | null>`coalesce(change.claimed_until, change.unsure_at)`,
        })
        .where('change.pharmacy_id', '=', pharmacyId)
        .where('change.order_id', '=', orderId)
        .where(sql<boolean>`coalesce(change.claimed_until < now(), true)`)
        .where(sql<boolean>`not exists (
          select from order_creations
          where pharmacy_id = change.pharmacy_id and order_id = change.order_id and not kept_here
        )`)
        .returning('change.version')
        .executeTakeFirst()
      // Read afterwards: a statement that waited for another's change would see the moments from before.
      const row = await db
        .selectFrom('order_pickup_changes as change')
        .innerJoin('pharmacy_orders as record', (join) =>
          join
            .onRef('record.pharmacy_id', '=', 'change.pharmacy_id')
            .onRef('record.id', '=', 'change.order_id'),
        )
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'change.pharmacy_id')
        .leftJoin('order_pickup_settings as settings', 'settings.pharmacy_id', 'pharmacy.id')
        .select(['record.airtable_order_id', 'record.ready_at', 'record.collected_at'])
        .select(['record.put_back_at', 'pharmacy.airtable_base_id', 'pharmacy.airtable_table_id'])
        .select(['pharmacy.orders_phase', 'settings.ready_column', 'settings.collected_column'])
        .select('settings.put_back_column')
        .select(
          sql<boolean>`exists (
            select from order_creations
            where pharmacy_id = change.pharmacy_id and order_id = change.order_id
          )`.as('isKeptHere'),
        )
        .where('change.pharmacy_id', '=', pharmacyId)
        .where('change.order_id', '=', orderId)
        .executeTakeFirst()
      if (!row) return 'none'
      if (!claimed) return 'claimed'
      const location = row.isKeptHere ? null : sourceLocation(row)
      const times = [
        [row.ready_column, row.ready_at],
        [row.collected_column, row.collected_at],
        [row.put_back_column, row.put_back_at],
      ] as const
      return {
        pharmacyId,
        recordId: row.airtable_order_id,
        version: claimed.version,
        times: new Map(times.flatMap(([name, time]) => (name === null ? [] : [[name, time]]))),
        location,
        tablePharmacies: location ? await tablePharmaciesOf(db, location) : [],
      }
    },

    async release(pharmacyId: string, orderId: string): Promise<void> {
      await updatePending(pharmacyId, orderId).set({ claimed_until: null }).execute()
    },

    /** A request to the source failed without a response: it may still take effect. */
    async markUnsure(pharmacyId: string, orderId: string): Promise<void> {
      await updatePending(pharmacyId, orderId)
        .set({ unsure_at: sql<string>`clock_timestamp()` })
        .execute()
    },

    /**
     * The source has the moments.
     * @returns `newer`: they have changed again meanwhile, and can be claimed. `unsure`: an earlier request may still take
     * effect in the source, so they are written again
     */
    async finish(orderId: string, { pharmacyId, version }: ClaimedMoments) {
      const done = await db
        .deleteFrom('order_pickup_changes')
        .where('pharmacy_id', '=', pharmacyId)
        .where('order_id', '=', orderId)
        .where('version', '=', version)
        .where(sql<boolean>`not coalesce(
          unsure_at > now() - make_interval(secs => ${UNSURE_SECONDS}), false
        )`)
        .executeTakeFirst()
      if (done.numDeletedRows > 0n) return 'done'
      const kept = await updatePending(pharmacyId, orderId)
        .set({ claimed_until: null })
        .returning('version')
        .executeTakeFirst()
      if (!kept) return 'nothing'
      return kept.version === version ? 'unsure' : 'newer'
    },

    /** Notes which of the columns Airtable refused, unless others have been named since. */
    async noteRefused(pharmacyId: string, written: Iterable<string>, refused: readonly string[]) {
      const names = [...written]
      const found = names.filter((name) => refused.includes(name))
      await db
        .updateTable('order_pickup_settings')
        .set({ refused_columns: found })
        .where('pharmacy_id', '=', pharmacyId)
        .where(sql<boolean>`refused_columns <> ${found}::text[]`)
        .where(
          sql<boolean>`array_remove(
            array[ready_column, collected_column, put_back_column], null
          ) = ${names}::text[]`,
        )
        .execute()
    },
  }

  function updatePending(pharmacyId: string, orderId: string) {
    return db
      .updateTable('order_pickup_changes')
      .where('pharmacy_id', '=', pharmacyId)
      .where('order_id', '=', orderId)
  }
}

/** As the audit log has them. */
const recorded = ({ ready, collected, putBack }: PickupColumns) => ({
  readyColumn: ready,
  collectedColumn: collected,
  putBackColumn: putBack,
})
