import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { sourceLocation } from '../../../database/on-airtable.ts'
import type { NewSourceOrder, SourceLocation } from '../../../ports/order-source.ts'
import type { TablePharmacy } from '../copy/order-owner.rules.ts'
import { noHooks, type OrderHooks } from '../copy/order-upsert.store.ts'
import { tablePharmaciesOf } from '../copy/table-pharmacies.store.ts'
import type { CreatedOrder } from './new-orders.rules.ts'
import { createCreationOutcomesStore } from './order-creation-outcomes.store.ts'

export const CREATE_TASK = 'orders.create'

/** Duration of a claim; after that another process may try. */
const CLAIM_SECONDS = 30

/** Time in which a request without a response may still take effect in the source. */
const UNSURE_SECONDS = 30

/** Number of newest orders of which one should contain the pharmacy's `PharmaWA`. */
const NEWEST_CHECKED = 20

export type ClaimedCreation = {
  pharmacyId: string
  /** Identifies this claim when it is released. */
  claim: string
  order: Omit<NewSourceOrder, 'pharmaWa'> & CreatedOrder
  /**
   * When the creation was last requested without a response. `recently`: it may still take effect. `before`: so long
   * ago that the record exists or never will.
   */
  lastSent: 'never' | 'recently' | 'before'
  /** Null when the orders are in the database only, possibly since the order was created. */
  location: SourceLocation | null
  /** The pharmacies that share the table. */
  tablePharmacies: TablePharmacy[]
  /** `PharmaWA` of the pharmacy's newest order in the source. */
  lastPharmaWa: string | null
}

export type OrderCreationsStore = ReturnType<typeof createOrderCreationsStore>

/** Forgets that these orders are to be created in the source, which has refused them. */
export async function deleteKeptHere(
  tx: Database,
  pharmacyId: string,
  orderIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('order_creations')
    .where('pharmacy_id', '=', pharmacyId)
    .where('kept_here', '=', true)
    .where(sql<boolean>`order_id = any(${orderIds}::bigint[])`)
    .execute()
}

/** Orders to be created in the source. Together with the outcomes store the only writer of `order_creations`. */
export function createOrderCreationsStore(db: Database, hooks: OrderHooks = noHooks) {
  async function isPending(pharmacyId: string, orderId: string): Promise<boolean> {
    const row = await db
      .selectFrom('order_creations')
      .select('order_id')
      .where('pharmacy_id', '=', pharmacyId)
      .where('order_id', '=', orderId)
      .where('kept_here', '=', false)
      .executeTakeFirst()
    return row !== undefined
  }

  async function lastPharmaWa(pharmacyId: string): Promise<string | null> {
    const rows = await db
      .selectFrom('pharmacy_orders')
      .select('pharma_wa')
      .where('pharmacy_id', '=', pharmacyId)
      .orderBy('airtable_created', 'desc')
      .orderBy('id', 'desc')
      .limit(NEWEST_CHECKED)
      .execute()
    return rows.find(({ pharma_wa }) => pharma_wa !== null)?.pharma_wa ?? null
  }

  return {
    ...createCreationOutcomesStore(db, hooks),

    /**
     * Claims an order for this process.
     * @returns `claimed`: another process has claimed it, and may have died; `none`: it is not pending any more
     */
    async claim(
      pharmacyId: string,
      orderId: string,
    ): Promise<ClaimedCreation | 'claimed' | 'none'> {
      const row = await db
        .updateTable('order_creations as creation')
        .from('pharmacy_orders as record')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'record.pharmacy_id')
        .set({
          claimed_until: sql<string>`now() + make_interval(secs => ${CLAIM_SECONDS})`,
          // The previous claim has expired: its process died, and may have sent the request.
          unsure_at: sql<string | null>`coalesce(creation.claimed_until, creation.unsure_at)`,
        })
        .where('creation.pharmacy_id', '=', pharmacyId)
        .where('creation.order_id', '=', orderId)
        .where('creation.kept_here', '=', false)
        .whereRef('record.pharmacy_id', '=', 'creation.pharmacy_id')
        .whereRef('record.id', '=', 'creation.order_id')
        .where((is) =>
          is.or([
            is('creation.claimed_until', 'is', null),
            is('creation.claimed_until', '<', sql<string>`now()`),
          ]),
        )
        .returning([
          sql<string>`creation.claimed_until::text`.as('claim'),
          'creation.created_at',
          'record.order_number',
          'record.customer_name',
          'record.customer_phone',
          'record.address',
          'record.order_details',
          'record.status',
          'pharmacy.airtable_base_id',
          'pharmacy.airtable_table_id',
          'pharmacy.orders_phase',
          sql<ClaimedCreation['lastSent']>`case
            when creation.unsure_at is null then 'never'
            when creation.unsure_at > now() - make_interval(secs => ${UNSURE_SECONDS})
            then 'recently' else 'before' end`.as('asked'),
        ])
        .executeTakeFirst()
      if (!row) return (await isPending(pharmacyId, orderId)) ? 'claimed' : 'none'
      const location = sourceLocation(row)
      const tablePharmacies = location ? await tablePharmaciesOf(db, location) : []
      return {
        pharmacyId,
        claim: row.claim,
        order: {
          orderNumber: row.order_number,
          customerName: row.customer_name ?? '',
          customerPhone: row.customer_phone,
          address: row.address,
          details: row.order_details ?? '',
          status: row.status,
          createdAt: row.created_at,
        },
        lastSent: row.asked,
        location,
        tablePharmacies,
        lastPharmaWa: tablePharmacies.length > 1 ? await lastPharmaWa(pharmacyId) : null,
      }
    },

    /** Releases the claim, unless it has expired and another process has claimed the order. */
    async release(pharmacyId: string, orderId: string, claim: string): Promise<void> {
      await db
        .updateTable('order_creations')
        .set({ claimed_until: null })
        .where('pharmacy_id', '=', pharmacyId)
        .where('order_id', '=', orderId)
        .where(sql<boolean>`claimed_until = ${claim}::timestamptz`)
        .execute()
    },

    /** The same, after a request without a response: it may still take effect. */
    async markUnsure(pharmacyId: string, orderId: string, claim: string): Promise<void> {
      await db
        .updateTable('order_creations')
        .set({
          claimed_until: sql<string | null>`nullif(claimed_until, ${claim}::timestamptz)`,
          unsure_at: sql<string>`clock_timestamp()`,
        })
        .where('pharmacy_id', '=', pharmacyId)
        .where('order_id', '=', orderId)
        .execute()
    },

    /** The pending orders of a pharmacy, oldest first. */
    async pendingOrderIds(pharmacyId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('order_creations')
        .select('order_id')
        .where('pharmacy_id', '=', pharmacyId)
        .where('kept_here', '=', false)
        .orderBy('created_at')
        .orderBy('order_id')
        .execute()
      return rows.map((row) => row.order_id)
    },
  }
}
